import { CustomResource, type CustomResourceOptions, Output } from "@pulumi/pulumi";
import { referringInputs } from "../definition/places.ts";
import type { Kind } from "../definition/definition.ts";
import { isProps, type Props } from "../schema/values.ts";

/**
 * How a resource stands to others of its program, as private inputs. In a preview the ids of new resources are not known, and the
 * provider is told neither options nor dependencies.
 */
export function relationsOf(kind: Kind, args: Props, { dependsOn, deleteBeforeReplace, retainOnDelete }: CustomResourceOptions): Props {
  const of = referringInputs(kind).flatMap((key) => outputsIn(args[key], key).map(([path, value]) => [path, sourceOf(value)] as const));
  const after = [dependsOn].flat().filter((one) => CustomResource.isInstance(one));
  return {
    ...(of.length === 0 ? {} : { __of: Object.fromEntries(of) }),
    ...(after.length === 0 ? {} : { __after: after.map(urnOf) }),
    ...(deleteBeforeReplace === undefined ? {} : { __first: deleteBeforeReplace }),
    ...(retainOnDelete === true ? { __kept: true } : {}),
  };
}

/** The outputs in a value, by path, such as `native.subnetIds.0`. */
function outputsIn(value: unknown, path: string): readonly (readonly [string, Output<unknown>])[] {
  if (Output.isInstance(value)) return [[path, value]];
  // A resource that is passed by mistake refers to itself.
  if (!Array.isArray(value) && (!isProps(value) || Object.getPrototypeOf(value) !== Object.prototype)) return [];
  return Object.entries(value).flatMap(([key, inner]) => outputsIn(inner, `${path}.${key}`));
}

/** The URN of the one resource that an output is of; `undefined` if it is of none, or of several. */
async function sourceOf(output: Output<unknown>): Promise<string | undefined> {
  // Pulumi keeps to itself which resources an output depends on.
  const find: unknown = Reflect.get(output, "allResources");
  if (typeof find !== "function") return undefined;
  const found: unknown = await Reflect.apply(find, output, []);
  const [source, ...others] = found instanceof Set ? [...found].filter((one) => CustomResource.isInstance(one)) : [];
  return source && others.length === 0 ? urnOf(source) : undefined;
}

/** It is a promise and no output: an output would depend on the resource. */
function urnOf(resource: CustomResource): Promise<string> {
  return new Promise((resolve) => {
    resource.urn.apply((urn) => {
      resolve(urn);
      return urn;
    });
  });
}
