import * as operations from "../../catalogue/vpc.ts";
import { cidrSubnet, contains } from "../../formats/addresses.ts";
import { mostDnsServers, networkRules } from "../../rules/network.ts";
import { type Call, type CallOf, on } from "../behaviour.ts";
import { regions } from "../regions.ts";
import { given } from "../requests/input.ts";
import { byId, byRange, listed, type Listing, partly, requireRow, tagFilters, whether } from "../requests/listing.ts";
import { firstFew, refuseLong, refuseName, refuseTags, refuseToken, refuseUnlessAllowed } from "../requests/names-and-tags.ts";
import { addMainTable } from "./route-tables.ts";
import { overlapping, ownersOf, rangeKey, rangeOf, type SubnetRow } from "./subnets.ts";
import { attachments, natGateways, routeTables, subnets, type VpcRow, vpcs } from "./tables.ts";

/** The DNS servers of a VPC that was given none. They are documentation addresses, as there are no real ones. */
const platformDns = ["192.0.2.53", "192.0.2.54"];

const listing: Listing<VpcRow> = {
  table: vpcs,
  noun: "VPC",
  ids: "VpcIds",
  filters: {
    "vpc-id": byId,
    "vpc-name": partly(({ name }) => [name]),
    // The local platform has no default VPCs.
    "is-default": whether(() => false),
    "cidr-block": byRange,
    ...tagFilters,
  },
};

export const vpcBehaviours = [
  on(operations.createVpc, (call, { vpcName, dnsServers = platformDns, domainName = "", tags = [], ...input }) => {
    refuseName(call, "VpcName", vpcName);
    refuseTags(call, tags);
    refuseServers(call, dnsServers);
    refuseLong(call, "DomainName", domainName, 60);
    const cidr = rangeOf(call, "CidrBlock", input.cidrBlock, 4);
    refuseUnlessAllowed(call, "InvalidParameterValue.Malformed", "CidrBlock", input.cidrBlock, networkRules.vpcRange);
    const other = overlapping(call.rows(vpcs), cidr);
    if (other)
      throw call.error(
        "InvalidParameter.VpcCidrConflict",
        `CidrBlock ${cidr.canonical} overlaps ${other.cidrBlock} of ${other.id}; ranges of the VPCs of a region cannot overlap`,
      );
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

  on(operations.describeVpcs, (call, { vpcIds, ...asked }) => {
    const { totalCount, rows } = listed(call, listing, { ids: vpcIds, ...asked });
    return { totalCount, vpcSet: rows.map(recordOf) };
  }),

  on(operations.modifyVpcAttribute, (call, { vpcId, vpcName: name, dnsServers, domainName, enableMulticast, ...input }) => {
    requireRow(call, vpcs, "VPC", vpcId);
    if (name !== undefined) refuseName(call, "VpcName", name);
    if (dnsServers) refuseServers(call, dnsServers);
    if (domainName !== undefined) refuseLong(call, "DomainName", domainName, 60);
    const multicast = enableMulticast && enableMulticast === "true";
    const { enableRouteVpcPublish: publishIpv4, enableRouteVpcPublishIpv6: publishIpv6 } = input;
    call.rows(vpcs).update(vpcId, given({ name, dnsServers, domainName, multicast, publishIpv4, publishIpv6 }));
  }),

  on(operations.deleteVpc, (call, { vpcId }) => {
    requireRow(call, vpcs, "VPC", vpcId);
    const left = leftIn(call, vpcId);
    if (left.length > 0) throw call.error("ResourceInUse", `VPC ${vpcId} cannot be deleted while it has ${left.join("; ")}`);
    // An IPv6 block does not keep a VPC from being deleted: it is an attribute of the VPC. Subnets with a part of it do.
    for (const { id } of call.list(routeTables, vpcId)) call.rows(routeTables).remove(id);
    call.rows(vpcs).remove(vpcId);
  }),

  on(operations.assignIpv6CidrBlock, (call, { vpcId, addressType = "GUA" }) => {
    const { ipv6CidrBlock: present } = requireRow(call, vpcs, "VPC", vpcId);
    if (present !== undefined)
      throw call.error("LimitExceeded.CidrBlock", `VPC ${vpcId} has the IPv6 block ${present}; a VPC has one block at most`);
    const ipv6CidrBlock = drawBlock(call, pools[addressType]);
    call.rows(vpcs).update(vpcId, { ipv6CidrBlock, addressType });
    return { ipv6CidrBlock, addressType };
  }),

  on(operations.unassignIpv6CidrBlock, (call, { vpcId, ipv6CidrBlock }) => {
    const { ipv6CidrBlock: present } = requireRow(call, vpcs, "VPC", vpcId);
    if (present === undefined) throw call.error("ResourceNotFound", `VPC ${vpcId} has no IPv6 block`);
    if (ipv6CidrBlock !== undefined && rangeOf(call, "Ipv6CidrBlock", ipv6CidrBlock, 6).canonical !== present)
      throw call.error("ResourceNotFound", `VPC ${vpcId} has the IPv6 block ${present}, not ${ipv6CidrBlock}`);
    const having = call.list(subnets, vpcId).flatMap(({ id, ipv6CidrBlock: part }) => (part === undefined ? [] : [id]));
    if (having.length > 0)
      throw call.error(
        "ResourceInUse",
        `block ${present} of ${vpcId} cannot be unassigned while subnets have parts of it: ${firstFew(having)}`,
      );
    const attached = call.list(attachments, vpcId).filter(({ ipv6 }) => ipv6);
    if (attached.length > 0)
      throw call.error(
        "ResourceInUse",
        `block ${present} of ${vpcId} cannot be unassigned while ${ownersOf(attached)} has addresses of it`,
      );
    call.rows(vpcs).update(vpcId, { ipv6CidrBlock: undefined, addressType: undefined });
  }),

  on(operations.assignIpv6SubnetCidrBlock, (call, { vpcId, ipv6SubnetCidrBlocks: items, clientToken }) => {
    const vpc = requireRow(call, vpcs, "VPC", vpcId);
    refuseToken(call, clientToken);
    refuseItems(call, items);
    const parts = items.map((item) => ({ subnet: subnetIn(call, vpc, item.subnetId), part: partOf(call, vpc, item.ipv6SubnetCidrBlock) }));
    const repeated = parts.every(({ subnet, part }) => subnet.ipv6Token === clientToken && subnet.ipv6CidrBlock === part);
    if (clientToken === undefined || !repeated) {
      const taken = new Map<string, string>();
      for (const { id, ipv6CidrBlock } of call.list(subnets, vpcId)) if (ipv6CidrBlock !== undefined) taken.set(ipv6CidrBlock, id);
      for (const { subnet, part } of parts) {
        refusePart(call, subnet, part, taken);
        taken.set(part, subnet.id);
        call.rows(subnets).update(subnet.id, { ipv6CidrBlock: part, ipv6Token: clientToken });
      }
    }
    return {
      ipv6SubnetCidrBlockSet: parts.map(({ subnet, part }) => ({ subnetId: subnet.id, ipv6SubnetCidrBlock: part, ipv6CidrBlock: part })),
    };
  }),

  on(operations.unassignIpv6SubnetCidrBlock, (call, { vpcId, ipv6SubnetCidrBlocks: items }) => {
    const vpc = requireRow(call, vpcs, "VPC", vpcId);
    refuseItems(call, items);
    for (const { subnetId, ipv6SubnetCidrBlock: named } of items) {
      const { ipv6CidrBlock: present } = subnetIn(call, vpc, subnetId);
      if (present === undefined) throw call.error("ResourceNotFound", `subnet ${subnetId} has no IPv6 range`);
      if (named !== undefined && rangeOf(call, "Ipv6SubnetCidrBlock", named, 6).canonical !== present)
        throw call.error("ResourceNotFound", `subnet ${subnetId} has the IPv6 range ${present}, not ${named}`);
      const attached = call.list(attachments, vpcId).filter((attachment) => attachment.subnetId === subnetId && attachment.ipv6);
      if (attached.length > 0)
        throw call.error(
          "ResourceInUse",
          `range ${present} of ${subnetId} cannot be unassigned while ${ownersOf(attached)} has addresses of it`,
        );
      call.rows(subnets).update(subnetId, { ipv6CidrBlock: undefined, ipv6Token: undefined });
    }
  }),
];

/** What keeps a VPC from being deleted (specification: subnets, non-default route tables, security groups), for a message. */
function leftIn(call: Call, vpcId: string): string[] {
  const left: string[] = [];
  const within = call.rows(subnets).count(vpcId);
  if (within > 0) {
    const first = call.rows(subnets).list(vpcId, { limit: 5 });
    left.push(`subnets ${first.map(({ id }) => id).join(", ")}${within > first.length ? ` and ${within - first.length} more` : ""}`);
  }
  const tables = call.list(routeTables, vpcId).filter(({ main }) => !main);
  if (tables.length > 0) left.push(`route tables ${firstFew(tables.map(({ id }) => id))}`);
  const gateways = call.list(natGateways, vpcId);
  if (gateways.length > 0) left.push(`NAT gateways ${firstFew(gateways.map(({ id }) => id))}`);
  const attached = call.list(attachments, vpcId);
  if (attached.length > 0) left.push(`addresses of ${ownersOf(attached)}`);
  const groups = [...new Set(attached.flatMap(({ securityGroupIds }) => securityGroupIds))];
  if (groups.length > 0) left.push(`security groups ${firstFew(groups)} in use`);
  return left;
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

/** The ranges that blocks are drawn from. Global ones are documentation addresses, so that they belong to nobody. */
const pools = { GUA: "2001:db8::/32", ULA: "fd00::/8" } as const;
const blockPrefix = 56;
const subnetPrefix = 64;

/** A block that no VPC of the account has, in any region. All blocks have one size: two of them are equal, or do not overlap. */
function drawBlock(call: Call, pool: string): string {
  const present = regions.flatMap((region) => call.in(region).list(vpcs));
  for (;;) {
    // The smaller pool has 2^24 blocks: so many are drawn from in both.
    const block = cidrSubnet(cidrSubnet(pool, 32, 0), blockPrefix, call.world.draw().readUIntBE(0, 3));
    if (!present.some(({ ipv6CidrBlock }) => ipv6CidrBlock === block)) return block;
  }
}

function subnetIn(call: Call<"ResourceNotFound">, vpc: VpcRow, subnetId: string): SubnetRow {
  const subnet = requireRow(call, subnets, "subnet", subnetId);
  if (subnet.vpcId !== vpc.id)
    throw call.error("ResourceNotFound", `there is no subnet ${subnetId} in ${vpc.id}; it is of ${subnet.vpcId}`);
  return subnet;
}

type AssignCall = CallOf<typeof operations.assignIpv6SubnetCidrBlock>;

/** A /64 inside the VPC's block (specification, Limits), in canonical spelling. */
function partOf(call: AssignCall, { id, ipv6CidrBlock: block }: VpcRow, text: string): string {
  const cidr = rangeOf(call, "Ipv6SubnetCidrBlock", text, 6);
  if (block === undefined)
    throw call.error("InvalidParameterValue.SubnetRange", `VPC ${id} has no IPv6 block that ${text} could be part of; assign one first`);
  if (cidr.prefix !== subnetPrefix || !contains(block, cidr))
    throw call.error("InvalidParameterValue.SubnetRange", `${text} is not a /${subnetPrefix} inside ${block} of ${id}`);
  return cidr.canonical;
}

function refusePart(call: AssignCall, subnet: SubnetRow, part: string, taken: ReadonlyMap<string, string>): void {
  if (subnet.ipv6CidrBlock !== undefined)
    throw call.error(
      "LimitExceeded.SubnetCidrBlock",
      `subnet ${subnet.id} has the IPv6 range ${subnet.ipv6CidrBlock}; a subnet has one at most`,
    );
  const sibling = taken.get(part);
  if (sibling !== undefined)
    throw call.error(
      "InvalidParameter.SubnetConflict",
      `${part} is the IPv6 range of ${sibling}; ranges of the subnets of a VPC cannot overlap`,
    );
}

function refuseItems(
  call: Call<"InvalidParameterValue.Empty" | "InvalidParameterValue.Duplicate">,
  items: readonly { readonly subnetId: string }[],
): void {
  if (items.length === 0) throw call.error("InvalidParameterValue.Empty", "Ipv6SubnetCidrBlocks is empty; it takes at least one subnet");
  const twice = items.find(({ subnetId }, index) => items.findIndex((item) => item.subnetId === subnetId) < index);
  if (twice) throw call.error("InvalidParameterValue.Duplicate", `Ipv6SubnetCidrBlocks names subnet ${twice.subnetId} twice`);
}
