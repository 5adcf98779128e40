import { leastAddresses, listed, ownAddresses, parseCidr, usualClusters } from "@container-platform/sdk";
import { subnetFinder } from "@container-platform/sdk/finders/vpc";
import type { Kind } from "../../definition/definition.ts";
import { type Invariant, type Program, textIn, type World } from "../../definition/invariants.ts";
import { recently } from "../../definition/context.ts";
import { isChanged, isNew, referenceIn } from "../../program/graph.ts";
import { referenceCalled } from "../../program/messages.ts";
import { nameOf } from "../../schema/urn.ts";
import type { Props } from "../../schema/values.ts";

/** Addresses of a subnet that no resource can have: the network's, the gateway's and the broadcast address. */
const reserved = 3;

/** The zone of a subnet, and its free IP addresses. A subnet that does not exist yet has those of its CIDR block. */
export async function capacityOf(
  graph: Program<Kind>,
  subnet: string,
  { cloud, ifReadable }: Pick<World<Kind>, "cloud" | "ifReadable">,
): Promise<{ readonly zone: string | undefined; readonly free: number } | undefined> {
  if (!subnet.startsWith("urn:")) {
    const find = () => subnetFinder.find(cloud.tolerating(recently), subnet);
    const found = await ifReadable(`${subnet} has free IP addresses`, find);
    return found && { zone: found.zone, free: found.availableIpAddressCount };
  }
  const inputs = graph.get(subnet)?.inputs ?? {};
  const range = parseCidr(String(inputs["cidrBlock"]));
  return range && { zone: textIn(inputs, "zone"), free: 2 ** (32 - range.prefix) - reserved };
}

/** The clusters that the program creates in a subnet. Each takes `ownAddresses` there. */
export const newClustersIn = (graph: Program<Kind>, subnet: string) =>
  graph.ofType("Cluster").filter((one) => graph.willBeCreated(one) && referenceIn(one, "subnetId") === subnet);

/** The subnet has enough free addresses for the control plane, after the other clusters that the program creates in it. */
export const addressesAvailable: Invariant<Kind, "subnetId"> = async (graph, node, world) => {
  const subnet = referenceIn(node, "subnetId");
  if (node.operation === "import" || subnet === undefined || !isChanged(node, "subnetId")) return undefined;
  const { free } = (await capacityOf(graph, subnet, world)) ?? {};
  const others = newClustersIn(graph, subnet).filter(({ urn }) => urn !== node.urn);
  const used = others.length * ownAddresses;
  if (free === undefined || free - used >= leastAddresses) return undefined;
  const isCrowded = free >= leastAddresses;
  const crowd = `. ${listed(others.map(({ urn }) => `"${nameOf(urn)}"`))} of this program ${others.length === 1 ? "uses" : "use"} ${used}`;
  const needs = `${isCrowded ? `${crowd}, and` : ", and"} a Cluster needs at least ${leastAddresses}`;
  const message = `${referenceCalled(subnet)} has ${free} free IP addresses${needs}. Use another or a larger subnet`;
  return { code: "UnmetRequirement", path: "subnetId", message };
};

/** Warns if the region would have more clusters than the default quota. Why no error: no operation returns the account's own quota. */
export const clusterQuota: Invariant<Kind> = async (graph, node, { cloud, list, ifReadable, warnOnce }) => {
  if (!isNew(node) || !graph.willBeCreated(node)) return undefined;
  const all = graph.ofType("Cluster");
  const existing = await ifReadable("the region can have another Cluster", () => list(node.kind));
  const ids = new Set([...(existing ?? []).map((one) => node.kind.id.of(one)), ...all.flatMap(({ id }) => id ?? [])]);
  if (existing && ids.size + all.filter((one) => graph.willBeCreated(one)).length > usualClusters)
    warnOnce({
      code: "Unchecked",
      message: `with this program, ${cloud.region} would have more than ${usualClusters} Clusters, the default quota. Unless your account has a higher one, the API rejects the last with LimitExceeded. Delete unused Clusters, or request a higher quota`,
    });
  return undefined;
};

/** What is wrong with a subnet of the program for the pods of a dual-stack cluster. */
export function lacksIpv6(subnet: Props, { isDualStack }: Props): string | undefined {
  return isDualStack === true && subnet["ipv6SubnetCidrBlock"] === undefined
    ? "has no IPv6 CIDR block, and isDualStack needs one: set its ipv6SubnetCidrBlock"
    : undefined;
}
