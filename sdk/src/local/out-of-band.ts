import { InputError } from "../operation/errors.ts";
import { Context } from "./behaviour.ts";
import { freeHosts } from "./cluster/network.ts";
import { instances, keyPairs } from "./compute/tables.ts";
import type { Table } from "./store/table.ts";
import { attachments, routeTables, subnets, vpcs } from "./vpc/tables.ts";
import type { World } from "./store/world.ts";

/**
 * Changes of a world that no operation makes, such as a machine of the compute service. Tests use them to prepare a world. Each is
 * one transaction, and answers the id of what it made.
 */

/**
 * Adds a route table to a VPC, besides its main one.
 *
 * @throws InputError if there is no such VPC.
 */
export function putRouteTable(
  world: World,
  { region, vpcId, name }: { readonly region: string; readonly vpcId: string; readonly name: string },
): Promise<string> {
  return world.transaction(() => {
    const at = new Context(world, region);
    present(at, vpcs, vpcId);
    const id = world.newId("rtb");
    at.rows(routeTables).insert({ id, vpcId, name, main: false, createdTime: at.timestamp, tags: [], routes: [] }, vpcId);
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
    const at = new Context(world, region);
    const subnet = present(at, subnets, subnetId);
    if (subnet.vpcId !== vpcId) throw new InputError(`${subnetId} is a subnet of ${subnet.vpcId}, not of ${vpcId}`);
    const [privateIpAddress] = freeHosts(at, subnet, 1);
    if (privateIpAddress === undefined) throw new InputError(`${subnetId} has no free address`);
    const id = world.newId("ins");
    const securityGroupIds = [...(given.securityGroupIds ?? [])];
    at.rows(instances).insert(
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
        privateIpAddress,
        securityGroupIds,
        keyIds: [...(given.keyIds ?? [])],
        createdTime: at.timestamp,
        tags: [],
      },
      vpcId,
    );
    const attachment = { owner: id, vpcId, subnetId, addresses: 1, ipv6: given.ipv6 ?? false, securityGroupIds };
    at.rows(attachments).insert({ id: world.newId("eni"), ...attachment }, vpcId);
    return id;
  });
}

/** Removes a machine from the world, and releases its addresses and security groups. */
export function removeInstance(world: World, region: string, id: string): Promise<void> {
  return world.transaction(() => {
    const at = new Context(world, region);
    const { vpcId } = present(at, instances, id);
    for (const attachment of at.list(attachments, vpcId)) if (attachment.owner === id) at.rows(attachments).remove(attachment.id);
    at.rows(instances).remove(id);
  });
}

/** Adds a key pair to a region. */
export function putKeyPair(
  world: World,
  { region, name, description = "", publicKey }: { region: string; name: string; description?: string; publicKey?: string },
): Promise<string> {
  return world.transaction(() => {
    const at = new Context(world, region);
    const id = world.newId("skey");
    const key = publicKey ?? `ssh-ed25519 ${world.draw().toString("base64")} ${name}`;
    at.rows(keyPairs).insert({ id, name, description, publicKey: key, createdTime: at.timestamp, tags: [] });
    return id;
  });
}

function present<Row extends { id: string }>(at: Context, of: Table<Row>, id: string): Row {
  const row = at.rows(of).get(id);
  if (!row) throw new InputError(`there is no ${id} in ${at.region} of this world`);
  return row;
}
