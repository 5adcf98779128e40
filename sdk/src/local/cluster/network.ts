import { addressAt, addressCount } from "../../formats/addresses.ts";
import type { Call } from "../behaviour.ts";
import { instances } from "../compute/tables.ts";
import { requireRow } from "../requests/require-row.ts";
import { durationOf } from "../time-scale.ts";
import { internalEndpoints } from "../registry/tables.ts";
import { attachmentsBy } from "../vpc/attachments.ts";
import type { SubnetRow } from "../vpc/subnets.ts";
import { attachments, securityGroups, subnets } from "../vpc/tables.ts";
import { clusterEndpoints, type ClusterRow, nodes } from "./tables.ts";

/** Where things of a cluster live: subnets of its VPC, addresses of those, and the groups that guard them. */

/** A subnet of a VPC, and with a /64 where addresses of both families are needed; refused if it is not. */
export function subnetIn(
  call: Call<"ResourceNotFound">,
  parameter: string,
  subnetId: string,
  { vpcId, dualStack }: { vpcId: string; dualStack: boolean },
): SubnetRow {
  const subnet = requireRow(call, subnets, "subnet", subnetId);
  if (subnet.vpcId !== vpcId)
    throw call.error("InvalidParameter", `${parameter}: subnet ${subnetId} is in VPC ${subnet.vpcId}; it takes a subnet of ${vpcId}`);
  if (dualStack && subnet.ipv6CidrBlock === undefined)
    throw call.error("InvalidParameter", `${parameter}: subnet ${subnetId} has no IPv6 range; a dual-stack cluster needs a /64 of it`);
  return subnet;
}

export function refuseMissingGroups(call: Call<"ResourceNotFound">, securityGroupIds: readonly string[]): void {
  for (const id of securityGroupIds) requireRow(call, securityGroups, "security group", id);
}

/** What a subnet has to be so that a cluster's things can live in it. */
export function subnetRequirements({ vpcId, network }: ClusterRow): { vpcId: string; dualStack: boolean } {
  return { vpcId, dualStack: network.isDualStack };
}

/** Gives back what owners hold in a VPC, from a moment on; addresses are released a little later than that. */
export function releaseAttachments(call: Call, owners: ReadonlySet<string>, vpcId: string, moment: number): void {
  const released = moment + durationOf("addressRelease", call.world.pace);
  for (const { id } of attachmentsBy(call, ({ owner }) => owners.has(owner), vpcId)) call.rows(attachments).expire(id, released);
}

/** The first address of a subnet is the network's, the second the gateway's. */
const firstHost = 2;

/** The lowest addresses of a subnet that nothing has yet; fewer where there are not so many. */
export function freeHosts(call: Call, { vpcId, cidrBlock }: SubnetRow, count: number): string[] {
  const taken = new Set([
    ...call
      .rows(nodes)
      .list()
      .map(({ lanIp }) => lanIp),
    ...call
      .rows(clusterEndpoints)
      .list()
      .map(({ address }) => address),
    ...call
      .rows(internalEndpoints)
      .list()
      .map(({ address }) => address),
    ...call
      .rows(instances)
      .list(vpcId)
      .map(({ privateIpAddress }) => privateIpAddress),
  ]);
  const broadcast = Number(addressCount(cidrBlock)) - 1;
  const hosts: string[] = [];
  for (let index = firstHost; index < broadcast && hosts.length < count; index++) {
    const host = addressAt(cidrBlock, index);
    if (!taken.has(host)) hosts.push(host);
  }
  return hosts;
}
