import { CustomResource, type CustomResourceOptions, Output, Resource } from "@pulumi/pulumi";
import outputs from "@pulumi/pulumi/output.js";
import { fieldsOf } from "@container-platform/sdk";
import type { Kind } from "../definition/definition.ts";
import { marksOf } from "../schema/marks.ts";
import { itemsOf, type Schema, schemaOf } from "../schema/parts.ts";
import { isProps, pick, type Props } from "../schema/values.ts";
import { promised } from "./known.ts";

/**
 * How a resource stands to others of its program, as private inputs. In a preview the ids of new resources are not known, and the
 * provider is told neither options nor dependencies.
 */
export function relationsOf(kind: Kind, args: Props, options: CustomResourceOptions): Props {
  const { deleteBeforeReplace, deletedWith, retainOnDelete } = options;
  const referring = referringInputs(kind).filter((key) => args[key] !== undefined);
  const after = kind.needsByName ? waitedFor(args, options) : namedIn(options).map(urnOf);
  return {
    ...(referring.length === 0 ? {} : { __of: sourcesIn(pick(args, referring)) }),
    ...(Array.isArray(after) && after.length === 0 ? {} : { __after: after }),
    ...(deleteBeforeReplace === undefined ? {} : { __first: deleteBeforeReplace }),
    ...(retainOnDelete === true ? { __kept: true } : {}),
    ...(Resource.isInstance(deletedWith) ? { __with: urnOf(deletedWith) } : {}),
  };
}

/** The inputs that refer to other resources of the program, or are part of the ID: their values may be unknown in a preview. */
function referringInputs(kind: Kind): readonly string[] {
  const keys = Object.keys(kind.inputs.shape);
  return kind.needsByName ? keys : keys.filter((key) => kind.id.names.includes(key) || takesIds(schemaOf(kind, key)));
}

function takesIds(schema: Schema): boolean {
  const items = itemsOf(schema);
  return marksOf(schema).idOf !== undefined || (items ? takesIds(items) : Object.values(fieldsOf(schema)).some(takesIds));
}

function namedIn({ dependsOn }: CustomResourceOptions): readonly CustomResource[] {
  return [dependsOn].flat().filter((one) => CustomResource.isInstance(one));
}

/** All that a resource waits for: what its options name, and the sources of its arguments. What cannot be told is the empty text. */
async function waitedFor(args: Props, options: CustomResourceOptions): Promise<readonly string[]> {
  const { dependsOn = [], parent } = options;
  const named = namedIn(options);
  const isUntold = [dependsOn].flat().length > named.length;
  const sources = await Promise.all((await outputsIn({ ...args }, "")).map(([, value]) => sourcesOf(value)));
  const all = [...named, ...(CustomResource.isInstance(parent) ? [parent] : []), ...sources.flat()];
  return [...new Set([...(await Promise.all(all.map(urnOf))), ...(isUntold ? [""] : [])])];
}

/** By path: the URN of the one resource that an output is of; `undefined` if it is of none, or of several. */
async function sourcesIn(args: Props): Promise<Props> {
  const found = await Promise.all(Object.entries(args).map(([key, value]) => outputsIn(value, key)));
  const sources = found.flat().map(async ([path, value]) => {
    const [source, ...others] = await sourcesOf(value);
    return [path, source && others.length === 0 ? await urnOf(source) : undefined] as const;
  });
  return Object.fromEntries(await Promise.all(sources));
}

/** The outputs in a value, by path, such as `native.subnetIds.0`. */
async function outputsIn(value: unknown, path: string): Promise<readonly (readonly [string, Output<unknown>])[]> {
  if (Output.isInstance(value)) return [[path, value]];
  // Pulumi says what a promise fails with.
  if (value instanceof Promise) return value.then((inner: unknown) => outputsIn(inner, path)).catch(() => []);
  // A resource that is passed by mistake refers to itself.
  if (!Array.isArray(value) && (!isProps(value) || Object.getPrototypeOf(value) !== Object.prototype)) return [];
  return (await Promise.all(Object.entries(value).map(([key, inner]) => outputsIn(inner, `${path}.${key}`)))).flat();
}

async function sourcesOf(output: Output<unknown>): Promise<readonly CustomResource[]> {
  return [...(await outputs.getAllResources(output))].filter((one) => CustomResource.isInstance(one));
}

const urnOf = ({ urn }: Resource): Promise<string> => promised(urn);
