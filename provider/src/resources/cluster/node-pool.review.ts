import {
  type Changed,
  type Judgement,
  judgementsOn,
  type Meaning,
  note,
  notUndone,
  partlyUndone,
  protection,
  risky,
} from "../../review/judge/judgement.ts";
import type { ReviewOf } from "../../review/judge/reviewed.ts";
import { alike, type Fields, holdsHidden, isFields, isList, without, type Value } from "../../review/plan/values.ts";
import type { Native } from "./native.ts";

/** What the reviewer knows about a NodePool. */
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
        ? [
            {
              code: "interrupts",
              verdict: "needs-approval",
              sentence: "a new NoExecute taint evicts the workloads that do not tolerate it",
            },
          ]
        : [],
  },
  opens: {
    decidedBy: ({ native }) => ({ native: isFields(native) ? (native["internetAccessible"] ?? null) : native }),
    opening: ({ native }) => {
      const access = isFields(native) ? native["internetAccessible"] : undefined;
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
  if (most === 0 && now.least < old.least)
    return [
      {
        code: "interrupts",
        verdict: "needs-approval",
        sentence: `the pool has ${countText(now)} instead of ${countText(old)}: the platform may remove up to ${fewer} node${fewer === 1 ? "" : "s"}, with the data on their disks`,
        unreachable: "workloads on removed nodes, until they run elsewhere",
        undo: partlyUndone("as many nodes can be created again; the data on the old nodes' disks is lost"),
      },
    ];
  if (most === 0) return [{ verdict: "safe", sentence: `the pool has ${countText(now)} instead of ${countText(old)}` }];
  const removed = least === most ? `${most} node${most === 1 ? " is" : "s are"}` : `up to ${most} node${most === 1 ? " is" : "s are"}`;
  const reason = least === most ? "" : ` (it has ${countText(old)} now, as the platform has scaled it)`;
  return [
    {
      code: "interrupts",
      verdict: "needs-approval",
      sentence: `${removed} removed${reason}: their workloads are moved, and the data on their disks is lost`,
      unreachable: "workloads on the removed nodes, until they run elsewhere",
      undo: partlyUndone("as many nodes can be created again; the data on the old nodes' disks is lost"),
    },
  ];
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

const login = accessChanged("who can log in to the nodes changes");
const newNodes = note("existing nodes stay as they are: the change applies to new nodes only");

const otherGroups = accessChanged("other security groups decide what reaches the nodes");
const groupsOfNewNodes = accessChanged("other security groups decide what reaches new nodes; the nodes that are there keep the old ones");

/** What a change of each setting means, besides the number of nodes. None may be left out. */
const meanings: Readonly<Record<keyof Native, Meaning>> = {
  subnetIds: newNodes,
  instanceTypes: newNodes,
  systemDisk: newNodes,
  dataDisks: newNodes,
  management: newNodes,
  kubeletArgs: newNodes,
  lifecycle: newNodes,
  hostNamePattern: newNodes,
  gpuConfigs: newNodes,
  customImage: newNodes,
  // Judged by the number of nodes.
  scaling: "harmless",
  replicas: "harmless",
  enableAutoscaling: note("whether the platform scales the pool by itself, within its bounds, changes"),
  instanceChargeType: risky("PREPAID", "irreversible", "the nodes are paid in advance from now on", {
    undo: notUndone("the period is paid already"),
  }),
  instanceChargePrepaid: note("how long nodes are paid in advance, or what follows then, changes"),
  securityGroupIds: otherGroups,
  keyIds: login,
  password: login,
  autoRepair: note("whether the platform repairs broken nodes changes"),
  upgradeSettings: note("how the platform upgrades nodes changes"),
  healthCheckPolicyName: note("how broken nodes are found changes"),
  updateExistedNode: note("whether changes of the pool apply to existing nodes, too, changes"),
  // Another value makes a new pool.
  internetAccessible: "harmless",
  machineType: "harmless",
  runtimeRootDir: "harmless",
};

function accessChanged(sentence: string): readonly Judgement[] {
  return [{ code: "access-changed", verdict: "needs-approval", sentence }];
}

/** The judgements on all settings that change, each once. */
function settings(before: Fields, after: Fields, live: Changed["live"]): readonly Judgement[] {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !alike(before[key], after[key]));
  const found = changed.flatMap((key) =>
    judgementsOn(meaningOf(key, after), { before: before[key], after: after[key], old: before, live }),
  );
  return [...new Map(found.map((one) => [one.sentence, one])).values()];
}

function meaningOf(key: string, after: Fields): Meaning | undefined {
  const known: Readonly<Record<string, Meaning>> = meanings;
  const meaning = known[key];
  const isForAll = appliesToExisting(after["updateExistedNode"]);
  if (meaning === newNodes && isForAll) return existingNodes;
  return meaning === otherGroups && !isForAll ? groupsOfNewNodes : meaning;
}

/** Whether the pool changes its existing nodes. What is not known yet may be true. */
function appliesToExisting(updateExistedNode: Value | undefined): boolean {
  return updateExistedNode !== undefined && updateExistedNode !== false;
}

const existingNodes: Meaning = [
  {
    code: "interrupts",
    verdict: "needs-approval",
    sentence: "the change applies to existing nodes, too (updateExistedNode)",
    unreachable: "workloads on nodes that are changed, until they run again",
  },
];
