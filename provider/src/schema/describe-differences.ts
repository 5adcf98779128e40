import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { differs } from "./compare.ts";
import { marksOf } from "./marks.ts";
import { isSecret, masked } from "./secrets.ts";
import { placeOf } from "./messages.ts";
import { isProps, own, same } from "./values.ts";

/** A property whose live value differs from the desired one. Both values are texts for messages. */
export interface Difference {
  readonly place: string;
  readonly live: string;
  readonly desired: string;
}

type Schema = z.core.$ZodType | undefined;

/** The single differences between a live value and the desired one. `secret`: neither value may be shown. */
export function differencesIn(
  schema: Schema,
  live: unknown,
  desired: unknown,
  path: readonly PropertyKey[],
  secret: boolean,
): Difference[] {
  if (schema ? !differs(schema, desired, live) : same(live, desired)) return [];
  const type = schema && unwrapped(schema);
  if (isProps(live) && isProps(desired) && type && !isSecret(schema)) {
    const fields = fieldsOf(type);
    const keys = [...new Set([...Object.keys(live), ...Object.keys(desired)])];
    return keys.flatMap((key) => differencesIn(fields[key], own(live, key), own(desired, key), [...path, key], secret));
  }
  if (
    Array.isArray(live) &&
    Array.isArray(desired) &&
    type instanceof z.ZodArray &&
    live.length === desired.length &&
    schema &&
    marksOf(schema).canonical === undefined
  )
    return live.flatMap((item, index) => differencesIn(type.element, item, desired[index], [...path, index], secret));
  return [{ place: placeOf(path), live: shown(schema, live, secret), desired: shown(schema, desired, secret) }];
}

/** Characters of a value that are shown at most. */
const maxLength = 300;

function shown(schema: Schema, value: unknown, secret: boolean): string {
  if (value === undefined) return "nothing";
  if (secret) return "[secret]";
  const text = JSON.stringify(schema ? masked(schema, value) : value);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
