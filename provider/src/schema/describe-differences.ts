import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { differs } from "./compare.ts";
import { isSecret, veiled } from "./secrets.ts";
import { placeOf } from "./messages.ts";
import { isProps, same } from "./values.ts";

/** A place where what is there is not what is wished, with both as one reads them. */
export interface Difference {
  readonly place: string;
  readonly there: string;
  readonly wished: string;
}

type Schema = z.core.$ZodType | undefined;

/** The single differences between a live value and the wished one. `hidden`: neither is to be seen. */
export function differencesIn(
  schema: Schema,
  there: unknown,
  wished: unknown,
  path: readonly PropertyKey[],
  hidden: boolean,
): Difference[] {
  if (schema ? !differs(schema, wished, there) : same(there, wished)) return [];
  const type = schema && unwrapped(schema);
  if (isProps(there) && isProps(wished) && type && !isSecret(type)) {
    const fields = fieldsOf(type);
    const keys = [...new Set([...Object.keys(there), ...Object.keys(wished)])];
    return keys.flatMap((key) => differencesIn(fields[key], there[key], wished[key], [...path, key], hidden));
  }
  if (
    Array.isArray(there) &&
    Array.isArray(wished) &&
    type instanceof z.ZodArray &&
    there.length === wished.length &&
    !("canonical" in type)
  )
    return there.flatMap((item, index) => differencesIn(type.element, item, wished[index], [...path, index], hidden));
  return [{ place: placeOf(path), there: shown(schema, there, hidden), wished: shown(schema, wished, hidden) }];
}

/** The longest value that is shown. */
const most = 300;

function shown(schema: Schema, value: unknown, hidden: boolean): string {
  if (value === undefined) return "nothing";
  if (hidden) return "[secret]";
  const text = JSON.stringify(schema ? veiled(schema, value) : value);
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
