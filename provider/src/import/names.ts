import type { Found } from "./found.ts";
import type { References } from "./references.ts";

/** What a thing is called in a program. */
export interface Called {
  /** The resource's name. */
  readonly name: string;
  /** The variable that holds it. */
  readonly variable: string;
}

/**
 * Names for things: their own on the platform, where needed behind that of what they belong to. What has no name is called by its
 * id, with the names of what stands in it.
 */
export function namesFor(things: readonly Found[], references: References): ReadonlyMap<Found, Called> {
  const taken = new Set<string>();
  const reserve = (text: string, joint: string, scope: string) => {
    const free = [text, ...numbered(text + joint, things.length)].find((candidate) => !taken.has(scope + candidate)) ?? text;
    taken.add(scope + free);
    return free;
  };
  return new Map(
    things.map((thing) => {
      const { type } = thing.kind;
      const name = reserve(titleOf(thing, things, references), "-", `${type} `);
      return [thing, { name, variable: reserve(variableOf(name, type), "", "") }];
    }),
  );
}

/** Things of each kind in the order of their names. */
export function byName(things: readonly Found[], references: References): Found[] {
  const kinds = [...new Set(things.map(({ kind }) => kind))];
  const titled = things.map((thing) => ({ thing, title: titleOf(thing, things, references) }));
  const inKind = (kind: Found["kind"]) => titled.filter(({ thing }) => thing.kind === kind);
  const sorted = kinds.flatMap((kind) => inKind(kind).sort((one, other) => one.title.localeCompare(other.title, "en", { numeric: true })));
  return sorted.map(({ thing }) => thing);
}

function titleOf(thing: Found, things: readonly Found[], references: References): string {
  const name = ownNameOf(thing);
  if (name === undefined) return plain(spelledOut(thing.id, references)) || thing.kind.type;
  const isShared = things.some((other) => other !== thing && other.kind === thing.kind && ownNameOf(other) === name);
  const owner = isShared ? ownerOf(thing, references) : undefined;
  return plain(owner === undefined ? name : `${owner}-${name}`) || thing.kind.type;
}

/** The input that is a name, and not a part of the id. */
function ownNameOf({ kind, live }: Found): string | undefined {
  const key = Object.keys(kind.inputs.shape).find((input) => /name$/i.test(input) && !kind.id.names.includes(input));
  const name = key === undefined ? undefined : live[key];
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** The name of what a thing belongs to: it cannot be moved from there. */
function ownerOf({ kind, inputs }: Found, references: References): string | undefined {
  const owners = Object.keys(inputs).flatMap((key) => (kind.changes[key] === "replace" ? [references.get(String(inputs[key]))?.of] : []));
  const owner = owners.find((found) => found !== undefined);
  return owner && ownNameOf(owner);
}

/** An id with names in the place of ids. */
function spelledOut(id: string, references: References): string {
  const parts = id.split("/").filter((part) => part !== "-");
  const names = parts.map((part) => {
    const of = references.get(part)?.of;
    return of && ownNameOf(of);
  });
  return parts.map((part, index) => names[index] ?? part).join("-");
}

/** Without what the name of a resource should not have. */
function plain(title: string): string {
  return title.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^-+|-+$/g, "");
}

/** `web-frontend` of a subnet: `webFrontendSubnet`. */
function variableOf(name: string, type: string): string {
  const [first = "", ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = lowered(first) + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  if (!/^[a-z]/.test(joined)) return lowered(type) + joined;
  return joined.toLowerCase().endsWith(type.toLowerCase()) ? joined : joined + type;
}

const lowered = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);

function numbered(text: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${text}${index + 2}`);
}
