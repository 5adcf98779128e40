import type { z } from "zod";
import { createSubnet, deleteSubnet, describeSubnets, modifySubnetAttribute } from "../../catalogue/vpc.ts";
import { addressCount, type Cidr, contains, hasHostBits, overlaps, parseCidr } from "../../formats/addresses.ts";
import { networkRules } from "../../rules/network.ts";
import { type Call, type Context, on } from "../behaviour.ts";
import { zonesOf } from "../regions.ts";
import { given } from "../requests/input.ts";
import { byId, byParent, byRange, exactly, listed, type Listing, partly, requireRow, tagFilters, whether } from "../requests/listing.ts";
import { firstFew, refuseName, refuseTags, refuseUnlessAllowed } from "../requests/names-and-tags.ts";
import type { Rows } from "../store/table.ts";
import { durationOf } from "../time.ts";
import { mainTableOf } from "./route-tables.ts";
import { attachments, subnets, vpcs } from "./tables.ts";

export type Attachment = z.output<typeof attachments.row>;

/** Attaches a resource to a VPC: it takes addresses, and uses security groups, until the attachment is removed. */
export function attach(call: Call, attachment: Omit<Attachment, "id">): void {
  call.rows(attachments).insert({ ...attachment, id: call.world.newId("eni", attachments) }, attachment.vpcId);
}

/** Releases matching attachments after a moment: the release itself takes some time. */
export function releaseAttachments(call: Call, matches: (attachment: Attachment) => boolean, moment: number, vpcId?: string): void {
  const released = moment + durationOf("addressRelease", call.world.timeScale);
  for (const { id } of call.list(attachments, vpcId).filter(matches)) call.rows(attachments).expire(id, released);
}

/** The owners of attachments, each once, for a message. */
export function ownersOf(found: readonly Attachment[]): string {
  return firstFew([...new Set(found.map(({ owner }) => owner))]);
}

/** Addresses that the platform reserves in every subnet: network, gateway and broadcast. */
const kept = 3n;

/** An IPv4 address as text that sorts like the address. */
export function rangeKey(address: bigint): string {
  return address.toString(16).padStart(8, "0");
}

/** The number of IPv4 addresses that a subnet can assign. */
function usableAddresses(cidrBlock: string): number {
  return Number(addressCount(cidrBlock) - kept);
}

/** Parses a range; refuses one with host bits, or of the other address family. */
export function rangeOf(call: Call<"InvalidParameterValue.Malformed">, parameter: string, text: string, family: 4 | 6): Cidr {
  const example = family === 4 ? "10.0.0.0/16" : "2001:db8::/64";
  const cidr = parseCidr(text);
  if (cidr?.family !== family)
    throw call.error(
      "InvalidParameterValue.Malformed",
      `${parameter} is ${JSON.stringify(text)}; it takes an IPv${family} range such as ${example}`,
    );
  // Other spellings of the same IPv6 range are taken, and answered in the canonical one. Host bits are a mistake of the caller.
  if (hasHostBits(text))
    throw call.error("InvalidParameterValue.Malformed", `${parameter} is ${text}, which has host bits; the range is ${cidr.canonical}`);
  return cidr;
}

/**
 * The row of a parent whose range overlaps a new one. The rows' ranges do not overlap each other: so only the last one that
 * begins at or before the new range's end can.
 */
export function overlapping<Row extends { id: string; cidrBlock: string }>(rows: Rows<Row>, cidr: Cidr, parent?: string): Row | undefined {
  const nearest = rows.lastUpTo(rangeKey(cidr.last), parent);
  return nearest && overlaps(nearest.cidrBlock, cidr) ? nearest : undefined;
}

export type SubnetRow = z.output<typeof subnets.row>;

const subnetListing: Listing<SubnetRow> = {
  table: subnets,
  noun: "subnet",
  ids: "SubnetIds",
  filters: {
    "subnet-id": byId,
    "vpc-id": byParent(({ vpcId }) => vpcId),
    "subnet-name": partly(({ name }) => [name]),
    "cidr-block": byRange,
    "ipv6-cidr-block": exactly(({ ipv6CidrBlock }) => (ipv6CidrBlock === undefined ? [] : [ipv6CidrBlock])),
    zone: exactly(({ zone }) => [zone]),
    // The local platform has no default subnets.
    "is-default": whether(() => false),
    ...tagFilters,
  },
};

export const subnetBehaviours = [
  on(createSubnet, (call, { vpcId, subnetName, cidrBlock, zone, tags = [] }) => {
    const vpc = requireRow(call, vpcs, "VPC", vpcId);
    refuseName(call, "SubnetName", subnetName);
    refuseTags(call, tags);
    refuseZone(call, zone);
    const cidr = rangeOf(call, "CidrBlock", cidrBlock, 4);
    if (!contains(vpc.cidrBlock, cidr))
      throw call.error("InvalidParameterValue.SubnetRange", `CidrBlock ${cidrBlock} is not inside ${vpc.cidrBlock} of ${vpcId}`);
    refuseUnlessAllowed(call, "InvalidParameterValue.Malformed", "CidrBlock", cidrBlock, networkRules.subnetRange);
    const sibling = overlapping(call.rows(subnets), cidr, vpcId);
    if (sibling)
      throw call.error(
        "InvalidParameter.SubnetConflict",
        `CidrBlock ${cidr.canonical} overlaps ${sibling.cidrBlock} of ${sibling.id}; ranges of the subnets of a VPC cannot overlap`,
      );
    const made = call.rows(subnets).insert(
      {
        id: call.world.newId("subnet", subnets),
        vpcId,
        name: subnetName,
        cidrBlock: cidr.canonical,
        range: rangeKey(cidr.first),
        zone,
        routeTableId: mainTableOf(call, vpcId),
        broadcast: false,
        createdTime: call.timestamp,
        tags,
      },
      vpcId,
    );
    return { subnet: recordOf(made, 0) };
  }),

  on(describeSubnets, (call, { subnetIds, ...asked }) => {
    const page = pageOf(call, asked);
    const { totalCount, rows } = listed(call, subnetListing, { ids: subnetIds, filters: asked.filters, ...page });
    const taken = addressesTaken(call, rows);
    const end = Number(page.offset) + rows.length;
    return {
      totalCount,
      subnetSet: rows.map((row) => recordOf(row, taken.get(row.id) ?? 0)),
      ...(page.byToken && end < totalCount && { nextToken: String(end) }),
    };
  }),

  on(modifySubnetAttribute, (call, { subnetId, subnetName, enableBroadcast }) => {
    requireRow(call, subnets, "subnet", subnetId);
    if (subnetName !== undefined) refuseName(call, "SubnetName", subnetName);
    const broadcast = enableBroadcast && enableBroadcast === "true";
    call.rows(subnets).update(subnetId, given({ name: subnetName, broadcast }));
  }),

  on(deleteSubnet, (call, { subnetId }) => {
    const { vpcId } = requireRow(call, subnets, "subnet", subnetId);
    const attached = call.list(attachments, vpcId).filter((attachment) => attachment.subnetId === subnetId);
    if (attached.length > 0)
      throw call.error("ResourceInUse", `subnet ${subnetId} cannot be deleted while ${ownersOf(attached)} has addresses of it`);
    call.rows(subnets).remove(subnetId);
  }),
];

type Asked = z.output<typeof describeSubnets.input>;

/** The most subnets on one page by token (public API). */
const mostResults = 100;

/** Pages are asked for by offset and limit, or by the token of the page before. */
function pageOf(call: Call<"InvalidParameter.Coexist" | "InvalidParameterValue.Range">, { offset, limit, maxResults, nextToken }: Asked) {
  if (maxResults === undefined && nextToken === undefined) return { byToken: false, offset: offset ?? "0", limit };
  if (offset !== undefined || limit !== undefined)
    throw call.error(
      "InvalidParameter.Coexist",
      "Offset and Limit cannot be given with MaxResults and NextToken; page one way or the other",
    );
  if (nextToken !== undefined && !/^\d{1,9}$/.test(nextToken))
    throw call.error("InvalidParameter", "NextToken is not one that was answered with the page before");
  if (maxResults !== undefined && (maxResults < 1 || maxResults > mostResults))
    throw call.error("InvalidParameterValue.Range", `MaxResults is ${maxResults}; it takes 1 to ${mostResults}`);
  return { byToken: true, offset: nextToken ?? "0", limit: maxResults ?? mostResults };
}

/** The number of free IPv4 addresses of a subnet. */
export function freeAddresses(call: Context, subnet: SubnetRow): number {
  return usableAddresses(subnet.cidrBlock) - (addressesTaken(call, [subnet]).get(subnet.id) ?? 0);
}

/** How many IPv4 addresses are taken, by subnet. */
function addressesTaken(call: Context, rows: readonly SubnetRow[]): Map<string, number> {
  const taken = new Map<string, number>();
  for (const vpcId of new Set(rows.map((row) => row.vpcId)))
    for (const { subnetId, addresses } of call.list(attachments, vpcId))
      if (subnetId !== undefined) taken.set(subnetId, (taken.get(subnetId) ?? 0) + addresses);
  return taken;
}

function refuseZone(call: Call<"InvalidZone.ZoneNotAvailable">, zone: string): void {
  const zones = zonesOf(call.region);
  const known = zones.find((place) => place.zone === zone);
  if (known?.available) return;
  const usable = zones.flatMap((place) => (place.available ? [place.zone] : []));
  const lack = known ? "is not available" : `does not exist in ${call.region}`;
  throw call.error("InvalidZone.ZoneNotAvailable", `zone ${zone} ${lack}; take ${usable.join(", ")}`);
}

function recordOf({ id, vpcId, name, cidrBlock, ipv6CidrBlock, ...row }: SubnetRow, taken: number) {
  const total = usableAddresses(cidrBlock);
  return {
    vpcId,
    subnetId: id,
    subnetName: name,
    cidrBlock,
    ipv6SubnetCidrBlock: ipv6CidrBlock,
    ipv6CidrBlock,
    isDefault: false,
    enableBroadcast: row.broadcast,
    zone: row.zone,
    routeTableId: row.routeTableId,
    networkAclId: "",
    isRemoteVpcSnat: false,
    cdcId: "",
    isCdcSubnet: 0,
    createdTime: row.createdTime,
    availableIpAddressCount: total - taken,
    totalIpAddressCount: total,
    tagSet: row.tags,
  };
}
