import { isProps } from "../schema/values.ts";

/** An expression of a program, which is written as it is and not quoted. */
export class Expression {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The longest line, in characters. */
const width = 80;

/**
 * A statement with a constructor call, formatted as prettier does.
 *
 * @param start the text before the arguments: `const vpc = new Vpc`
 */
export function constructorCall(start: string, name: string, ...objects: readonly object[]): string {
  const args = [name, ...objects];
  const flat = `${start}(${args.map(inOneLine).join(", ")});`;
  if (fits(flat, 0) && !args.some(isAlwaysBroken)) return flat;
  const [only, ...others] = objects;
  const head = `${start}(${inOneLine(name)}, {`;
  // A single object begins in the first line.
  if (others.length === 0 && isObject(only) && Object.keys(only).length > 0 && fits(head, 0))
    return `${head.slice(0, -1)}${broken(only, 0)});`;
  return `${start}(\n${args.map((arg) => `  ${written(arg, 2)},\n`).join("")});`;
}

/** `import { … } from "…";` */
export function importStatement(names: readonly string[], from: string): string {
  const flat = `import { ${names.join(", ")} } from "${from}";`;
  return fits(flat, 0) ? flat : `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";`;
}

/** A value at an indentation, with a comma after it. `before`: how many characters of its line are used already. */
function written(value: unknown, indent: number, before = indent): string {
  const flat = inOneLine(value);
  if (!isAlwaysBroken(value) && fits(`${flat},`, before)) return flat;
  if (Array.isArray(value) && value.length > 0) {
    const lines = value.map((item) => `${" ".repeat(indent + 2)}${written(item, indent + 2)},\n`);
    return `[\n${lines.join("")}${" ".repeat(indent)}]`;
  }
  return isObject(value) && Object.keys(value).length > 0 ? broken(value, indent) : flat;
}

/** An object with a line for each entry. */
function broken(value: Readonly<Record<string, unknown>>, indent: number): string {
  const inner = " ".repeat(indent + 2);
  const lines = Object.entries(value).map(([key, item]) => {
    const name = quotedKey(key);
    const beside = `${inner}${name}: ${written(item, indent + 2, indent + 2 + name.length + 2)},\n`;
    // A text that is too long for its line is written on the next one, unless the key is so short that this does not help.
    const isOnNext = typeof item === "string" && name.length > 4 && !fits(beside.trimEnd(), 0);
    return isOnNext ? `${inner}${name}:\n${inner}  ${quoted(item)},\n` : beside;
  });
  return `{\n${lines.join("")}${" ".repeat(indent)}}`;
}

function inOneLine(value: unknown): string {
  if (value instanceof Expression) return value.text;
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (!isProps(value)) return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${quotedKey(key)}: ${inOneLine(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Whether prettier never writes a value in one line: a list of several objects, or lists, with several entries each. */
function isAlwaysBroken(value: unknown): boolean {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const isLong = (item: unknown) => (Array.isArray(item) ? item.length > 1 : isObject(item) && Object.keys(item).length > 1);
    return (
      (items.length > 1 &&
        (items.every((item) => isObject(item) && isLong(item)) || items.every((item) => Array.isArray(item) && isLong(item)))) ||
      items.some(isAlwaysBroken)
    );
  }
  return isObject(value) && Object.values(value).some(isAlwaysBroken);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isProps(value) && !(value instanceof Expression);
}

function fits(text: string, before: number): boolean {
  return before + text.length <= width;
}

const quotedKey = (key: string): string => (key === "__proto__" ? `["${key}"]` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key));

/** A text, in the kind of quotes that has to be escaped less often. */
function quoted(text: string): string {
  const json = JSON.stringify(text);
  if (text.split('"').length <= text.split("'").length) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
