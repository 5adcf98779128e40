import { notUndone, partlyUndone, protection, risky, type Judge } from "../../review/judge/judgement.ts";
import type { Reviewed } from "../../review/judge/reviewed.ts";
import { alike, isFields, isList, without, type Value } from "../../review/plan/values.ts";
import type { InputOf } from "../../review/plan/definition.ts";

/** What the reviewer knows of a NodePool. */
export const review: Reviewed<InputOf<"NodePool">> = {
  seconds: { create: 150, update: 10, delete: 90, changes: { native: 120 } },
  ending: {
    loses: () => "its nodes, and what is kept on their disks",
    unreachable: () => ["workloads that fit on no other node"],
    undo: partlyUndone("a pool can be made again, with new nodes: what was on the old ones' disks is lost"),
  },
  changes: {
    deletionProtection: protection,
    native: ({ before, after }) => [...scaled(before, after), ...machines(before, after)],
    unschedulable: risky(true, "interrupts", "no new workload is put on the pool's nodes"),
    taints: ({ before, after }) =>
      without(isList(after) ? after : [], isList(before) ? before : []).some((taint) => isFields(taint) && taint["effect"] === "NoExecute")
        ? [
            {
              code: "interrupts",
              verdict: "needs-approval",
              sentence: "a new NoExecute taint drives workloads that do not bear it off the nodes",
            },
          ]
        : [],
  },
};

function scaled(before: Value | undefined, after: Value | undefined): ReturnType<Judge> {
  const [old, now] = [nodesOf(before), nodesOf(after)];
  if (old === undefined || now === undefined || old === now) return [];
  if (now > old)
    return [{ verdict: "safe", sentence: `${now - old} more node${now - old === 1 ? "" : "s"} at most: ${old} become ${now}` }];
  return [
    {
      code: "interrupts",
      verdict: "needs-approval",
      sentence: `${old - now} node${old - now === 1 ? " goes" : "s go"}: what runs there is moved, and what is on the disks is lost`,
      unreachable: "workloads on nodes that go, until they run elsewhere",
      undo: partlyUndone("as many nodes can be had again; what was on the old ones' disks is lost"),
    },
  ];
}

function nodesOf(native: Value | undefined): number | undefined {
  if (!isFields(native)) return undefined;
  const scaling = native["scaling"];
  const most = isFields(scaling) ? scaling["maxReplicas"] : native["replicas"];
  return typeof most === "number" ? most : undefined;
}

/** What nodes that are there get, and what only new ones. */
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
            undo: notUndone("what is paid in advance is paid"),
          } as const,
        ]
      : []),
    ...(changed("keyIds") || changed("password")
      ? [{ code: "access-changed", verdict: "needs-approval", sentence: "who can log in to the nodes changes" } as const]
      : []),
    ...(changed("securityGroupIds")
      ? [{ code: "access-changed", verdict: "needs-approval", sentence: "other security groups say what reaches the nodes" } as const]
      : []),
    ...(changed("instanceTypes") || changed("systemDisk") || changed("dataDisks")
      ? [{ verdict: "safe", sentence: "nodes that are there stay as they are: only new ones are made so" } as const]
      : []),
  ];
}
