import { displayNameOf, isKept, type Subject } from "../plan/subject.ts";
import type { Fields } from "../plan/values.ts";
import type { Cost } from "../report.ts";
import { itemsOf } from "./items.ts";
import type { Prices } from "./prices.ts";

/**
 * What the resources that change cost a month, before and after. A resource of which one price is missing is in no sum: half of it would
 * be wrong.
 */
export function costOf(changed: readonly Subject[], prices: Prices): Cost {
  const missing = new Set<string>();
  const changes: Cost["changes"] = [];
  const notCounted = new Set<string>();
  for (const subject of changed) {
    const { kind, type, urn } = subject;
    const items = kind && itemsOf[kind];
    if (!items) {
      notCounted.add(kind ?? type);
      continue;
    }
    const called = displayNameOf(subject);
    const priced = (inputs: Fields | undefined) => (inputs === undefined ? 0 : pricedOf({ called, items: items(inputs) }, prices, missing));
    // What is taken over is paid for already.
    const before = priced(subject.operation === "create" ? undefined : subject.operation === "adopt" ? subject.inputs : subject.before);
    const after = isKept(subject) ? before : priced(subject.operation === "delete" ? undefined : subject.inputs);
    if (before !== undefined && after !== undefined && before !== after) changes.push({ urn, called, before, after });
  }
  const difference = rounded(changes.reduce((sum, { before, after }) => sum + after - before, 0));
  return { currency: prices.currency, difference, changes, missing: [...missing], notCounted: [...notCounted] };
}

/** The price of items; `undefined` if one of them has none. */
function pricedOf(
  { called, items }: { readonly called: string; readonly items: ReturnType<NonNullable<(typeof itemsOf)["Cluster"]>> },
  { perMonth }: Prices,
  missing: Set<string>,
): number | undefined {
  let sum: number | undefined = 0;
  for (const { table, key, amount } of items) {
    const price = key === undefined || !Object.hasOwn(perMonth[table], key) ? undefined : perMonth[table][key];
    if (key === undefined) missing.add(`${table}, which is not known of ${called}`);
    else if (price === undefined) missing.add(`${table} ${key}`);
    else if (amount === undefined) missing.add(`how much there is of ${table} ${key}, which is not known of ${called}`);
    sum = sum === undefined || price === undefined || amount === undefined ? undefined : rounded(sum + price * amount);
  }
  return sum;
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}
