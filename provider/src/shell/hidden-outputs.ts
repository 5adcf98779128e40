import type { Kind } from "../definition/definition.ts";
import { privateStateOf } from "../schema/private-state.ts";
import type { ProgramGraph } from "../program/program-graph.ts";
import { revealingOutputs } from "../schema/revealing.ts";
import { pick, type Props } from "../schema/values.ts";

/** The outputs that are secret although their schemas do not say so: they have in them what the program gives as a secret. */
interface Hidden {
  /** What it gives the resource itself. */
  readonly own: readonly string[];
  /** What it gives the one that the resource is in: the name of a registry is in those of its images. */
  readonly ofContainer: readonly string[];
}

/** @param props inputs and outputs. What the state remembers of a container holds where the run has not seen that */
export function hiddenOutputs(kind: Kind, graph: ProgramGraph, props: Props): Hidden {
  const { __veiled: given, __hides: remembered } = privateStateOf(props);
  const own = revealingOutputs(kind, props, { kind, secrets: pick(props, given) });
  const id = kind.within && props[kind.within.by];
  const container = kind.within && typeof id === "string" ? graph.withId(kind.within.kind, id) : undefined;
  if (!container) return { own, ofContainer: remembered };
  const secrets = pick(container.inputs, privateStateOf(container.inputs).__veiled);
  return { own, ofContainer: revealingOutputs(kind, props, { kind: container.kind, secrets }) };
}

/**
 * The outputs that the state has in clear, and that are secret from now on: the program has made a secret of an input. The engine takes the
 * outputs of what is the same from the state as they are.
 *
 * @param olds what the state has
 * @param news the inputs as they are to be
 */
export function newlyHidden(kind: Kind, graph: ProgramGraph, olds: Props, news: Props): readonly string[] {
  const { __veiled: given } = privateStateOf(news);
  const { own, ofContainer } = hiddenOutputs(kind, graph, { ...olds, __veiled: given });
  const { __veiled: before, __hides: remembered } = privateStateOf(olds);
  const known = [...revealingOutputs(kind, olds, { kind, secrets: pick(olds, before) }), ...remembered];
  return [...new Set([...own, ...ofContainer])].filter((output) => !known.includes(output));
}
