import { cidrSubnet, contains } from "../../formats/addresses.ts";
import { assignIpv6CidrBlock, assignIpv6SubnetCidrBlock, unassignIpv6CidrBlock, unassignIpv6SubnetCidrBlock } from "../../catalogue/vpc.ts";
import { type Call, on } from "../behaviour.ts";
import { requireRow } from "../requests/require-row.ts";
import { firstFew } from "../requests/names-and-tags.ts";
import { regions } from "../regions.ts";
import { attachmentsBy, ownersOf } from "./attachments.ts";
import { rangeOf } from "./ranges.ts";
import { attachmentsIn, type SubnetRow } from "./subnets.ts";
import { subnets, vpcs } from "./tables.ts";
import type { VpcRow } from "./vpcs.ts";

/** The ranges that blocks are drawn from. Global ones are documentation addresses, so that they belong to nobody. */
const pools = { GUA: "2001:db8::/32", ULA: "fd00::/8" } as const;
const blockPrefix = 56;
const subnetPrefix = 64;

export const ipv6Behaviours = [
  on(assignIpv6CidrBlock, (call, { vpcId, addressType = "GUA" }) => {
    const { ipv6CidrBlock: present } = requireRow(call, vpcs, "VPC", vpcId);
    if (present !== undefined)
      throw call.error("LimitExceeded.CidrBlock", `VPC ${vpcId} has the IPv6 block ${present}; a VPC has one block at most`);
    const ipv6CidrBlock = drawBlock(call, pools[addressType]);
    call.rows(vpcs).update(vpcId, { ipv6CidrBlock, addressType });
    return { ipv6CidrBlock, addressType };
  }),

  on(unassignIpv6CidrBlock, (call, { vpcId, ipv6CidrBlock }) => {
    const { ipv6CidrBlock: present } = requireRow(call, vpcs, "VPC", vpcId);
    if (present === undefined) throw call.error("ResourceNotFound", `VPC ${vpcId} has no IPv6 block`);
    if (ipv6CidrBlock !== undefined && rangeOf(call, "Ipv6CidrBlock", ipv6CidrBlock, 6).canonical !== present)
      throw call.error("ResourceNotFound", `VPC ${vpcId} has the IPv6 block ${present}, not ${ipv6CidrBlock}`);
    const having = call
      .rows(subnets)
      .list(vpcId)
      .flatMap(({ id, ipv6CidrBlock: part }) => (part === undefined ? [] : [id]));
    if (having.length > 0)
      throw call.error(
        "ResourceInUse",
        `block ${present} of ${vpcId} cannot be unassigned while subnets have parts of it: ${firstFew(having)}`,
      );
    const attached = attachmentsBy(call, ({ ipv6 }) => ipv6, vpcId);
    if (attached.length > 0)
      throw call.error(
        "ResourceInUse",
        `block ${present} of ${vpcId} cannot be unassigned while ${ownersOf(attached)} has addresses of it`,
      );
    call.rows(vpcs).update(vpcId, { ipv6CidrBlock: undefined, addressType: undefined });
    return {};
  }),

  on(assignIpv6SubnetCidrBlock, (call, { vpcId, ipv6SubnetCidrBlocks: items, clientToken }) => {
    const vpc = requireRow(call, vpcs, "VPC", vpcId);
    refuseToken(call, clientToken);
    refuseItems(call, items);
    const parts = items.map((item) => ({ subnet: subnetIn(call, vpc, item.subnetId), part: partOf(call, vpc, item.ipv6SubnetCidrBlock) }));
    const repeated = parts.every(({ subnet, part }) => subnet.ipv6Token === clientToken && subnet.ipv6CidrBlock === part);
    if (clientToken === undefined || !repeated) {
      const taken = new Map<string, string>();
      for (const { id, ipv6CidrBlock } of call.rows(subnets).list(vpcId)) if (ipv6CidrBlock !== undefined) taken.set(ipv6CidrBlock, id);
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

  on(unassignIpv6SubnetCidrBlock, (call, { vpcId, ipv6SubnetCidrBlocks: items }) => {
    const vpc = requireRow(call, vpcs, "VPC", vpcId);
    refuseItems(call, items);
    for (const { subnetId, ipv6SubnetCidrBlock: given } of items) {
      const { ipv6CidrBlock: present } = subnetIn(call, vpc, subnetId);
      if (present === undefined) throw call.error("ResourceNotFound", `subnet ${subnetId} has no IPv6 range`);
      if (given !== undefined && rangeOf(call, "Ipv6SubnetCidrBlock", given, 6).canonical !== present)
        throw call.error("ResourceNotFound", `subnet ${subnetId} has the IPv6 range ${present}, not ${given}`);
      const attached = attachmentsIn(call, vpcId, subnetId).filter(({ ipv6 }) => ipv6);
      if (attached.length > 0)
        throw call.error(
          "ResourceInUse",
          `range ${present} of ${subnetId} cannot be unassigned while ${ownersOf(attached)} has addresses of it`,
        );
      call.rows(subnets).update(subnetId, { ipv6CidrBlock: undefined, ipv6Token: undefined });
    }
    return {};
  }),
];

/** A block that no VPC of the account has, in any region. All blocks have one size: two of them are equal, or do not overlap. */
function drawBlock(call: Call, pool: string): string {
  const taken = new Set(
    regions.flatMap((region) =>
      call.world
        .rows(vpcs, region, call.account)
        .list()
        .map(({ ipv6CidrBlock }) => ipv6CidrBlock),
    ),
  );
  for (;;) {
    // The smaller pool has 2^24 blocks: so many are drawn from in both.
    const block = cidrSubnet(cidrSubnet(pool, 32, 0), blockPrefix, call.world.draw().readUIntBE(0, 3));
    if (!taken.has(block)) return block;
  }
}

function subnetIn(call: Call<"ResourceNotFound">, vpc: VpcRow, subnetId: string): SubnetRow {
  const subnet = requireRow(call, subnets, "subnet", subnetId);
  if (subnet.vpcId !== vpc.id)
    throw call.error("ResourceNotFound", `there is no subnet ${subnetId} in ${vpc.id}; it is of ${subnet.vpcId}`);
  return subnet;
}

/** A /64 inside the VPC's block (specification, Limits), in canonical spelling. */
function partOf(
  call: Call<"InvalidParameterValue.Malformed" | "InvalidParameterValue.SubnetRange">,
  { id, ipv6CidrBlock: block }: VpcRow,
  given: string,
): string {
  const cidr = rangeOf(call, "Ipv6SubnetCidrBlock", given, 6);
  if (block === undefined)
    throw call.error("InvalidParameterValue.SubnetRange", `VPC ${id} has no IPv6 block that ${given} could be part of; assign one first`);
  if (cidr.prefix !== subnetPrefix || !contains(block, cidr))
    throw call.error("InvalidParameterValue.SubnetRange", `${given} is not a /${subnetPrefix} inside ${block} of ${id}`);
  return cidr.canonical;
}

function refusePart(
  call: Call<"LimitExceeded.SubnetCidrBlock" | "InvalidParameter.SubnetConflict">,
  subnet: SubnetRow,
  part: string,
  taken: ReadonlyMap<string, string>,
): void {
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

/** A token has at most 64 ASCII characters (public API). */
function refuseToken(call: Call<"InvalidParameterValue.Malformed">, token: string | undefined): void {
  if (token !== undefined && !/^[\x20-\x7e]{1,64}$/.test(token))
    throw call.error("InvalidParameterValue.Malformed", "ClientToken takes 1 to 64 ASCII characters");
}
