import { unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { mapParts, type Schema } from "../schema/parts.ts";
import type { Props } from "../schema/values.ts";
import type { Kind, Naming } from "../definition/definition.ts";
import type { FoundResource } from "./find-resources.ts";

/** An output of a resource, by which other resources refer to it. */
export interface Reference {
  readonly resource: FoundResource;
  /** The expression for the output, without the resource's variable, such as `.vpcId`. */
  readonly expression: string;
}

/** The values by which resources refer to others. */
export interface References {
  /** What a text refers to wherever it stands: an id, or a value that a definition adds. */
  readonly get: (text: string) => Reference | undefined;
  /** What the text in an input refers to: also by a name, which means one resource only among those of the same parent. */
  readonly at: (resource: FoundResource, key: string, text: string) => Reference | undefined;
}

/** The values by which others can refer to these resources: their ids, those that their definitions add, and names within a parent. */
export function referencesTo(resources: readonly FoundResource[]): References {
  const byValue = new Map<string, Reference>();
  for (const resource of resources) {
    const { kind, live } = resource;
    // The parts of an id that are outputs, because the platform chose them.
    for (const key of kind.id.names.filter((part) => part in kind.outputs.shape))
      byValue.set(String(live[key]), { resource, expression: `.${key}` });
    for (const [value, expression] of kind.references?.(live) ?? []) byValue.set(value, { resource, expression });
  }
  const get = (text: string) => byValue.get(text);
  const byId = new Map(resources.map((resource) => [`${resource.kind.type} ${resource.id}`, resource]));
  const kinds = [...new Set(resources.map(({ kind }) => kind))];
  const byNameIn = (naming: Naming<Props> | undefined, text: string, live: Props): Reference | undefined => {
    const other = naming && kinds.find(({ type }) => type === naming.kind);
    const resource = other && byId.get(`${other.type} ${other.id.of(naming.parts(text, live))}`);
    return resource && { resource, expression: `.${naming.property}` };
  };
  return {
    get,
    at: ({ kind, live }, key, text) => {
      const found = get(text);
      if (found) return found;
      const named = byNameIn(kind.namesOthers?.[key], text, live);
      if (named) return named;
      const parent = kinds.find((other) => other !== kind && key in other.inputs.shape && contains(other, kind, key));
      const resource = parent && byId.get(`${parent.type} ${parent.id.of(live)}`);
      return resource && { resource, expression: `.${key}` };
    },
  };
}

/** Whether the id of the outer kind is a part of that of the inner one, and has this part itself: as a namespace's is of a repository's. */
function contains(outer: Kind, inner: Kind, part: string): boolean {
  const [names, all] = [outer.id.names, inner.id.names];
  return names.includes(part) && names.length < all.length && names.every((name) => all.includes(name));
}

/** The resources that the inputs of one refer to. */
export function dependenciesOf(resource: FoundResource, references: References): FoundResource[] {
  const dependencies = new Set<FoundResource>();
  inputsWithTexts(resource, (text, key) => {
    const target = references.at(resource, key, text)?.resource;
    if (target && target !== resource) dependencies.add(target);
    return text;
  });
  return [...dependencies];
}

/** The inputs of a resource, with every text replaced that may be a reference. Tags and labels are left out: they are the user's own words. */
export function inputsWithTexts({ kind, inputs }: FoundResource, replace: (text: string, key: string) => unknown): Props {
  return mapParts(kind.inputs, inputs, (schema, value, key) => replacedIn(schema, value, (text) => replace(text, String(key))));
}

function replacedIn(schema: Schema | undefined, value: unknown, replace: (text: string) => unknown): unknown {
  if (!schema || unwrapped(schema) instanceof z.ZodRecord) return value;
  if (typeof value === "string") return replace(value);
  return mapParts(schema, value, (part, inner) => replacedIn(part, inner, replace));
}

/** Orders resources so that each comes after its dependencies, unless two depend on each other. */
export function inDependencyOrder(resources: readonly FoundResource[], references: References): FoundResource[] {
  const ordered = new Set<FoundResource>();
  const visited = new Set<FoundResource>();
  const visit = (resource: FoundResource) => {
    if (visited.has(resource)) return;
    visited.add(resource);
    for (const dependency of dependenciesOf(resource, references)) visit(dependency);
    ordered.add(resource);
  };
  for (const resource of resources) visit(resource);
  return [...ordered];
}
