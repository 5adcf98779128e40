import { fieldsOf, unwrapped } from "@container-platform/sdk";
import { z } from "zod";
import { schemaOf } from "../schema/property.ts";
import { isProps, type Props } from "../schema/values.ts";
import type { FoundResource } from "./find-resources.ts";

/** An output of a resource, by which other resources refer to it. */
export interface Reference {
  readonly resource: FoundResource;
  /** The expression for the output, without the resource's variable, such as `.vpcId`. */
  readonly expression: string;
}

/** By the value of the output. */
export type References = ReadonlyMap<string, Reference>;

/** The values by which others can refer to these resources: their ids, and those that their definitions add. */
export function referencesTo(resources: readonly FoundResource[]): References {
  const references = new Map<string, Reference>();
  for (const resource of resources) {
    for (const key of idOutputsOf(resource)) references.set(String(resource.live[key]), { resource, expression: `.${key}` });
    for (const [value, expression] of resource.kind.rare?.references?.(resource.live) ?? [])
      references.set(value, { resource, expression });
  }
  return references;
}

/** The parts of an id that are outputs, because the platform chose them. */
function idOutputsOf({ kind }: FoundResource): string[] {
  return kind.id.names.filter((key) => key in kind.outputs.shape);
}

/** The resources that the inputs of one refer to. */
export function dependenciesOf(resource: FoundResource, references: References): FoundResource[] {
  const dependencies = new Set<FoundResource>();
  inputsWithTexts(resource, (text) => {
    const target = references.get(text)?.resource;
    if (target && target !== resource) dependencies.add(target);
    return text;
  });
  return [...dependencies];
}

/** The inputs of a resource, with every text replaced that may be a reference. Tags and labels are left out: they are the user's own words. */
export function inputsWithTexts({ kind, inputs }: FoundResource, replace: (text: string) => unknown): Props {
  return Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, replacedIn(schemaOf(kind, key), value, replace)]));
}

function replacedIn(schema: z.core.$ZodType, value: unknown, replace: (text: string) => unknown): unknown {
  const type = unwrapped(schema);
  if (typeof value === "string") return replace(value);
  if (type instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => replacedIn(type.element, item, replace));
  if (!(type instanceof z.ZodObject) || !isProps(value)) return value;
  const fields = fieldsOf(type);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const field = fields[key];
      return [key, field ? replacedIn(field, inner, replace) : inner];
    }),
  );
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
