import type { Cloud } from "@container-platform/sdk";
import type { Kind } from "../../definition/definition.ts";
import { pick, type Props } from "../../schema/values.ts";
import { defaultsOf, inputsForProgram } from "../../schema/without-defaults.ts";
import { inputsLeftToPlatform } from "../plan.ts";
import { keptPrivateInputs, leftToPlatform } from "../../schema/private-state.ts";
import { recently } from "../../definition/recently.ts";

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
  const inputs = inputsForProgram(kind, { ...live, ...(await kind.rare?.inputsToImport?.(cloud.tolerating(recently), live)) });
  const { __left: _assumed, ...rest } = props;
  const left = leftToPlatform(inputsLeftToPlatform(kind, inputs));
  const untold = Object.keys(kind.inputs.shape).filter((key) => live[key] === undefined);
  const assumed = pick({ ...defaultsOf(kind), ...inputs }, untold);
  return { inputs: { ...inputs, ...keptPrivateInputs(known) }, props: { ...rest, ...assumed, ...left, __unmarked: true } };
}
