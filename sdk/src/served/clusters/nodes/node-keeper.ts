import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { World } from "../../../local/store/world.ts";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { change, patches, remove, timestamp, Watched } from "../control-plane/watched.ts";
import { conditionOf, type NodeObject, nodeObject, type Taint } from "./api.ts";
import { type DesiredNode, type DesiredNodes, desiredNodes, instanceLabel, type PodRange } from "./desired-nodes.ts";
import { kubeletPort } from "./kubelet.ts";
import { freePart } from "./pod-addresses.ts";

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

const nodesPath = "/api/v1/nodes";
const leasesPath = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
/** How long a node counts as alive, in seconds. It tells that it is four times as often. */
const leaseSeconds = 40;

/** A node on which pods run. */
export interface PodHost {
  readonly name: string;
  readonly isReady: boolean;
  readonly isLeaving: boolean;
  readonly addresses: readonly string[];
  readonly podRanges: readonly PodRange[];
  readonly vpcId: string;
}

export interface NodeKeeping {
  readonly world: World;
  readonly controlPlane: ControlPlane;
  readonly report: (mistake: unknown) => void;
}

/** Keeps the Node objects of a cluster as the platform has its nodes. */
export class NodeKeeper {
  readonly #keeping: NodeKeeping;
  readonly #objects: Watched<NodeObject>;
  readonly #complained = new Map<string, string>();
  #hosts: ReadonlyMap<string, PodHost> = new Map();

  constructor(keeping: NodeKeeping) {
    this.#keeping = keeping;
    this.#objects = new Watched(keeping.controlPlane.api, nodesPath, nodeObject);
  }

  begin(signal: AbortSignal): Promise<void> {
    return this.#objects.begin(signal);
  }

  /** The nodes that are there, by name. */
  get hosts(): ReadonlyMap<string, PodHost> {
    return this.#hosts;
  }

  /** Brings the objects to what the platform has. Answers the names of those that are gone. */
  async look(): Promise<readonly string[]> {
    const { world, controlPlane } = this.#keeping;
    const desired = await world.transaction(() => desiredNodes(world, controlPlane));
    if (!desired) return [];
    const byName = new Map(desired.nodes.map((node) => [node.name, node]));
    // Objects that a user has created stay.
    const own = this.#objects.all.filter(({ metadata }) => instanceLabel in metadata.labels);
    const gone = own.filter(({ metadata }) => byName.get(metadata.name)?.instanceId !== metadata.labels[instanceLabel]);
    for (const { metadata } of gone) await remove(controlPlane.api, `${nodesPath}/${metadata.name}`, metadata.uid);
    for (const node of desired.nodes) await this.#keep(node, desired);
    this.#hosts = this.#hostsOf(desired);
    return gone.map(({ metadata }) => metadata.name);
  }

  /** Tells that all nodes are alive; a node that is not ready tells that itself. */
  async renewLeases(): Promise<void> {
    await Promise.all([...this.#hosts.keys()].map((name) => this.#renewLease(name)));
  }

  async #keep(node: DesiredNode, { clusterCidr }: DesiredNodes): Promise<void> {
    try {
      const object = this.#objects.get(node.name);
      if (object) await this.#update(object, node);
      else await this.#create(node, clusterCidr);
      this.#complained.delete(node.name);
    } catch (error) {
      this.#complain(node, error);
    }
  }

  async #create(node: DesiredNode, clusterCidr: string): Promise<void> {
    const taken = this.#objects.all.flatMap(({ spec }) => spec.podCIDRs);
    const part = clusterCidr === "" ? undefined : freePart(clusterCidr, node.podCount, taken);
    const [shared] = node.podRanges;
    const podCidrs = part === undefined ? [shared?.cidrBlock, shared?.ipv6CidrBlock].flatMap((range) => range ?? []) : [part];
    const { api } = this.#keeping.controlPlane;
    this.#objects.note(await change(api, "POST", nodesPath, { body: newNode(node, podCidrs) }));
    await this.#renewLease(node.name);
  }

  async #update(object: NodeObject, node: DesiredNode): Promise<void> {
    const { api } = this.#keeping.controlPlane;
    const path = `${nodesPath}/${node.name}`;
    const spec = specPatch(object, node);
    if (spec) this.#objects.note(await change(api, "PATCH", path, { body: spec, type: patches.merge }));
    const status = statusPatch(object, node);
    if (status) this.#objects.note(await change(api, "PATCH", `${path}/status`, { body: status, type: patches.strategic }));
  }

  #hostsOf({ nodes, vpcId, clusterCidr }: DesiredNodes): Map<string, PodHost> {
    return new Map(
      nodes.flatMap(({ name, addresses, unready, leaving, podRanges }) => {
        const object = this.#objects.get(name);
        if (!object) return [];
        const own = object.spec.podCIDRs.map((cidrBlock) => ({
          key: `${this.#keeping.controlPlane.clusterId}/${name}`,
          cidrBlock,
          ipv6CidrBlock: undefined,
        }));
        const ranges = clusterCidr === "" ? podRanges : own;
        return [[name, { name, addresses, isReady: !unready, isLeaving: leaving, podRanges: ranges, vpcId }] as const];
      }),
    );
  }

  /** A control plane that has just begun does not have the namespace of leases yet: then the next time makes it. */
  async #renewLease(name: string): Promise<void> {
    const { api } = this.#keeping.controlPlane;
    const spec = { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: timestamp().replace("Z", "000Z") };
    if (await change(api, "PATCH", `${leasesPath}/${name}`, { body: { spec }, type: patches.merge })) return;
    const owner = this.#objects.get(name);
    const ownerReferences = owner ? [{ apiVersion: "v1", kind: "Node", name, uid: owner.metadata.uid }] : [];
    const metadata = { name, namespace: "kube-node-lease", ownerReferences };
    await change(api, "POST", leasesPath, { body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec } });
  }

  /** Says once why a node does not join: each look tries it again. */
  #complain({ name, instanceId }: DesiredNode, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#complained.get(name) === message) return;
    this.#complained.set(name, message);
    this.#keeping.report(
      new Error(
        `node ${name} (${instanceId}) of cluster ${this.#keeping.controlPlane.clusterId} is not as the platform has it: ${message}`,
      ),
    );
  }
}
