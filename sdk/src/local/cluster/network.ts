import { addressAt, addressCount } from "../../formats/addresses.ts";
import type { Call, Context } from "../behaviour.ts";
import { instances } from "../compute/tables.ts";
import { requireRow } from "../requests/listing.ts";
import { internalEndpoints } from "../registry/tables.ts";
import { freeAddresses, releaseAttachments, type SubnetRow } from "../vpc/subnets.ts";
import { securityGroups, subnets } from "../vpc/tables.ts";
import { clusterEndpoints, type ClusterRow, nodes } from "./tables.ts";

/** The subnets, addresses and security groups of a cluster's resources. */

/** A subnet; refuses one of another VPC, and for dual-stack one without an IPv6 range. */
export function subnetIn(
  call: Call<"ResourceNotFound">,
  parameter: string,
  subnetId: string,
  { vpcId, network }: { vpcId: string; network?: { isDualStack: boolean } },
): SubnetRow {
  const subnet = requireRow(call, subnets, "subnet", subnetId);
  if (subnet.vpcId !== vpcId)
    throw call.error("InvalidParameter", `${parameter}: subnet ${subnetId} is in VPC ${subnet.vpcId}; it takes a subnet of ${vpcId}`);
  if (network?.isDualStack && subnet.ipv6CidrBlock === undefined)
    throw call.error("InvalidParameter", `${parameter}: subnet ${subnetId} has no IPv6 range; a dual-stack cluster needs a /64 of it`);
  return subnet;
}

export function refuseMissingGroups(call: Call<"ResourceNotFound">, securityGroupIds: readonly string[]): void {
  for (const id of securityGroupIds) requireRow(call, securityGroups, "security group", id);
}

/** Releases the attachments of owners in a cluster's VPC after a moment. */
export function releaseOwners(call: Call, { vpcId }: ClusterRow, owners: readonly string[], moment: number): void {
  const released = new Set(owners);
  releaseAttachments(call, ({ owner }) => released.has(owner), moment, vpcId);
}

/** The index of the first free address of a subnet: the network and the gateway have the two before. */
const firstHost = 2;

/** The lowest free addresses of a subnet: `wanted` of them, or as many as there are. */
export function freeHosts(call: Context, subnet: SubnetRow, wanted: number): string[] {
  const { vpcId, cidrBlock } = subnet;
  const count = Math.min(wanted, freeAddresses(call, subnet));
  const taken = new Set([
    ...call.list(nodes).map(({ lanIp }) => lanIp),
    ...call.list(clusterEndpoints).map(({ address }) => address),
    ...call.list(internalEndpoints).map(({ address }) => address),
    ...call.list(instances, vpcId).map(({ privateIpAddress }) => privateIpAddress),
  ]);
  const broadcast = Number(addressCount(cidrBlock)) - 1;
  const hosts: string[] = [];
  for (let index = firstHost; index < broadcast && hosts.length < count; index++) {
    const host = addressAt(cidrBlock, index);
    if (!taken.has(host)) hosts.push(host);
  }
  return hosts;
}
