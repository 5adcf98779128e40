import type { Props } from "../../../support/structs.ts";
import type { Change } from "../../every-kind/change-laws.ts";
import type { NativePlace } from "./node-pool-native.ts";

/** NodePool: how many nodes there are. Widened, set, narrowed: so the platform never refuses. */
export function scalingChanges({ base, native }: NativePlace): Change[] {
  const fixed = (minReplicas: number, replicas: number, maxReplicas: number): Props => ({
    ...native,
    scaling: { minReplicas, maxReplicas },
    replicas,
    enableAutoscaling: false,
  });
  const free = (minReplicas: number, maxReplicas: number): Props => ({ ...native, scaling: { minReplicas, maxReplicas } });
  const desired = (replicas: number): Props => ({ ...native, scaling: undefined, replicas });
  const moved = (of: string, from: Props, to: Props, ...calls: string[]): Change => ({
    of: `native.scaling: ${of}`,
    from: { ...base, native: from },
    to: { native: to },
    calls,
  });
  const [bounds, number] = ["ModifyNodePool", "ScaleNodePool"];
  return [
    moved("the number, upward", fixed(0, 1, 3), fixed(0, 3, 3), number),
    moved("the number, downward", fixed(0, 3, 3), fixed(0, 0, 3), number),
    moved("all of it, upward", fixed(1, 2, 3), fixed(4, 5, 6), bounds, number, bounds),
    moved("all of it, downward", fixed(4, 5, 6), fixed(1, 2, 3), bounds, number, bounds),
    moved("the number and the upper bound, upward", fixed(0, 1, 1), fixed(0, 2, 2), bounds, number),
    moved("the number and the upper bound, downward", fixed(0, 2, 2), fixed(0, 1, 1), number, bounds),
    moved("the bounds alone", fixed(0, 1, 1), fixed(1, 1, 3), bounds),
    moved("the bounds of a pool that scales by itself", free(0, 2), free(1, 4), bounds),
    moved("the bounds of a pool that scales by itself, closer", { ...free(0, 4), replicas: 4 }, free(1, 2), bounds),
    moved("the number in a pool that scales by itself", { ...free(0, 2), replicas: 1 }, { ...free(0, 2), replicas: 2 }),
    moved("the policy", free(0, 2), { ...native, scaling: { minReplicas: 0, maxReplicas: 2, createPolicy: "ZonePriority" } }, bounds),
    moved("a number without bounds, upward", desired(1), desired(3), bounds, number, bounds),
    moved("a number without bounds, downward", desired(3), desired(1), bounds, number, bounds),
    moved("automatic scaling is switched off", free(1, 3), fixed(1, 2, 3), bounds, number),
    moved("automatic scaling is switched on", fixed(1, 1, 3), { ...free(1, 3), enableAutoscaling: true }, bounds),
    moved("bounds are taken out, the number stays", fixed(0, 1, 3), {
      ...native,
      scaling: undefined,
      replicas: 1,
      enableAutoscaling: false,
    }),
  ];
}
