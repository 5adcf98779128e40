import { ProviderError } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { secondsOf } from "../definition/duration.ts";
import type { Resource } from "../ownership/session.ts";
import { leftToPlatform } from "../schema/marks.ts";
import { privateStateOf } from "../schema/private-state.ts";
import { schemaOf } from "../schema/parts.ts";
import { pick, type Props } from "../schema/values.ts";
import { sentenceAbout } from "./errors.ts";

/** How long an operation may take. */
export function secondsFor({ kind, props }: Pick<Resource, "kind" | "props">, verb: "create" | "update" | "delete"): number {
  const { [verb]: given } = privateStateOf(props).__timeouts;
  return (given === undefined ? undefined : secondsOf(given)) ?? kind.seconds?.[verb] ?? 600;
}

/** The inputs and outputs in the state, and the parts of the ID. */
export function knownOf(kind: Kind, id: string, props: Props): Props {
  return { ...pick(props, Object.keys({ ...kind.inputs.shape, ...kind.outputs.shape })), ...partsOf(kind, id) };
}

/** The inputs that the program leaves to the platform. */
export function inputsLeftToPlatform(kind: Kind, inputs: Props): string[] {
  return Object.keys(kind.inputs.shape).filter((key) => inputs[key] === undefined && leftToPlatform(schemaOf(kind, key)));
}

/** @throws Error if the type cannot have the ID */
export function partsOf({ type, id: form }: Kind, id: string): Props {
  const parts = form.parts(id);
  if (!parts) throw new ProviderError("InvalidInput", `"${id}" is not a valid ${type} ID; expected a value such as ${form.looks}`);
  return parts;
}

/** @throws Error with the action that failed, and the remedy */
export async function explained<T>({ hints }: Kind, doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(sentenceAbout(error, doing, hints), { cause: error });
  }
}
