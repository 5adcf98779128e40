import { z } from "zod";
import { fieldSpelt, isList, isObject, type Json, type JsonObject } from "../operation/codec.ts";
import { itemsOf, type Operation, type Product } from "../operation/operation.ts";

/** Where a value comes from that a call does not have: the region that it is made in. */
export const callRegion = Symbol("region of the call");

/**
 * How a field of an operation differs in another wireFormat, read in both directions. "Here" is the catalogue, "there" is the wireFormat. A
 * rule of a list is one of its items.
 */
export interface Rule<Value = unknown, Owner = Readonly<Record<string, unknown>>> {
  /** Its name there; `false`: there is no such field. A call that has it is refused, and an answer is without it. */
  readonly there?: string | false;
  /** What a refused call has to give in place of it. */
  readonly instead?: string;
  /** The field of the same object, known on both sides, that has the same value. There it is the only one. For answers. */
  readonly same?: keyof Owner & string;
  /** The list of the same object whose items have the texts of this list, those that are not empty. For answers. */
  readonly gathered?: Gathered<Owner>;
  /** The field of the same object inside of which it is there, by the same name. For calls. */
  readonly into?: keyof Owner & string;
  /** What it means that it is absent there, or `null` in an answer: it is required here. */
  readonly absent?: (Value | Empty<Value>) & Json;
  /** Why an answer is refused that is without it, and, unless `absent` says what `null` means, one that has `null` for it. */
  readonly vital?: string;
  /** Sent or answered for it if it is absent here: there it is required, or told as empty. An answer with it reads as absent. */
  readonly usual?: ((Value | Empty<Value>) & Json) | typeof callRegion;
  /** Why it may be left out of a call, although it is said to be required there. A call from here has it. */
  readonly optional?: string;
  /** The most items that a call may have of it there. */
  readonly most?: number;
  /** The beginning of its texts, here and there. */
  readonly prefix?: readonly [here: string, there: string];
  /** The end of its texts, here and there. */
  readonly suffix?: readonly [here: string, there: string];
  /** Its texts that are others there. */
  readonly values?: Readonly<Record<string, string>>;
  /** The field of the same object, of the same name there, that has to have one of these texts for its own to be others. */
  readonly where?: Where<Owner>;
  /** How its times are written there. Here they are ISO 8601. */
  readonly time?: TimeForm;
  /** Its texts are base64 here, and decoded there, but for those that are no text. */
  readonly decoded?: true;
  /** Names of fields of its objects there that the catalogue does not have, and that a call may have without an effect. */
  readonly ignored?: readonly string[];
  /** What differs inside of it. */
  readonly fields?: Fields<ItemOf<Value>>;
  /** What differs in its objects where one field tells what another one holds. */
  readonly whole?: Whole;
}

/** How an object is written on the sides where it differs, in the spelling of the wire. Its fields are translated already. */
export interface Whole {
  /** What that changes, in words. */
  readonly says: string;
  readonly here?: (value: JsonObject) => JsonObject;
  readonly there?: (value: JsonObject) => JsonObject;
}

/** `Beijing`: `2026-01-31 20:00:00`, there; `zoneless`: so, and no page says where; `UTC`: `2026-01-31 12:00:00 +0000 UTC`. */
export type TimeForm = "Beijing" | "zoneless" | "UTC";

/** A text that is no known value, a list without items, and an object whose fields say themselves what their absence means. */
type Empty<Value> = Value extends string ? "" : Value extends readonly unknown[] ? readonly [] : Value extends object ? NoFields : never;
type NoFields = Readonly<Record<string, never>>;
type Gathered<Owner> = {
  [List in keyof Owner & string]: { readonly list: List; readonly field: keyof ItemOf<NonNullable<Owner[List]>> & string };
}[keyof Owner & string];
interface Where<Owner> {
  readonly field: keyof Owner & string;
  readonly is: readonly string[];
}
type ItemOf<Value> = Value extends readonly (infer Item)[] ? NonNullable<Item> : Value;

/** Rules of an object's fields, in the catalogue's spelling. A field that the catalogue does not have does not compile. */
export type Fields<Owner> = { readonly [Field in keyof Owner]?: Rule<NonNullable<Owner[Field]>, Owner> };

/** Rules whose operation is no longer known. */
export type AnyFields = Readonly<Record<string, Rule | undefined>>;

/** How an operation differs. */
export interface Difference {
  readonly operation: Operation;
  readonly request?: AnyFields;
  readonly answer?: AnyFields;
  /** Codes of errors that are others there in this operation: its list there does not have the catalogue's. */
  readonly codes?: Readonly<Record<string, string>>;
  /** Why a call of it is refused: there is nothing there that does the same. */
  readonly unusable?: string;
  /** What nobody has seen there yet, and what is done until then. */
  readonly unproven?: string;
}

/**
 * Says how an operation differs.
 *
 * @example
 * differs(describeNamespaces, { answer: { namespaceList: { fields: { isPublic: { same: "public" } } } } });
 */
export function differs<In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
  difference: Omit<Difference, "operation" | "request" | "answer"> & {
    readonly request?: Fields<z.input<NoInfer<In>>>;
    readonly answer?: Fields<z.output<NoInfer<Out>>>;
  },
): Difference;
export function differs(operation: Operation, difference: Omit<Difference, "operation">): Difference {
  return { operation, ...difference };
}

/** All differences of a wireFormat. They are loaded by product, when first needed. */
export interface Differences {
  readonly of: (product: Product) => Promise<readonly Difference[]>;
  /** Codes of errors that are others there. */
  readonly codes: Readonly<Record<string, string>>;
  /** Words of the platform's messages that are others there. */
  readonly words: readonly (readonly [here: RegExp, there: string])[];
  /** Which empty values of a call are set. */
  readonly emptyValues: EmptyValues;
}

/** The empty values that the schemas do not tell, by names on the wire. */
export interface EmptyValues {
  /** Texts and objects that may be empty: `""` and `{}` clear them. */
  readonly meant: ReadonlySet<string>;
  /** Numbers that cannot be 0. */
  readonly noZero: ReadonlySet<string>;
}

/** An input without the optional fields that its client has not set: Go clients send these as `{}`, `""` and 0. A list that is empty is meant. */
export function withoutUnset(schema: z.core.$ZodType, input: JsonObject, known: EmptyValues): JsonObject {
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input)) {
    const field = fieldSpelt(schema, name)?.[1];
    const inner = field ? insideOf(field, value, known) : value;
    if (!(field instanceof z.ZodOptional && isUnset(name, field, inner, known))) fields[name] = inner;
  }
  return fields;
}

function insideOf(schema: z.core.$ZodType, value: Json, known: EmptyValues): Json {
  const items = itemsOf(schema);
  if (items && isList(value)) return value.map((item) => insideOf(items, item, known));
  return isObject(value) ? withoutUnset(schema, value, known) : value;
}

/** A value of the wrong type is set, and refused. */
function isUnset(name: string, schema: z.ZodType, value: Json, { meant, noZero }: EmptyValues): boolean {
  if (isObject(value)) return Object.keys(value).length === 0 && !meant.has(name);
  if (value !== "" && value !== 0) return false;
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue) return issue.code !== "invalid_type";
  return value === "" ? !meant.has(name) : noZero.has(name);
}
