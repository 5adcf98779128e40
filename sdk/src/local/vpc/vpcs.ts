import type { z } from "zod";
import type { Cidr } from "../../formats/addresses.ts";
import { createVpc, deleteVpc, describeVpcs, modifyVpcAttribute } from "../../catalogue/vpc.ts";
import { mostDnsServers, networkRules } from "../../rules/network.ts";
import { type Call, on } from "../behaviour.ts";
import { requireRow } from "../requests/require-row.ts";
import { byId, exactly, listed, type Listing, partly, tagFilters } from "../requests/listing.ts";
import { firstFew, refuseLong, refuseName, refuseTags, refuseUnlessAllowed } from "../requests/names-and-tags.ts";
import { attachmentsBy, ownersOf } from "./attachments.ts";
import { overlapping, rangeKey, rangeOf } from "./ranges.ts";
import { addMainTable } from "./route-tables.ts";
import { routeTables, subnets, vpcs } from "./tables.ts";

export type VpcRow = z.output<typeof vpcs.row>;

/** The DNS servers of a VPC that was given none. They are documentation addresses, as there are no real ones. */
const platformDns = ["192.0.2.53", "192.0.2.54"];

const listing: Listing<VpcRow> = {
  table: vpcs,
  noun: "VPC",
  ids: "VpcIds",
  filters: {
    "vpc-id": byId(),
    "vpc-name": partly(({ name }) => [name]),
    // The local platform has no default VPCs.
    "is-default": exactly(() => ["false"]),
    "cidr-block": exactly(({ cidrBlock }) => [cidrBlock]),
    ...tagFilters<VpcRow>(({ tags }) => tags),
  },
};

export const vpcBehaviours = [
  on(createVpc, (call, { vpcName, dnsServers = platformDns, domainName = "", tags = [], ...input }) => {
    refuseName(call, "VpcName", vpcName);
    refuseTags(call, tags);
    refuseServers(call, dnsServers);
    refuseLong(call, "DomainName", domainName, 60);
    const cidr = privateRange(call, input.cidrBlock);
    const other = overlapping(call.rows(vpcs), cidr);
    if (other) {
      throw call.error(
        "InvalidParameter.VpcCidrConflict",
        `CidrBlock ${cidr.canonical} overlaps ${other.cidrBlock} of ${other.id}; ranges of the VPCs of a region cannot overlap`,
      );
    }
    const made = call.rows(vpcs).insert({
      id: call.world.newId("vpc", vpcs),
      name: vpcName,
      cidrBlock: cidr.canonical,
      range: rangeKey(cidr.first),
      dnsServers,
      domainName,
      multicast: input.enableMulticast === "true",
      publishIpv4: input.enableRouteVpcPublish ?? false,
      // The local account is allow-listed for CIDR route publish.
      publishIpv6: input.enableRouteVpcPublishIpv6 ?? false,
      createdTime: call.timestamp,
      tags,
    });
    addMainTable(call, made.id);
    return { vpc: recordOf(made) };
  }),

  on(describeVpcs, (call, { vpcIds, ...asked }) => {
    const { totalCount, rows } = listed(call, listing, { ids: vpcIds, ...asked });
    return { totalCount, vpcSet: rows.map(recordOf) };
  }),

  on(modifyVpcAttribute, (call, { vpcId, ...input }) => {
    const was = requireRow(call, vpcs, "VPC", vpcId);
    if (input.vpcName !== undefined) refuseName(call, "VpcName", input.vpcName);
    if (input.dnsServers) refuseServers(call, input.dnsServers);
    if (input.domainName !== undefined) refuseLong(call, "DomainName", input.domainName, 60);
    call.rows(vpcs).update(vpcId, {
      name: input.vpcName ?? was.name,
      dnsServers: input.dnsServers ?? was.dnsServers,
      domainName: input.domainName ?? was.domainName,
      multicast: input.enableMulticast === undefined ? was.multicast : input.enableMulticast === "true",
      publishIpv4: input.enableRouteVpcPublish ?? was.publishIpv4,
      publishIpv6: input.enableRouteVpcPublishIpv6 ?? was.publishIpv6,
    });
    return {};
  }),

  on(deleteVpc, (call, { vpcId }) => {
    requireRow(call, vpcs, "VPC", vpcId);
    const left = leftIn(call, vpcId);
    if (left.length > 0) throw call.error("ResourceInUse", `VPC ${vpcId} cannot be deleted while it has ${left.join("; ")}`);
    // An IPv6 block does not keep a VPC from being deleted: it is an attribute of the VPC. Subnets with a part of it do.
    for (const { id } of call.rows(routeTables).list(vpcId)) call.rows(routeTables).remove(id);
    call.rows(vpcs).remove(vpcId);
    return {};
  }),
];

/** What keeps a VPC from being deleted (specification: subnets, non-default route tables, security groups), for a message. */
function leftIn(call: Call, vpcId: string): string[] {
  const left: string[] = [];
  const within = call.rows(subnets).count(vpcId);
  if (within > 0) {
    const first = call.rows(subnets).page({ offset: 0, limit: 5 }, vpcId);
    left.push(`subnets ${first.map(({ id }) => id).join(", ")}${within > first.length ? ` and ${within - first.length} more` : ""}`);
  }
  const tables = call
    .rows(routeTables)
    .list(vpcId)
    .filter(({ main }) => !main);
  if (tables.length > 0) left.push(`route tables ${firstFew(tables.map(({ id }) => id))}`);
  const attached = attachmentsBy(call, () => true, vpcId);
  if (attached.length > 0) left.push(`addresses of ${ownersOf(attached)}`);
  const groups = [...new Set(attached.flatMap(({ securityGroupIds }) => securityGroupIds))];
  if (groups.length > 0) left.push(`security groups ${firstFew(groups)} in use`);
  return left;
}

function privateRange(call: Call<"InvalidParameterValue.Malformed">, cidrBlock: string): Cidr {
  const cidr = rangeOf(call, "CidrBlock", cidrBlock, 4);
  refuseUnlessAllowed(call, "InvalidParameterValue.Malformed", "CidrBlock", cidrBlock, networkRules.vpcRange);
  return cidr;
}

function refuseServers(
  call: Call<"InvalidParameterValue.Empty" | "InvalidParameterValue.LimitExceeded" | "InvalidParameterValue.Malformed">,
  servers: readonly string[],
): void {
  if (servers.length === 0) throw call.error("InvalidParameterValue.Empty", "DnsServers is empty; it takes 1 to 4 addresses");
  if (servers.length > mostDnsServers)
    throw call.error("InvalidParameterValue.LimitExceeded", `DnsServers has ${servers.length} addresses; it takes 1 to ${mostDnsServers}`);
  for (const server of servers)
    refuseUnlessAllowed(call, "InvalidParameterValue.Malformed", "an entry of DnsServers", server, networkRules.dnsServer);
}

function recordOf({ id, name, ipv6CidrBlock, addressType, ...row }: VpcRow) {
  return {
    vpcId: id,
    vpcName: name,
    cidrBlock: row.cidrBlock,
    ipv6CidrBlock,
    ipv6CidrBlockSet: ipv6CidrBlock === undefined ? [] : [{ ipv6CidrBlock, ispType: "BGP", addressType: addressType ?? "GUA" }],
    isDefault: false,
    enableMulticast: row.multicast,
    dnsServerSet: row.dnsServers,
    domainName: row.domainName,
    dhcpOptionsId: "",
    enableDhcp: true,
    assistantCidrSet: [],
    enableRouteVpcPublish: row.publishIpv4,
    enableRouteVpcPublishIpv6: row.publishIpv6,
    createdTime: row.createdTime,
    tagSet: row.tags,
  };
}
