import type { FoundResource } from "./find-resources.ts";
import type { References } from "./references.ts";

/** The names of a resource in a program. */
export interface Names {
  /** The resource's name. */
  readonly name: string;
  /** The variable that holds it. */
  readonly variable: string;
}

/**
 * Chooses names for resources: the name on the platform, with the owner's name before it where that is ambiguous. A resource without a
 * name gets its id, in which the ids of other resources are replaced by their names.
 */
export function namesFor(resources: readonly FoundResource[], references: References): ReadonlyMap<FoundResource, Names> {
  const taken = new Set<string>();
  const reserve = (text: string, joint: string, scope: string) => {
    const numbered = resources.map((_, index) => `${text}${joint}${index + 2}`);
    const free = [text, ...numbered].find((candidate) => !taken.has(scope + candidate)) ?? text;
    taken.add(scope + free);
    return free;
  };
  return new Map(
    resources.map((resource) => {
      const { type } = resource.kind;
      const name = reserve(titleOf(resource, resources, references), "-", `${type} `);
      return [resource, { name, variable: reserve(variableOf(name, type), "", "") }];
    }),
  );
}

/** The resources of each kind in the order of their names. */
export function sortedByName(resources: readonly FoundResource[], references: References): FoundResource[] {
  const kinds = [...new Set(resources.map(({ kind }) => kind))];
  const titled = resources.map((resource) => ({ resource, title: titleOf(resource, resources, references) }));
  const inKind = (kind: FoundResource["kind"]) => titled.filter(({ resource }) => resource.kind === kind);
  const sorted = kinds.flatMap((kind) => inKind(kind).sort((one, other) => one.title.localeCompare(other.title, "en", { numeric: true })));
  return sorted.map(({ resource }) => resource);
}

function titleOf(resource: FoundResource, resources: readonly FoundResource[], references: References): string {
  const name = platformNameOf(resource);
  if (name === undefined) return validName(readableId(resource.id, references)) || resource.kind.type;
  const isShared = resources.some((other) => other !== resource && other.kind === resource.kind && platformNameOf(other) === name);
  const owner = isShared ? ownerNameOf(resource, references) : undefined;
  return validName(owner === undefined ? name : `${owner}-${name}`) || resource.kind.type;
}

/** The value of the input that is a name and no part of the id. */
function platformNameOf({ kind, live }: FoundResource): string | undefined {
  const key = Object.keys(kind.inputs.shape).find((input) => /name$/i.test(input) && !kind.id.names.includes(input));
  const name = key === undefined ? undefined : live[key];
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** The name of the resource that this one belongs to, which is the one that it cannot be moved from. */
function ownerNameOf({ kind, inputs }: FoundResource, references: References): string | undefined {
  const fixed = Object.keys(inputs).filter((key) => kind.changes[key] === "replace");
  const [owner] = fixed.flatMap((key) => references.get(String(inputs[key]))?.resource ?? []);
  return owner && platformNameOf(owner);
}

/** An id in which the ids of other resources are replaced by their names. */
function readableId(id: string, references: References): string {
  const named = (part: string) => {
    const resource = references.get(part)?.resource;
    return (resource && platformNameOf(resource)) ?? part;
  };
  const parts = id.split("/").filter((part) => part !== "-");
  return parts.map(named).join("-");
}

/** A title without the characters that names of resources should not have. */
function validName(title: string): string {
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
