import { openedByArguments } from "../../review/assess/access.ts";
import {
  always,
  type Changed,
  type Judgement,
  judgementsOn,
  note,
  partlyUndone,
  protection,
  type ReviewOf,
  risky,
} from "../../review/assess/reviewed.ts";
import { alike, type Fields, holdsHidden, isFields, isList, without } from "../../review/plan/values.ts";
import { kubeletRules } from "../../review/policy/rules/component-rules.ts";
import { meaningOf, withArguments } from "./nodes/node-settings.ts";

export const review: ReviewOf<"NodePool"> = {
  seconds: { create: 150, update: 10, delete: 90, changes: { native: 120 } },
  ending: {
    loses: () => "its nodes, and the data on their disks",
    unreachable: () => ["workloads for which other nodes have no room"],
    undo: partlyUndone("a pool can be created again, with new nodes: the data on the old nodes' disks is lost"),
  },
  changes: {
    name: "harmless",
    labels: note("workloads that select nodes by these labels are placed elsewhere from then on"),
    annotations: "harmless",
    tags: "harmless",
    waitForNodes: "harmless",
    deletionProtection: protection,
    native: ({ before, after, live }) =>
      isFields(before) && isFields(after) ? [...scaled(before, after), ...settings(before, after, live)] : [],
    unschedulable: risky(true, "interrupts", "no new workload is scheduled on the pool's nodes"),
    taints: ({ before, after }) =>
      without(isList(after) ? after : [], isList(before) ? before : []).some((taint) => isFields(taint) && taint["effect"] === "NoExecute")
        ? always("interrupts", "a new NoExecute taint evicts the workloads that do not tolerate it")
        : [],
  },
  opens: {
    decidedBy: ({ native }) => ({
      native: isFields(native) ? [native["internetAccessible"] ?? null, native["kubeletArgs"] ?? null] : native,
    }),
    opening: ({ native }) => {
      const { internetAccessible: access, kubeletArgs } = isFields(native) ? native : {};
      const args = openedByArguments(kubeletRules, withArguments(kubeletArgs));
      if (args !== undefined) return { property: "native", sentence: `an argument of its kubelets ${args}` };
      return isFields(access) && access["maxBandwidthOut"] !== 0
        ? { property: "native", sentence: "its nodes have public addresses: who reaches them, their security groups decide" }
        : undefined;
    },
  },
};

function scaled(before: Fields, after: Fields): readonly Judgement[] {
  const [old, now] = [nodesOf(before), nodesOf(after)];
  if (old === undefined || now === undefined || alike({ ...old }, { ...now })) return [];
  const most = Math.max(0, old.most - now.most);
  const least = Math.max(0, old.least - now.most);
  const fewer = Math.max(0, old.most - now.least);
  const counts = `the pool has ${countText(now)} instead of ${countText(old)}`;
  const undo = partlyUndone("as many nodes can be created again; the data on the old nodes' disks is lost");
  if (most === 0 && now.least < old.least) {
    const risk = `the platform may remove up to ${fewer} node${fewer === 1 ? "" : "s"}, with the data on their disks`;
    return always("interrupts", `${counts}: ${risk}`, { unreachable: "workloads on removed nodes, until they run elsewhere", undo });
  }
  if (most === 0) return note(counts);
  const removed = least === most ? `${most} node${most === 1 ? " is" : "s are"}` : `up to ${most} node${most === 1 ? " is" : "s are"}`;
  const reason = least === most ? "" : ` (it has ${countText(old)} now, as the platform has scaled it)`;
  return always("interrupts", `${removed} removed${reason}: their workloads are moved, and the data on their disks is lost`, {
    unreachable: "workloads on the removed nodes, until they run elsewhere",
    undo,
  });
}

interface Count {
  readonly least: number;
  readonly most: number;
}

/** How many nodes a pool has by its settings. Of those that the platform scales by itself, no state tells the number. */
function nodesOf({ scaling, replicas, enableAutoscaling }: Fields): Count | undefined {
  const { minReplicas: least = replicas, maxReplicas: most = replicas } = isFields(scaling) ? scaling : {};
  if (typeof least !== "number" || typeof most !== "number" || holdsHidden(enableAutoscaling)) return undefined;
  const scales = typeof enableAutoscaling === "boolean" ? enableAutoscaling : least < most;
  const set = typeof replicas === "number" ? replicas : least;
  return scales ? { least, most } : { least: set, most: set };
}

function countText({ least, most }: Count): string {
  return least === most ? `${most} node${most === 1 ? "" : "s"}` : `${least} to ${most} nodes`;
}

/** The judgements on all settings that change, each once. */
function settings(before: Fields, after: Fields, live: Changed["live"]): readonly Judgement[] {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !alike(before[key], after[key]));
  const found = changed.flatMap((key) =>
    judgementsOn(meaningOf(key, after), { before: before[key], after: after[key], old: before, live }),
  );
  return [...new Map(found.map((one) => [one.sentence, one])).values()];
}
