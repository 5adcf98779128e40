import { notUndone, partlyUndone, protection, risky, type Judge } from "../../review/judge/judgement.ts";
import type { Reviewed } from "../../review/judge/reviewed.ts";
import { alike, isFields, isList, without, type Value } from "../../review/plan/values.ts";
import type { InputOf } from "../../review/plan/definition.ts";

/** What the reviewer knows about a NodePool. */
export const review: Reviewed<InputOf<"NodePool">> = {
  seconds: { create: 150, update: 10, delete: 90, changes: { native: 120 } },
  ending: {
    loses: () => "its nodes, and the data on their disks",
    unreachable: () => ["workloads for which other nodes have no room"],
    undo: partlyUndone("a pool can be created again, with new nodes: the data on the old nodes' disks is lost"),
  },
  changes: {
    deletionProtection: protection,
    native: ({ before, after }) => [...scaled(before, after), ...machines(before, after)],
    unschedulable: risky(true, "interrupts", "no new workload is scheduled on the pool's nodes"),
    taints: ({ before, after }) =>
      without(isList(after) ? after : [], isList(before) ? before : []).some((taint) => isFields(taint) && taint["effect"] === "NoExecute")
        ? [
            {
              code: "interrupts",
              verdict: "needs-approval",
              sentence: "a new NoExecute taint evicts the workloads that do not tolerate it",
            },
          ]
        : [],
  },
};

function scaled(before: Value | undefined, after: Value | undefined): ReturnType<Judge> {
  const [old, now] = [nodesOf(before), nodesOf(after)];
  if (old === undefined || now === undefined || old === now) return [];
  if (now > old) return [{ verdict: "safe", sentence: `the pool may have ${now} nodes instead of ${old}` }];
  return [
    {
      code: "interrupts",
      verdict: "needs-approval",
      sentence: `${old - now} node${old - now === 1 ? " is" : "s are"} removed: their workloads are moved, and the data on their disks is lost`,
      unreachable: "workloads on the removed nodes, until they run elsewhere",
      undo: partlyUndone("as many nodes can be created again; the data on the old nodes' disks is lost"),
    },
  ];
}

function nodesOf(native: Value | undefined): number | undefined {
  if (!isFields(native)) return undefined;
  const scaling = native["scaling"];
  const most = isFields(scaling) ? scaling["maxReplicas"] : native["replicas"];
  return typeof most === "number" ? most : undefined;
}

/** Changes of how the nodes are made and paid. */
function machines(before: Value | undefined, after: Value | undefined): ReturnType<Judge> {
  if (!isFields(before) || !isFields(after)) return [];
  const changed = (key: string) => !alike(before[key], after[key]) && (before[key] !== undefined || after[key] !== undefined);
  return [
    ...(changed("instanceChargeType") && after["instanceChargeType"] === "PREPAID"
      ? [
          {
            code: "irreversible",
            verdict: "needs-approval",
            sentence: "the nodes are paid in advance from now on",
            undo: notUndone("the period is paid already"),
          } as const,
        ]
      : []),
    ...(changed("keyIds") || changed("password")
      ? [{ code: "access-changed", verdict: "needs-approval", sentence: "who can log in to the nodes changes" } as const]
      : []),
    ...(changed("securityGroupIds")
      ? [{ code: "access-changed", verdict: "needs-approval", sentence: "other security groups decide what reaches the nodes" } as const]
      : []),
    ...(changed("instanceTypes") || changed("systemDisk") || changed("dataDisks")
      ? [{ verdict: "safe", sentence: "existing nodes stay as they are: the change applies to new nodes only" } as const]
      : []),
  ];
}
