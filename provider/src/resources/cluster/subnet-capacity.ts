import { leastAddresses, listed, ownAddresses, parseCidr, usualClusters } from "@container-platform/sdk";
import { subnetFinder } from "@container-platform/sdk/finders/vpc";
import type { Kind } from "../../definition/definition.ts";
import type { Invariant } from "../../definition/invariants.ts";
import { recently } from "../../definition/context.ts";
import { isChanged, isNew, referenceIn } from "../../program/graph.ts";
import { referenceCalled } from "../../program/messages.ts";
import { nameOf } from "../../schema/urn.ts";
import type { Props } from "../../schema/values.ts";

/** Addresses of a subnet that no resource can have: the network's, the gateway's and the broadcast address. */
const reserved = 3;

/** The subnet has enough free addresses for the control plane, after the other clusters that the program creates in it. */
export const addressesAvailable: Invariant<Kind, "subnetId"> = async (graph, node, { cloud, ifReadable }) => {
  const subnet = referenceIn(node, "subnetId");
  if (node.operation === "import" || subnet === undefined || !isChanged(node, "subnetId")) return undefined;
  const range = parseCidr(String(graph.get(subnet)?.inputs["cidrBlock"]));
  const find = async () => (await subnetFinder.find(cloud.tolerating(recently), subnet))?.availableIpAddressCount;
  const free = subnet.startsWith("urn:")
    ? range && 2 ** (32 - range.prefix) - reserved
    : await ifReadable(`${subnet} has free IP addresses`, find);
  const others = graph
    .ofType("Cluster")
    .filter((one) => one.urn !== node.urn && graph.willBeCreated(one) && referenceIn(one, "subnetId") === subnet);
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
