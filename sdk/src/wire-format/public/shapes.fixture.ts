import type { z } from "zod";
import { wireName } from "../../operation/codec.ts";
import { ownFieldsOf } from "../../operation/fields.ts";
import { fieldsOf, itemsOf, type Operation } from "../../operation/operation.ts";
import type { AnyFields, Difference, Rule } from "../rule.ts";
import type { Member, Members, Models } from "./models.fixture.ts";

/** A field of an operation that differs from the published models without a rule that says so, or has a rule without a difference. */
export interface Finding {
  readonly at: string;
  readonly what: string;
}

/** Compares what the catalogue and its rules say of an operation with the published models of its version. */
export function findingsOf(operation: Operation, difference: Difference | undefined, models: Models): Finding[] {
  const { action, input, output } = operation;
  const [request, answer] = [models.get(`${action}Request`), models.get(`${action}Response`)];
  if (!request || !answer) return [{ at: action, what: "there is no such action" }];
  if (difference?.unusable !== undefined) return [];
  return [
    ...compared({ models, part: "request", path: `${action} ` }, input, difference?.request ?? {}, request),
    ...compared({ models, part: "answer", path: `${action} -> ` }, output, difference?.answer ?? {}, answer),
  ];
}

/** What an operation lacks of the published models. */
export interface Lacks {
  /** Fields of a call that the catalogue does not have. */
  readonly unknown: readonly string[];
  /** Fields of a call that are required here, and optional there. */
  readonly required: readonly string[];
  /** Fields of the answer that are not told. */
  readonly untold: readonly string[];
}

export function lacksOf({ action, input, output }: Operation, difference: Difference | undefined, models: Models): Lacks {
  const [request, answer] = [models.get(`${action}Request`), models.get(`${action}Response`)];
  if (!request || !answer || difference?.unusable !== undefined) return { unknown: [], required: [], untold: [] };
  const call = lacking(models, input, { rules: difference?.request ?? {}, ignored: [] }, request, "");
  const told = lacking(models, output, { rules: difference?.answer ?? {}, ignored: ["RequestId"] }, answer, "");
  return { unknown: call.unknown, required: call.required, untold: told.unknown };
}

type Field = ReturnType<typeof fieldsWith>[number];

function fieldsWith(rules: AnyFields, schema: z.core.$ZodType) {
  const fields = Object.entries(fieldsOf(schema));
  return fields.map(([field, inner]) => ({ name: wireName(field, inner), inner, rule: rules[field] ?? {} }));
}

interface Said {
  readonly rules: AnyFields;
  readonly ignored: readonly string[];
}

type Lacking = Pick<Lacks, "unknown" | "required">;

function lacking(models: Models, schema: z.core.$ZodType, { rules, ignored }: Said, members: Members, path: string): Lacking {
  const own = new Map(ownFieldsOf(schema).map(({ name, required }) => [name, required]));
  const fields = fieldsWith(rules, schema).flatMap(({ name, inner, rule }) => {
    const required = own.get(name) === true && rule.absent === undefined;
    return isElsewhere(rule) ? [] : [{ there: nameThere(name, rule), required, inner, rule }];
  });
  const known = new Set([...fields.map(({ there }) => there), ...ignored]);
  const deeper = fields.flatMap(({ there, required, inner, rule }) => {
    const member = members.get(there);
    if (!member) return [];
    const objects = models.get(member.type.replace(/^(list of )+/, ""));
    const items = itemsOf(inner);
    const before = `${path}${there}${items ? "[]" : ""}.`;
    const mine = { unknown: [], required: required && !member.required ? [path + there] : [] };
    const said = { rules: rule.fields ?? {}, ignored: rule.ignored ?? [] };
    // An object whose fields the catalogue does not tell is passed on whole.
    const isOpen = Object.keys(fieldsOf(items ?? inner)).length === 0;
    return [mine, ...(objects && !isOpen ? [lacking(models, items ?? inner, said, objects, before)] : [])];
  });
  const unknown = [...members.keys()].filter((name) => !known.has(name)).map((name) => path + name);
  return {
    unknown: [...unknown, ...deeper.flatMap((each) => each.unknown)],
    required: deeper.flatMap((each) => each.required),
  };
}

interface Where {
  readonly models: Models;
  readonly part: "request" | "answer";
  readonly path: string;
}

function compared(where: Where, schema: z.core.$ZodType, rules: AnyFields, members: Members): Finding[] {
  const fields = fieldsWith(rules, schema);
  const sent = new Set(fields.flatMap(({ name, rule }) => (isElsewhere(rule) ? [] : [nameThere(name, rule)])));
  const forgotten = [...members.values()].filter(({ name, required }) => where.part === "request" && required && !sent.has(name));
  return [
    ...forgotten.map(({ name }) => ({ at: where.path + name, what: "required there, and not known here" })),
    ...fields.flatMap((field) => comparedField(where, schema, field, members)),
  ];
}

function isElsewhere({ there, same, into }: Rule): boolean {
  return there === false || same !== undefined || into !== undefined;
}

function nameThere(name: string, { there }: Rule): string {
  return typeof there === "string" ? there : name;
}

function comparedField(where: Where, schema: z.core.$ZodType, { name, inner, rule }: Field, members: Members): Finding[] {
  const at = where.path + name;
  const finding = (what: string) => [{ at, what }];
  const member = members.get(nameThere(name, rule));
  if (isElsewhere(rule)) return member ? finding("it is there, although a rule says that it is not") : [];
  if (!member) return finding("it is not there");
  const field = ownFieldsOf(schema).find((own) => own.name === name);
  const required = field?.required ?? false;
  const type = field?.item ? `list of ${plain(field.item.kind)}` : plain(field?.kind ?? "");
  return [
    ...complaints(where.part, { required, type }, rule, member).flatMap(finding),
    ...inside({ ...where, path: `${at}${field?.item ? "[]" : ""}.` }, inner, rule, member),
  ];
}

function complaints(part: Where["part"], { required, type }: { required: boolean; type: string }, rule: Rule, member: Member): string[] {
  const there = member.type.replace(/(?<=^|list of )(?!string|number|boolean|list)\w+$/, "object");
  const readAnyway = rule.absent !== undefined || rule.vital !== undefined;
  const excused = rule.usual !== undefined || rule.optional !== undefined;
  return [
    ...(type === there ? [] : [`it is ${type} here, and ${there} there`]),
    ...(part === "request" && member.required && !required && !excused ? ["it is required there, and optional here"] : []),
    ...(part === "request" && !member.required && rule.optional !== undefined ? ["it is not required there, although a rule says so"] : []),
    ...(part === "answer" && member.nullable && required && !readAnyway ? ["it may be null there, and is required here"] : []),
  ];
}

function inside(where: Where, schema: z.core.$ZodType, rule: Rule, member: Member): Finding[] {
  const members = where.models.get(member.type.replace(/^(list of )+/, ""));
  return members ? compared(where, itemsOf(schema) ?? schema, rule.fields ?? {}, members) : [];
}

function plain(kind: string): string {
  return kind === "integer" ? "number" : kind;
}
