import type { Kind } from "../../definition/definition.ts";
import type { RunSession } from "../run-session.ts";
import { type Props, pick } from "../../schema/values.ts";
import { nameOf } from "../../schema/urn.ts";
import { privateStateOf, keptPrivateInputs, leftToPlatform } from "../../schema/private-state.ts";
import type { Cloud } from "@container-platform/sdk";
import { defaultsOf, inputsForProgram } from "../../schema/compare.ts";
import { inputsLeftToPlatform } from "../plan.ts";
import { recently } from "../../definition/context.ts";

/**
 * A warning about a new resource that a component was to make of one at the top of the stack, where the stack has others, and none of that
 * name. Where it has none, there is nothing to lose: the same program makes a new stack, too.
 */
export async function warningsOfAdoption(kind: Kind, session: RunSession, olds: Props, news: Props): Promise<readonly string[]> {
  const { __adopts: wanted, __urn: urn } = privateStateOf(news);
  if (wanted === undefined || Object.keys(olds).length > 0) return [];
  const saved = (await session.state.first(urn))?.resources.filter(({ type }) => type === kind.type) ?? [];
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

interface Found {
  readonly inputs: Props;
  readonly props: Props;
}

/** What is assumed of a resource that no program has yet: all that may be left to the platform is. So it is read, too. */
export function beforeAdoption(kind: Kind, known: Props): Props {
  return { ...known, ...leftToPlatform(inputsLeftToPlatform(kind, {})) };
}

/**
 * A resource that no program has yet, as it goes into a state: its inputs are those with which a program would declare it as it is. What the
 * platform does not tell is as it is in such a program, which leaves it out. Its next update gives it its owner tag.
 *
 * @param known what was known before it was read
 * @param found what a refresh would write
 */
export async function adopted(kind: Kind, cloud: Cloud, id: string, known: Props, { props }: Found): Promise<Found> {
  const live = { ...props, ...kind.id.parts(id) };
  const inputs = inputsForProgram(kind, { ...live, ...(await kind.inputsToImport?.(cloud.tolerating(recently), live)) });
  const { __left: _assumed, ...rest } = props;
  const left = leftToPlatform(inputsLeftToPlatform(kind, inputs));
  const untold = Object.keys(kind.inputs.shape).filter((key) => live[key] === undefined);
  const assumed = pick({ ...defaultsOf(kind), ...inputs }, untold);
  return { inputs: { ...inputs, ...keptPrivateInputs(known) }, props: { ...rest, ...assumed, ...left, __unmarked: true } };
}
