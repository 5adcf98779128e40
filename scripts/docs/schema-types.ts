import { fieldsOf, unwrapped } from "@container-platform/sdk";
import { z } from "zod";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { marksOf } from "../../provider/src/schema/marks.ts";

/** A part of Pulumi's schema of a package. */
export type Spec = Readonly<Record<string, unknown>>;
/** The types of nested objects and of enumerations, by token. */
export type Types = Record<string, Spec>;

/** Where a property is. */
interface Place {
  /** The resource, the function or the nested type that has it. */
  readonly owner: string;
  readonly path: string;
  /** The comments on properties, by path. */
  readonly comments: ReadonlyMap<string, string>;
}

export function isRequired(schema: z.core.$ZodType | undefined): boolean {
  const { type } = schema?._zod.def ?? {};
  return type !== "optional" && type !== "default";
}

/** A property, from its schema and its comment. What is nested is described in `types`. */
export function propertyOf(schema: z.core.$ZodType, place: Place, types: Types): Spec {
  const { owner, path, comments } = place;
  const description = comments.get(path);
  const fallback = defaultOf(schema);
  return {
    ...typeOf(schema, within(owner, path.split(".").at(-1) ?? ""), place, types),
    ...(description ? { description } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(marksOf(schema).secret ? { secret: true } : {}),
  };
}

/** Only plain values can be defaults in Pulumi's schema. The default of a name follows from the resource's. */
function defaultOf(schema: z.core.$ZodType): unknown {
  if (!(schema instanceof z.ZodDefault) || marksOf(schema).named) return undefined;
  const value: unknown = z.safeParse(schema, undefined).data;
  return typeof value === "object" ? undefined : value;
}

/** @param name the name of the type, if it is an object or an enumeration */
function typeOf(schema: z.core.$ZodType, name: string, place: Place, types: Types): Spec {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray) return { type: "array", items: typeOf(type.element, singular(name), place, types) };
  if (type instanceof z.ZodRecord) return { type: "object", additionalProperties: typeOf(type.valueType, name, place, types) };
  if (type instanceof z.ZodObject) return objectType(type, exceptions[name] ?? name, place, types);
  if (type instanceof z.ZodEnum) return enumeration(Object.values(type.enum), exceptions[name] ?? name, types);
  if (type instanceof z.ZodLiteral) return { type: typeof type.value };
  const kind = type._zod.def.type;
  if (kind === "number" || kind === "int") return numberType(type);
  if (kind === "boolean" || kind === "string") return { type: kind };
  throw new Error(`${place.path}: a ${kind} has no type in Pulumi's schema`);
}

/** A number, or one without a fraction. */
export function numberType(type: z.core.$ZodType): Spec {
  return { type: z.toJSONSchema(type).type === "integer" ? "integer" : "number" };
}

function objectType(type: z.ZodObject, owner: string, { path, comments }: Place, types: Types): Spec {
  const fields = Object.entries(fieldsOf(type));
  types[nativeToken(owner)] ??= {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([key, field]) => [key, propertyOf(field, { owner, path: `${path}.${key}`, comments }, types)]),
    ),
    required: fields.filter(([, field]) => isRequired(field)).map(([key]) => key),
  };
  return ref(nativeToken(owner));
}

/**
 * A value that programs may also write as text: a newer platform may take more. Spellings that differ in case alone would be constants of one
 * name, and the first stands for all.
 */
function enumeration(values: readonly unknown[], name: string, types: Types): Spec {
  const spellings = new Map(values.toReversed().map((value) => [String(value).toLowerCase(), value]));
  const named = values.filter((value) => spellings.get(String(value).toLowerCase()) === value);
  types[nativeToken(name)] ??= { type: "string", enum: named.map((value) => ({ value })) };
  return { oneOf: [{ type: "string" }, ref(nativeToken(name))] };
}

/** Names that differ from those which follow from the properties, such as one for two properties that take the same. */
const exceptions: Readonly<Record<string, string>> = {
  SecurityGroupIngress: "SecurityGroupRule",
  SecurityGroupEgress: "SecurityGroupRule",
  PullServerPublicAccess: "RegistryInstancePublicAccess",
};

/** The name of a property's type: `native` of `NodePool` is a `NodePoolNative`. */
function within(owner: string, key: string): string {
  const [before, own] = [wordsOf(owner), wordsOf(capitalized(key))];
  // `clusterNetworkSettings` of `Cluster` is `ClusterNetworkSettings`.
  const shared = own.findLastIndex((_, index) => index > 0 && own.slice(0, index).join() === before.slice(-index).join());
  return owner + own.slice(Math.max(shared, 0)).join("");
}

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function wordsOf(name: string): string[] {
  return name.match(/[A-Z][^A-Z]*|^[^A-Z]+/g) ?? [];
}

function singular(name: string): string {
  if (/(ss|x|ch|sh)es$/.test(name)) return name.slice(0, -2);
  return name.replace(/ies$/, "y").replace(/(?<![su])s$/, "");
}

export function ref(token: string): Spec {
  return { $ref: token.startsWith("pulumi.json") ? token : `#/types/${token}` };
}
