import type { AnyLive, Kind } from "../definition/definition.ts";
import { speltLike } from "../schema/compare.ts";
import { schemaOf } from "../schema/parts.ts";
import { cleanProps, pick, type Props } from "../schema/values.ts";
import { asSaid, saidOtherwise } from "./drift.ts";
import { type Home, keptPrivateInputs, layout, leftToPlatform, privateStateOf } from "../schema/private-state.ts";

interface Found {
  /** What is in the state. */
  readonly props: Props;
  /** The inputs and outputs in it, and the parts of the id. */
  readonly known: Props;
  readonly live: AnyLive;
  readonly isReady: boolean;
}

/** What a refresh writes into the state. Inputs are spelt as in the program where both spellings mean the same. */
export function refreshed(
  kind: Kind,
  home: Home,
  { props, known, live, isReady }: Found,
): { readonly inputs: Props; readonly props: Props } {
  const { __left: left, __get: isRead, __veiled: secrets } = privateStateOf(props);
  const managed = Object.keys(kind.inputs.shape).filter((key) => !left.includes(key));
  const inputs = cleanProps(Object.fromEntries(managed.map((key) => [key, liveInput(kind, key, live, known)])));
  // A creation whose wait was ended early may be finished by now.
  const unfinished = isReady ? {} : pick(props, ["__unborn", "__failed"]);
  const remembered = {
    ...keptPrivateInputs(props),
    __v: layout,
    __home: home,
    ...leftToPlatform(left),
    ...unfinished,
    ...pick(props, ["__unmarked", "__hides"]),
    ...(isRead ? {} : saidOtherwise(kind, asSaid(kind, props), { ...live, ...inputs }, secrets)),
  };
  return {
    inputs: { ...inputs, ...keptPrivateInputs(props) },
    props: cleanProps({ ...pick(live, Object.keys(kind.outputs.shape)), ...pick(live, left), ...inputs, ...remembered }),
  };
}

/** A live input, spelt as in the program where both mean the same. A difference that does not count is left out. */
function liveInput(kind: Kind, key: string, live: Props, known: Props): unknown {
  return kind.ignoresDifference?.[key]?.(known, live) ? known[key] : speltLike(schemaOf(kind, key), live[key], known[key]);
}
