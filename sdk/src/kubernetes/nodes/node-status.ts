import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { DesiredNode } from "./desired-nodes.ts";
import { kubeletPort } from "./kubelet.ts";
import { conditionOf, type NodeObject, type Taint, timestamp } from "./api/objects.ts";

/** How a node of the platform is written as an object of Kubernetes. */

/** What the platform has given a node last: all else on it is somebody else's, and stays. */
const appliedName = "container-platform/applied";
const applied = z.object({
  labels: z.record(z.string(), z.string()),
  taints: z.array(z.object({ key: z.string(), value: z.string().optional(), effect: z.string() })),
  unschedulable: z.boolean(),
});
type Applied = z.output<typeof applied>;

function ownOf({ labels, taints, unschedulable }: DesiredNode): Applied {
  return { labels: { ...labels }, taints: [...taints], unschedulable };
}

/** A new node. Its status is kept, as it is created with it. */
export function newNode(node: DesiredNode, podCidrs: readonly string[]): object {
  const capacity = { cpu: String(node.cpu), memory: `${node.memory}Gi`, pods: String(node.podCount), "ephemeral-storage": "50Gi" };
  const own = ownOf(node);
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: node.name, labels: own.labels, annotations: { [appliedName]: JSON.stringify(own) } },
    spec: {
      ...(podCidrs[0] !== undefined && { podCIDR: podCidrs[0], podCIDRs: podCidrs }),
      providerID: `container-platform:///${node.zone}/${node.instanceId}`,
      taints: own.taints,
      unschedulable: own.unschedulable,
    },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [readyCondition(node), ...untroubled()],
      addresses: [...node.addresses.map((address) => ({ type: "InternalIP", address })), { type: "Hostname", address: node.name }],
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
      nodeInfo: {
        kubeletVersion: `v${node.upgradedTo ?? node.version}`,
        kubeProxyVersion: "",
        osImage: node.system,
        kernelVersion: "none",
        containerRuntimeVersion: node.runtime,
        architecture: "amd64",
        operatingSystem: "linux",
        machineID: node.instanceId,
        systemUUID: node.instanceId,
        bootID: "",
      },
    },
  };
}

/** What of a node's object is not as the platform has it by now, as a merge patch; `undefined` if nothing is. */
export function specPatch(object: NodeObject, node: DesiredNode): object | undefined {
  const last = appliedOn(object);
  const own = ownOf(node);
  if (isDeepStrictEqual(last, own)) return undefined;
  const dropped = Object.keys(last.labels).filter((name) => !(name in own.labels));
  const isOurs = (taint: Taint) => [...last.taints, ...own.taints].some(({ key, effect }) => key === taint.key && effect === taint.effect);
  return {
    metadata: {
      // Somebody else may be changing its taints, too: then this is refused, and done again.
      resourceVersion: object.metadata.resourceVersion,
      labels: { ...Object.fromEntries(dropped.map((name) => [name, null])), ...own.labels },
      annotations: { [appliedName]: JSON.stringify(own) },
    },
    spec: {
      taints: [...object.spec.taints.filter((taint) => !isOurs(taint)), ...own.taints],
      ...(last.unschedulable !== own.unschedulable && { unschedulable: own.unschedulable }),
    },
  };
}

/** What of its status is not, as a strategic merge patch. */
export function statusPatch(object: NodeObject, node: DesiredNode): object | undefined {
  const ready = conditionOf(object, "Ready");
  const desired = readyCondition(node);
  const isSame = ready?.status === desired.status && ready.reason === desired.reason && ready.message === desired.message;
  const version = node.upgradedTo === undefined ? object.status.nodeInfo.kubeletVersion : `v${node.upgradedTo}`;
  const isUpgraded = version !== object.status.nodeInfo.kubeletVersion;
  if (isSame && !isUpgraded) return undefined;
  return {
    status: {
      ...(!isSame && { conditions: [desired, ...untroubled()] }),
      ...(isUpgraded && { nodeInfo: { kubeletVersion: version } }),
    },
  };
}

function appliedOn({ metadata }: NodeObject): Applied {
  try {
    return applied.parse(JSON.parse(metadata.annotations[appliedName] ?? ""));
  } catch {
    // Somebody has changed what only the platform writes: all is given anew.
    return { labels: {}, taints: [], unschedulable: false };
  }
}

function readyCondition({ unready }: DesiredNode) {
  const state = unready
    ? { status: "False", ...unready }
    : { status: "True", reason: "KubeletReady", message: "the platform runs this machine; pods on it are stand-ins" };
  return { type: "Ready", ...state, lastHeartbeatTime: timestamp(), lastTransitionTime: timestamp() };
}

function untroubled(): object[] {
  return ["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({
    type,
    status: "False",
    reason: "NoPressure",
    message: "nothing runs here",
    lastHeartbeatTime: timestamp(),
    lastTransitionTime: timestamp(),
  }));
}
