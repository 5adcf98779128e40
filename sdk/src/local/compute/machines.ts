import type { z } from "zod";
import { describeInstances, describeKeyPairs, describeZones } from "../../catalogue/compute.ts";
import { type Behaviour, on } from "../behaviour.ts";
import { byId, byParent, exactly, listed, type Listing, partly, tagFilters } from "../requests/listing.ts";
import { zonesOf } from "../regions.ts";
import { instances, keyPairs } from "./tables.ts";

type InstanceRow = z.output<typeof instances.row>;
type KeyPairRow = z.output<typeof keyPairs.row>;

const instanceListing: Listing<InstanceRow> = {
  table: instances,
  noun: "machine",
  ids: "InstanceIds",
  filters: {
    "instance-id": byId(),
    "instance-name": partly(({ name }) => [name]),
    "instance-state": exactly(({ state }) => [state]),
    "instance-type": exactly(({ instanceType }) => [instanceType]),
    "instance-charge-type": exactly(({ chargeType }) => [chargeType]),
    zone: exactly(({ zone }) => [zone]),
    "vpc-id": byParent(({ vpcId }) => vpcId),
    "subnet-id": exactly(({ subnetId }) => [subnetId]),
    "security-group-id": exactly(({ securityGroupIds }) => securityGroupIds),
    "image-id": exactly(({ imageId }) => [imageId]),
    "private-ip-address": exactly(({ privateIpAddress }) => [privateIpAddress]),
    "tag-value": exactly(({ tags }) => tags.map(({ value }) => value)),
    ...tagFilters<InstanceRow>(({ tags }) => tags),
  },
};

const keyPairListing: Listing<KeyPairRow> = {
  table: keyPairs,
  noun: "key pair",
  ids: "KeyIds",
  filters: {
    "key-name": exactly(({ name }) => [name]),
    "project-id": exactly(() => ["0"]),
    ...tagFilters<KeyPairRow>(({ tags }) => tags),
  },
};

export const machineBehaviours: readonly Behaviour[] = [
  on(describeZones, ({ region }) => {
    const zones = zonesOf(region);
    return {
      totalCount: zones.length,
      zoneSet: zones.map(({ zone, available }, index) => ({
        zone,
        zoneName: `${region} zone ${index + 1}`,
        zoneId: String(index + 1),
        zoneState: available ? "AVAILABLE" : "UNAVAILABLE",
      })),
    };
  }),

  on(describeKeyPairs, (call, { keyIds, ...asked }) => {
    const { totalCount, rows } = listed(call, keyPairListing, { ids: keyIds, ...asked });
    const machines = rows.length > 0 ? call.rows(instances).list() : [];
    return {
      totalCount,
      keyPairSet: rows.map(({ id, name, ...row }) => ({
        keyId: id,
        keyName: name,
        projectId: 0,
        description: row.description,
        publicKey: row.publicKey,
        associatedInstanceIds: machines.filter((machine) => machine.keyIds.includes(id)).map((machine) => machine.id),
        createdTime: row.createdTime,
        tags: row.tags,
      })),
    };
  }),

  on(describeInstances, (call, { instanceIds, ...asked }) => {
    const { totalCount, rows } = listed(call, instanceListing, { ids: instanceIds, ...asked });
    return { totalCount, instanceSet: rows.map(recordOf) };
  }),
];

function recordOf({ id, name, vpcId, subnetId, keyIds, ...row }: InstanceRow) {
  return {
    instanceId: id,
    instanceName: name,
    instanceType: row.instanceType,
    instanceChargeType: row.chargeType,
    instanceState: row.state,
    placement: { zone: row.zone },
    imageId: row.imageId,
    osName: row.osName,
    systemDisk: row.systemDisk,
    virtualPrivateCloud: { vpcId, subnetId },
    privateIpAddresses: [row.privateIpAddress],
    securityGroupIds: row.securityGroupIds,
    loginSettings: { keyIds },
    createdTime: row.createdTime,
    tags: row.tags,
  };
}
