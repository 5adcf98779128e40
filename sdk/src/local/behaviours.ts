import { auditBehaviours } from "./audit/lookup.ts";
import type { Behaviour } from "./behaviour.ts";
import { clusterServiceBehaviours } from "./cluster/behaviours.ts";
import { computeBehaviours } from "./compute/machines.ts";
import { registryBehaviours } from "./registry/behaviours.ts";
import { tagBehaviours } from "./tag/tags.ts";
import { networkBehaviours } from "./vpc/behaviours.ts";

/** What every operation does. */
export const behaviours: readonly Behaviour[] = [
  ...networkBehaviours,
  ...computeBehaviours,
  ...auditBehaviours,
  ...tagBehaviours,
  ...clusterServiceBehaviours,
  ...registryBehaviours,
];
