import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import { distinct, isScalar, parted, printed } from "./scalar.ts";

/** A part of a table: for one object, or for a list of objects that have only scalars. */
export interface Section {
  /** Empty if it continues the section before. */
  readonly title: string;
  /** The depth of its object in the value. */
  readonly depth: number;
  readonly headers: readonly string[];
  /** Rows may be shorter than others: missing cells are empty. */
  readonly rows: readonly (readonly string[])[];
  /** Whether it is a list of objects, a row for each. */
  readonly listed?: boolean;
}

/**
 * The sections of a value of any shape, from the outside in.
 *
 * @param nested whether objects in a list have sections of their own for what is in them; otherwise they are rows of scalars alone
 */
export function sectionsOf(value: Json, title: string, nested = true, depth = 0): Section[] {
  const head = { title: shown(title), depth };
  if (isObject(value)) return [sectionOfObject(value, head), ...sectionsInside(value, nested, depth)];
  if (!isList(value)) return [{ ...head, headers: [], rows: [[cell(value)]] }];
  if (value.length > 0 && value.every(isObject)) return sectionsOfObjects(value, nested, head);
  return sectionsOfList(value, nested, head);
}

type Head = Pick<Section, "title" | "depth">;

function sectionOfObject(object: JsonObject, head: Head): Section {
  const { scalars } = parted(object);
  const headers = scalars.map(([name]) => shown(name));
  const cells = scalars.map(([, value]) => cell(value));
  // A single field needs no header of its own.
  if (scalars.length === 1) return { ...head, headers: [], rows: [[...headers, ...cells]] };
  return { ...head, headers, rows: [cells] };
}

function sectionsInside(object: JsonObject, nested: boolean, depth: number): Section[] {
  return parted(object).others.flatMap(([name, value]) => sectionsOf(value, name, nested, depth + 1));
}

/** One section for all objects if they have only scalars; else a section for each, followed by those of its other fields. */
function sectionsOfObjects(list: readonly JsonObject[], nested: boolean, head: Head): Section[] {
  const columns = distinct(list.flatMap((object) => parted(object).scalars.map(([name]) => name)));
  const headers = columns.map(shown);
  const rowOf = (object: JsonObject): string[] =>
    columns.map((column) => (Object.hasOwn(object, column) ? cell(object[column] ?? null) : ""));
  const flat = list.every((object) => parted(object).others.length === 0);
  if (flat || !nested) return [{ ...head, headers, rows: list.map(rowOf), listed: true }];
  return list.flatMap((object) => [{ ...head, headers, rows: [rowOf(object)] }, ...sectionsInside(object, nested, head.depth)]);
}

/** Scalars and lists of scalars are rows. Other items have sections of their own. */
function sectionsOfList(list: readonly Json[], nested: boolean, head: Head): Section[] {
  let rows: string[][] | undefined = [];
  const sections: Section[] = [{ ...head, headers: [], rows }];
  for (const item of list) {
    const cells: readonly Json[] = isList(item) ? item : [item];
    if (!cells.every(isScalar)) {
      for (const section of sectionsOf(item, "", nested, head.depth)) sections.push(section);
      rows = undefined;
      continue;
    }
    if (!rows) sections.push({ ...head, title: "", headers: [], rows: (rows = []) });
    rows.push(cells.map(cell));
  }
  return sections;
}

/** A cell. It is empty for an object or a list, which has a section of its own. */
function cell(value: Json): string {
  return isScalar(value) ? shown(printed(value)) : "";
}

/** The text of a cell. Characters that would move the cursor, or change the direction of writing, are escaped. */
function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (letter) => {
    const escaped = JSON.stringify(letter).slice(1, -1);
    return escaped === letter ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}` : escaped;
  });
}
