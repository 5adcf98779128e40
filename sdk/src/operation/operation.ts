import { z } from "zod";
import type { ErrorCode } from "./errors.ts";

/** The platform's products: the five of the specification, and `disk`, `tag` and `identity` of the public API. `identity` has no regions. */
export const products = ["cluster", "registry", "vpc", "compute", "disk", "audit", "tag", "identity"] as const;
export type Product = (typeof products)[number];

/** Schemas by field, in TypeScript's spelling. */
export type Shape = z.core.$ZodLooseShape;

/** Where an operation is described. Those that the specification lacks for full create, read, update and delete are the public API's. */
export type Source = "specification" | "public-api";

/**
 * How an operation pages a long list: by `offset` and `limit`; by the number of the page, counted from 1; or by a token for the next
 * page, which is empty or absent with the last one. `items` is the field of the list. `total` is the field with the number of items
 * on all pages: `totalCount` unless given. `key` is the field that tells an item from all others, where no input takes its ids.
 */
export type Paging<Inputs extends string = string, Outputs extends string = string> = (
  | { readonly by: "offset"; readonly total?: Outputs }
  | { readonly by: "number"; readonly total?: Outputs; readonly number: Inputs; readonly size: Inputs }
  | { readonly by: "token"; readonly token: Inputs & Outputs }
) & { readonly items: Outputs; readonly key?: string };

/** An operation of the platform as data, which the client, the local platform, the documentation and the command line read. */
export interface Operation<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodObject = z.ZodObject,
  Code extends ErrorCode = ErrorCode,
  Pages extends Paging | undefined = Paging | undefined,
> {
  readonly product: Product;
  /** The action's name on the wire, such as `CreateVpc`. */
  readonly action: string;
  /** The action's version, a date. */
  readonly version: string;
  /** What it does, in a sentence or two. */
  readonly summary: string;
  readonly input: In;
  readonly output: Out;
  /** The error codes that it can answer, besides `commonCodes`. */
  readonly errors: readonly Code[];
  /** Error codes that only a real platform answers, and never the local one. */
  readonly remoteErrors: readonly ErrorCode[];
  readonly effect: "read" | "write";
  /** Whether a call may be sent again if its answer got lost. */
  readonly repeatable: boolean;
  /** How its answer is paged; `undefined` if it is not. */
  readonly pages: Pages;
  readonly source: Source;
}

interface Definition<In extends Shape, Out extends Shape, Code extends ErrorCode, Pages> {
  readonly summary: string;
  readonly input: In;
  /** No fields unless given. */
  readonly output?: Out;
  /** None unless given. */
  readonly errors?: readonly Code[];
  readonly remoteErrors?: readonly ErrorCode[];
  /** True for reads and false for writes unless given. */
  readonly repeatable?: boolean;
  readonly pages?: Pages;
}

type NoFields = Record<never, never>;

/** How the names of the actions begin that change nothing. */
const reading = /^(Check|Describe|Get|LookUp)/;

/**
 * Makes the operations of one product and version. Each is only built at its first use: a program uses few of them, and schemas
 * take time and memory.
 */
export function operations(product: Product, version: string) {
  const of =
    (source: Source) =>
    <
      In extends Shape,
      Out extends Shape = NoFields,
      const Code extends ErrorCode = never,
      const Pages extends Paging<keyof In & string, keyof Out & string> | undefined = undefined,
    >(
      action: string,
      define: () => Definition<In, Out, Code, Pages>,
    ): Operation<z.ZodObject<In, z.core.$strict>, z.ZodObject<Out>, Code, Pages> => {
      const effect = reading.test(action) ? "read" : "write";
      const made = once(() => {
        const { summary, input, output = {}, errors = [], remoteErrors = [], repeatable = effect === "read", pages } = define();
        // Where no output is given, `Out` has no fields, and where no pages are, `Pages` is `undefined`.
        const schemas = { input: z.strictObject(input), output: z.object(output as Out) };
        return { summary, ...schemas, errors, remoteErrors, repeatable, pages: pages as Pages };
      });
      return {
        product,
        action,
        version,
        get summary() {
          return made().summary;
        },
        get input() {
          return made().input;
        },
        get output() {
          return made().output;
        },
        get errors() {
          return made().errors;
        },
        get remoteErrors() {
          return made().remoteErrors;
        },
        effect,
        get repeatable() {
          return made().repeatable;
        },
        get pages() {
          return made().pages;
        },
        source,
      };
    };
  return { operation: of("specification"), publicApiOperation: of("public-api") };
}

/** What is made at its first use. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

// The schemas of most fields, each with the description that every field has.

export const string = (description: string): z.ZodString => z.string().describe(description);
export const strings = (description: string): z.ZodArray<z.ZodString> => z.array(z.string()).describe(description);
export const int = (description: string): z.ZodInt => z.int().describe(description);
export const boolean = (description: string): z.ZodBoolean => z.boolean().describe(description);

/** An object with these fields. */
export function object<Fields extends Shape>(description: string, fields: Fields) {
  return z.object(fields).describe(description);
}

/** A list of such objects. */
export function objects<Fields extends Shape>(description: string, fields: Fields) {
  return z.array(z.object(fields)).describe(description);
}

/** Marks an optional field that the usual call needs: the example of a call has it. */
export function inExample<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), inExample: true });
}

/** Sets the spelling of a field on the wire, if that is not its name with a capital first letter. */
export function spelt<Schema extends z.ZodType>(wire: string, schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), wire });
}

/** Marks a field that must never be shown or logged. */
export function sensitive<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), sensitive: true });
}

/** Marks a field that the platform takes but the command-line client does not expose: given there, it is dropped or refused. */
export function unexposed<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), unexposed: true });
}

/** A state of the platform. Unknown values are accepted too: a wait shows them and goes on. */
export function state<const Value extends string>(values: readonly Value[]) {
  return z.custom<Value>((value) => typeof value === "string").meta({ values });
}

/** The metadata of a field (`description`, `wire`, `sensitive`), also of the schemas inside `optional` and the like. */
export function metaOf(schema: z.core.$ZodType): Readonly<Record<string, unknown>> {
  const own = z.globalRegistry.get(schema) ?? {};
  const inside = unwrapped(schema);
  return inside === schema ? own : { ...metaOf(inside), ...own };
}

/** What a schema describes, inside `optional`, `nullable` and `default`. */
interface Form {
  readonly inside: z.core.$ZodType;
  /** Of an object. */
  readonly fields: Readonly<Record<string, z.core.$ZodType>>;
  /** Of a list. */
  readonly items: z.core.$ZodType | undefined;
}

/** Keys of tags and labels are looked up in fields, too: one that is called `constructor` is none of them. */
function bare<T>(fields: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const made: Record<string, T> = { ...fields };
  Object.setPrototypeOf(made, null);
  return made;
}

const none = bare<z.core.$ZodType>({});

// A cache, because zod's `instanceof` is slow, and each value of each call asks.
const forms = new WeakMap<z.core.$ZodType, Form>();

function formOf(schema: z.core.$ZodType): Form {
  const known = forms.get(schema);
  if (known) return known;
  const wraps = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  const form = wraps
    ? formOf(schema.unwrap())
    : {
        inside: schema,
        fields: schema instanceof z.ZodObject ? bare(schema.shape) : none,
        items: schema instanceof z.ZodArray ? schema.element : undefined,
      };
  forms.set(schema, form);
  return form;
}

/** The fields of an object, by name; none if the schema is not an object. */
export function fieldsOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  return formOf(schema).fields;
}

/** The schema of a list's items; `undefined` if the schema is not a list. */
export function itemsOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return formOf(schema).items;
}

/** The schema inside `optional`, `nullable` and `default`. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return formOf(schema).inside;
}
