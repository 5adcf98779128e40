import type { z } from "zod";
import { type Cidr, contains } from "../../formats/addresses.ts";
import { createSubnet, deleteSubnet, describeSubnets, modifySubnetAttribute } from "../../catalogue/vpc.ts";
import { networkRules } from "../../rules/network.ts";
import { type Call, on } from "../behaviour.ts";
import { requireRow } from "../requests/require-row.ts";
import { byId, byParent, exactly, listed, type Listing, partly, tagFilters } from "../requests/listing.ts";
import { refuseName, refuseTags, refuseUnlessAllowed } from "../requests/names-and-tags.ts";
import { zonesOf } from "../regions.ts";
import { type Attachment, attachmentsBy, ownersOf } from "./attachments.ts";
import { overlapping, rangeKey, rangeOf, usableAddresses } from "./ranges.ts";
import { mainTableOf } from "./route-tables.ts";
import { subnets, vpcs } from "./tables.ts";
import type { VpcRow } from "./vpcs.ts";

export type SubnetRow = z.output<typeof subnets.row>;

const listing: Listing<SubnetRow> = {
  table: subnets,
  noun: "subnet",
  ids: "SubnetIds",
  filters: {
    "subnet-id": byId(),
    "vpc-id": byParent(({ vpcId }) => vpcId),
    "subnet-name": partly(({ name }) => [name]),
    "cidr-block": exactly(({ cidrBlock }) => [cidrBlock]),
    "ipv6-cidr-block": exactly(({ ipv6CidrBlock }) => (ipv6CidrBlock === undefined ? [] : [ipv6CidrBlock])),
    zone: exactly(({ zone }) => [zone]),
    // The local platform has no default subnets.
    "is-default": exactly(() => ["false"]),
    ...tagFilters<SubnetRow>(({ tags }) => tags),
  },
};

export const subnetBehaviours = [
  on(createSubnet, (call, { vpcId, subnetName, cidrBlock, zone, tags = [] }) => {
    const vpc = requireRow(call, vpcs, "VPC", vpcId);
    refuseName(call, "SubnetName", subnetName);
    refuseTags(call, tags);
    refuseZone(call, zone);
    const cidr = rangeWithin(call, vpc, cidrBlock);
    const sibling = overlapping(call.rows(subnets), cidr, vpcId);
    if (sibling) {
      throw call.error(
        "InvalidParameter.SubnetConflict",
        `CidrBlock ${cidr.canonical} overlaps ${sibling.cidrBlock} of ${sibling.id}; ranges of the subnets of a VPC cannot overlap`,
      );
    }
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
    const { totalCount, rows } = listed(call, listing, { ids: subnetIds, filters: asked.filters, ...page });
    const taken = addressesTaken(call, rows);
    const end = Number(page.offset) + rows.length;
    return {
      totalCount,
      subnetSet: rows.map((row) => recordOf(row, taken.get(row.id) ?? 0)),
      ...(page.byToken && end < totalCount && { nextToken: String(end) }),
    };
  }),

  on(modifySubnetAttribute, (call, { subnetId, subnetName, enableBroadcast }) => {
    const was = requireRow(call, subnets, "subnet", subnetId);
    if (subnetName !== undefined) refuseName(call, "SubnetName", subnetName);
    call.rows(subnets).update(subnetId, {
      name: subnetName ?? was.name,
      broadcast: enableBroadcast === undefined ? was.broadcast : enableBroadcast === "true",
    });
    return {};
  }),

  on(deleteSubnet, (call, { subnetId }) => {
    const { vpcId } = requireRow(call, subnets, "subnet", subnetId);
    const attached = attachmentsIn(call, vpcId, subnetId);
    if (attached.length > 0)
      throw call.error("ResourceInUse", `subnet ${subnetId} cannot be deleted while ${ownersOf(attached)} has addresses of it`);
    call.rows(subnets).remove(subnetId);
    return {};
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
export function freeAddresses(call: Call, subnet: SubnetRow): number {
  return usableAddresses(subnet.cidrBlock) - (addressesTaken(call, [subnet]).get(subnet.id) ?? 0);
}

export function attachmentsIn(call: Call, vpcId: string, subnetId: string): Attachment[] {
  return attachmentsBy(call, (attachment) => attachment.subnetId === subnetId, vpcId);
}

/** How many IPv4 addresses are taken, by subnet. */
function addressesTaken(call: Call, rows: readonly SubnetRow[]): Map<string, number> {
  const taken = new Map<string, number>();
  for (const vpcId of new Set(rows.map((row) => row.vpcId))) {
    for (const { subnetId, addresses } of attachmentsBy(call, () => true, vpcId))
      if (subnetId !== undefined) taken.set(subnetId, (taken.get(subnetId) ?? 0) + addresses);
  }
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

function rangeWithin(
  call: Call<"InvalidParameterValue.Malformed" | "InvalidParameterValue.SubnetRange">,
  vpc: VpcRow,
  cidrBlock: string,
): Cidr {
  const cidr = rangeOf(call, "CidrBlock", cidrBlock, 4);
  if (!contains(vpc.cidrBlock, cidr))
    throw call.error("InvalidParameterValue.SubnetRange", `CidrBlock ${cidrBlock} is not inside ${vpc.cidrBlock} of ${vpc.id}`);
  refuseUnlessAllowed(call, "InvalidParameterValue.Malformed", "CidrBlock", cidrBlock, networkRules.subnetRange);
  return cidr;
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
