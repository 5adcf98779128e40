import type { Behaviour } from "../behaviour.ts";
import { instanceTypeBehaviours } from "./instance-types.ts";
import { machineBehaviours } from "./machines.ts";

/** The behaviours of the compute service. */
export const computeBehaviours: readonly Behaviour[] = [...machineBehaviours, ...instanceTypeBehaviours];
