import { addressAt, addressCount } from "../formats/addresses.ts";
import { InputError } from "../operation/errors.ts";
import { instances, keyPairs } from "./compute/tables.ts";
import type { Table } from "./store/table.ts";
import { timestampOf } from "./time.ts";
import { attachments, routeTables, subnets, vpcs } from "./vpc/tables.ts";
import type { World } from "./store/world.ts";

/**
 * Changes of a world that no operation makes, such as a machine of the compute service. Tests use them to prepare a world. Each is
 * one transaction, and answers the id of what it made.
 */

export interface NewRouteTable {
  readonly region: string;
  readonly vpcId: string;
  readonly name: string;
}

/**
 * Adds a route table to a VPC, besides its main one.
 *
 * @throws InputError if there is no such VPC.
 */
export function putRouteTable(world: World, { region, vpcId, name }: NewRouteTable): Promise<string> {
  return world.transaction(() => {
    present(world, vpcs, region, vpcId);
    const id = world.newId("rtb");
    world
      .rows(routeTables, region)
      .insert({ id, vpcId, name, main: false, createdTime: timestampOf(world.now()), tags: [], routes: [] }, vpcId);
    return id;
  });
}

export interface NewInstance {
  readonly region: string;
  readonly vpcId: string;
  readonly subnetId: string;
  /** The subnet's zone unless given. */
  readonly zone?: string;
  readonly name?: string;
  /** `SA2.MEDIUM4` unless given. */
  readonly instanceType?: string;
  /** `POSTPAID_BY_HOUR` unless given. */
  readonly chargeType?: "POSTPAID_BY_HOUR" | "PREPAID";
  readonly imageId?: string;
  /** `Ubuntu Server 22.04 LTS 64bit` unless given. */
  readonly osName?: string;
  readonly securityGroupIds?: readonly string[];
  readonly keyIds?: readonly string[];
  /** Whether it also has an address of the subnet's IPv6 range; false unless given. */
  readonly ipv6?: boolean;
}

/**
 * Adds a running machine to a subnet. It takes one address.
 *
 * @throws InputError if there is no such subnet in that VPC.
 */
export function putInstance(world: World, { region, vpcId, subnetId, ...given }: NewInstance): Promise<string> {
  return world.transaction(() => {
    const subnet = present(world, subnets, region, subnetId);
    if (subnet.vpcId !== vpcId) throw new InputError(`${subnetId} is a subnet of ${subnet.vpcId}, not of ${vpcId}`);
    const id = world.newId("ins");
    const securityGroupIds = [...(given.securityGroupIds ?? [])];
    world.rows(instances, region).insert(
      {
        id,
        name: given.name ?? id,
        zone: given.zone ?? subnet.zone,
        vpcId,
        subnetId,
        instanceType: given.instanceType ?? "SA2.MEDIUM4",
        chargeType: given.chargeType ?? "POSTPAID_BY_HOUR",
        imageId: given.imageId ?? "img-00000001",
        osName: given.osName ?? "Ubuntu Server 22.04 LTS 64bit",
        systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
        state: "RUNNING",
        privateIpAddress: freeAddress(world, region, subnet),
        securityGroupIds,
        keyIds: [...(given.keyIds ?? [])],
        createdTime: timestampOf(world.now()),
        tags: [],
      },
      vpcId,
    );
    const attachment = { owner: id, vpcId, subnetId, addresses: 1, ipv6: given.ipv6 ?? false, securityGroupIds };
    world.rows(attachments, region).insert({ id: world.newId("eni"), ...attachment }, vpcId);
    return id;
  });
}

/** Removes a machine from the world, and releases its addresses and security groups. */
export function removeInstance(world: World, region: string, id: string): Promise<void> {
  return world.transaction(() => {
    const { vpcId } = present(world, instances, region, id);
    const held = world.rows(attachments, region);
    for (const attachment of held.list(vpcId)) if (attachment.owner === id) held.remove(attachment.id);
    world.rows(instances, region).remove(id);
  });
}

export interface NewKeyPair {
  readonly region: string;
  readonly name: string;
  readonly description?: string;
  readonly publicKey?: string;
}

/** Adds a key pair to a region. */
export function putKeyPair(world: World, { region, name, description = "", publicKey }: NewKeyPair): Promise<string> {
  return world.transaction(() => {
    const id = world.newId("skey");
    const key = publicKey ?? `ssh-ed25519 ${world.draw().toString("base64")} ${name}`;
    world.rows(keyPairs, region).insert({ id, name, description, publicKey: key, createdTime: timestampOf(world.now()), tags: [] });
    return id;
  });
}

function present<Row extends { id: string }>(world: World, of: Table<Row>, region: string, id: string): Row {
  const row = world.rows(of, region).get(id);
  if (!row) throw new InputError(`there is no ${id} in ${region} of this world`);
  return row;
}

/** The lowest address after the gateway's that no machine of the subnet has. */
function freeAddress(world: World, region: string, { id, vpcId, cidrBlock }: { id: string; vpcId: string; cidrBlock: string }): string {
  const taken = new Set(
    world
      .rows(instances, region)
      .list(vpcId)
      .flatMap(({ subnetId, privateIpAddress }) => (subnetId === id ? [privateIpAddress] : [])),
  );
  // The first address is the network's, the second the gateway's, and the last one is for broadcasts.
  for (let index = 2n; index < addressCount(cidrBlock) - 1n; index++) {
    const address = addressAt(cidrBlock, index);
    if (!taken.has(address)) return address;
  }
  throw new InputError(`${id} has no free address`);
}
