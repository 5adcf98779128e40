import type { Kind } from "../../definition/definition.ts";
import type { RunSession } from "../../recovery/run-session.ts";
import type { Props } from "../../schema/values.ts";
import { nameOf } from "../../schema/urn.ts";
import { privateStateOf } from "../../schema/private-state.ts";

/**
 * A warning about a new resource that a component was to make of one at the top of the stack, where the stack has others, and none of that
 * name. Where it has none, there is nothing to lose: the same program makes a new stack, too.
 */
export async function warningsOfAdoption(kind: Kind, session: RunSession, olds: Props, news: Props): Promise<readonly string[]> {
  const { __adopts: wanted, __urn: urn } = privateStateOf(news);
  if (wanted === undefined || Object.keys(olds).length > 0) return [];
  const saved = (await session.saved(urn))?.resources.filter(({ type }) => type === kind.type) ?? [];
  const atTop = saved.filter((one) => isAtTop(one.urn)).map((one) => nameOf(one.urn));
  // It is replaced, or has been adopted before.
  if (atTop.length === 0 || atTop.includes(wanted) || saved.some((one) => one.urn === urn)) return [];
  const others = atTop.toSorted().map((name) => `"${name}"`);
  return [
    `childAliases: the stack has no ${kind.type} "${wanted}" at its top, but ${others.join(", ")}: "${nameOf(urn)}" is not made of it, but new`,
  ];
}

/** The types of its parents are in a URN, without that of the stack. */
function isAtTop(urn: string): boolean {
  return urn.split("::")[2]?.includes("$") === false;
}
