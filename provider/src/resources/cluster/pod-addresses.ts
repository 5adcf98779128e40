import { listed, ownAddresses } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { clusterFinder } from "@container-platform/sdk/finders/cluster";
import * as z from "@container-platform/sdk/zod";
import { inputError } from "../../definition/codes.ts";
import { firstLook } from "../../definition/context.ts";
import type { Kind } from "../../definition/definition.ts";
import type { Invariant, Node, Program, World } from "../../definition/invariants.ts";
import { listedOnce } from "../../definition/offers.ts";
import { isChanged, referenceIn } from "../../program/graph.ts";
import { referenceCalled, withRemedies } from "../../program/messages.ts";
import { expandPath } from "../../schema/paths.ts";
import { nameOf } from "../../schema/urn.ts";
import { holdsUnknown } from "../../schema/values.ts";
import { native } from "./nodes/native.ts";
import { nodesOfPool } from "./nodes/nodes-of-pool.ts";
import { autoscales, boundsOf, desiredNodes } from "./nodes/scaling.ts";
import { capacityOf, newClustersIn } from "./subnet-capacity.ts";

const { instanceTypes, scaling, replicas, enableAutoscaling, kubeletArgs } = native.shape;
const settings = z.object({ instanceTypes, scaling, replicas, enableAutoscaling, kubeletArgs });
const decisive = ["clusterId", ...[...settings.keyof().options, "subnetIds"].map((key) => `native.${key}`)];
/** 256 unless given, with every type of network (public API). */
const mostPods = z.int().default(256);
const pair = z.object({ clusterId: z.string(), nodePoolId: z.string() });

/**
 * In a VPC-CNI cluster, each pod takes an IP address of the cluster's pod subnets. Warns if the pods of a full pool do not fit: in no
 * division of its nodes over the zones (`TooFewAddresses`), or not if all nodes are in one zone. Each pool is counted alone.
 */
export const podsHaveAddresses: Invariant<Kind, "native" | "clusterId"> = async (graph, node, world) => {
  const { data } = settings.safeParse(node.inputs["native"]);
  // A check does not know the ID of a pool that exists: the comparison does.
  const isBeforeDiff = node.id === undefined && Object.keys(node.lastInputs).length > 0;
  if (!data || isBeforeDiff || holdsUnknown(data) || node.operation === "import" || !isChanged(node, ...decisive)) return undefined;
  const network = await podNetworkOf(graph, node, world);
  const own = referencesIn(node, "native.subnetIds");
  const zones = network && own.length > 0 ? await zonesOf(graph, own, network.subnets, world) : undefined;
  if (!network || !zones) return undefined;
  const set = (data.kubeletArgs ?? []).flatMap((one) => /^(?:--)?max-pods=(\d+)$/.exec(one)?.[1] ?? []).map(Number);
  const allowed = Math.min(network.maxPods, ...set);
  const most = autoscales(data) ? boundsOf(data).maxReplicas : desiredNodes(data);
  if (zones.every((zone) => most <= nodesIn(zone, allowed))) return undefined;
  const limit = await podsOfNode(world, data.instanceTypes, zones);
  // The free addresses are those beside the nodes that exist, and that do not have to stay until a new pool has its own.
  const isOther = node.id === undefined || (node.operation === "replace" && node.deletesOld !== "first");
  const { data: ids } = pair.safeParse(isOther ? undefined : node.kind.id.parts(node.id));
  const list = () => (ids ? nodesOfPool.list(world.cloud.tolerating(firstLook), ids) : Promise.resolve([]));
  const existing = (await world.ifReadable(`${node.id} has nodes`, list))?.length;
  if (limit === undefined || existing === undefined) return undefined;
  const flaw = flawOf(zones, Math.min(limit, allowed), most, existing, nameOf(node.urn));
  if (flaw) world.warnOnce(inputError(data.scaling ? "native.scaling.maxReplicas" : "native.replicas", flaw.says, flaw.code));
  return undefined;
};

/** Why a full pool of `most` nodes does not fit: in no division over its zones, or not into the tightest one. `pods`: the most on a node. */
function flawOf(zones: readonly Zone[], pods: number, most: number, existing: number, name: string) {
  const fits = zones.map((zone) => ({ ...zone, nodes: nodesIn(zone, pods) })).toSorted((one, other) => one.nodes - other.nodes);
  const missing = most - existing;
  const isImpossible = missing > fits.reduce((sum, { nodes }) => sum + nodes, 0);
  const counted = isImpossible ? fits : fits.slice(0, 1);
  const fitting = counted.reduce((sum, { nodes }) => sum + nodes, 0);
  if (missing <= fitting) return undefined;
  const free = counted.reduce((sum, zone) => sum + zone.own + zone.pods + zone.both, 0);
  const names = [...new Set(counted.flatMap(({ subnets }) => subnets))].map(referenceCalled);
  const have = `${listed(names)} ${names.length === 1 ? "has" : "have"} (${free} free)`;
  const where = isImpossible ? "" : ` in ${counted[0]?.name}, if the platform creates all of them there`;
  const sentence = `${most} nodes of "${name}" with up to ${pods} pods each need more IP addresses than ${have}: ${existing + fitting} fit${where}`;
  const says = withRemedies(sentence, [
    existing + fitting > 0 && `Set it to ${existing + fitting} or less`,
    "Or use larger subnets, or add subnets to eniSubnetIds of the cluster",
    'Or limit the pods of a node with native.kubeletArgs: ["max-pods=…"]',
  ]);
  return { says, code: isImpossible ? "TooFewAddresses" : "Unwise" } as const;
}

type References = readonly (string | undefined)[];

const referencesIn = (node: Node<Kind>, list: string): References =>
  expandPath(node.inputs, `${list}.*`).map((path) => referenceIn(node, path));

/** The pod subnets of the pool's cluster, and the most pods that it allows on a node; `undefined` if unknown, or without VPC-CNI. */
async function podNetworkOf(graph: Program<Kind>, node: Node<Kind>, { cloud, ifReadable }: World<Kind>) {
  const source = graph.source(node, "clusterId");
  const id = referenceIn(node, "clusterId");
  if (!source && (id === undefined || id.startsWith("urn:"))) return undefined;
  const find = () => clusterFinder.find(cloud.tolerating(firstLook), id ?? "");
  const live = source ? undefined : await ifReadable(`${id} has addresses for pods`, find);
  const subnets = source ? referencesIn(source, "eniSubnetIds") : (live?.clusterNetworkSettings.subnets ?? []);
  const { data: maxPods } = mostPods.safeParse(source ? source.inputs["maxNodePodNum"] : live?.clusterNetworkSettings.maxNodePodNum);
  return subnets.length > 0 && maxPods !== undefined ? { subnets, maxPods } : undefined;
}

/** A zone of a pool: the free IP addresses of subnets for nodes alone, for pods alone, and for both. */
interface Zone {
  readonly name: string;
  readonly subnets: readonly string[];
  readonly own: number;
  readonly pods: number;
  readonly both: number;
}

/** The zones of a pool; `undefined` if something about a subnet is unknown. A zone without a pod subnet takes addresses of all of them. */
async function zonesOf(graph: Program<Kind>, own: References, pods: References, world: World<Kind>): Promise<readonly Zone[] | undefined> {
  const capacities = await Promise.all(
    [...new Set([...own, ...pods])].map(async (subnet) => {
      const { zone, free = 0 } = (subnet === undefined ? undefined : await capacityOf(graph, subnet, world)) ?? {};
      if (subnet === undefined || zone === undefined) return undefined;
      return { subnet, zone, free: Math.max(0, free - newClustersIn(graph, subnet).length * ownAddresses) };
    }),
  );
  const known = capacities.flatMap((one) => one ?? []);
  if (known.length < capacities.length) return undefined;
  const ofNodes = known.filter(({ subnet }) => own.includes(subnet));
  return [...Map.groupBy(ofNodes, ({ zone }) => zone)].map(([name, here]) => {
    const ofPods = known.filter(({ subnet }) => pods.includes(subnet));
    const near = ofPods.filter(({ zone }) => zone === name);
    const forPods = near.length > 0 ? near : ofPods;
    const freeIn = (some: typeof known) => some.reduce((sum, { free }) => sum + free, 0);
    return {
      name,
      subnets: [...new Set([...forPods, ...here].map(({ subnet }) => subnet))],
      own: freeIn(here.filter((one) => !forPods.includes(one))),
      pods: freeIn(forPods.filter((one) => !here.includes(one))),
      both: freeIn(here.filter((one) => forPods.includes(one))),
    };
  });
}

/** The most nodes in a zone: each takes an address of the pool's subnets, and one for each pod of the cluster's pod subnets. */
const nodesIn = ({ own, pods, both }: Zone, each: number): number =>
  Math.floor(Math.min(own + both, (pods + both) / each, (own + pods + both) / (each + 1)));

/** The most pods that a node of any of the types can have in any of the zones; `undefined` if the platform does not return a limit. */
async function podsOfNode({ cloud, ifReadable }: World<Kind>, types: readonly string[], zones: readonly Zone[]) {
  const read = () => listedOnce(cloud, "pods of a node", () => cloud.call(cluster.describeVpcCniPodLimits, {}));
  const { podLimitsInstanceSet: limits = [] } = (await ifReadable("the pods of a node have IP addresses", read)) ?? {};
  const all = zones.flatMap(({ name }) =>
    types.map((type) => {
      const found = limits.find(({ zone, instanceType }) => zone === name && instanceType === type)?.podLimits;
      return Math.min(...[found?.routeEniStaticIp ?? 0, found?.routeEniNonStaticIp ?? 0].filter((most) => most > 0));
    }),
  );
  return all.includes(Infinity) ? undefined : Math.min(...all);
}
