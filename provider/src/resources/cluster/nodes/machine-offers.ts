import * as compute from "@container-platform/sdk/compute";
import * as disk from "@container-platform/sdk/disk";
import { type Cloud, diskFlaw, type DiskFlaw, listed, unofferedTypes } from "@container-platform/sdk";
import { subnetFinder } from "@container-platform/sdk/finders/vpc";
import { textIn } from "../../../definition/invariants.ts";
import { listedOnce, type Offer, type Referred } from "../../../definition/offers.ts";
import type { Native } from "./native.ts";
import { firstLook } from "../../../definition/context.ts";

/** What a pool's nodes can be made of, in the zones of its subnets. Where nobody can tell these yet, it is enough that some zone has it. */

type OfPool = Offer<{ readonly native: Native }>;
const beside = ["native.subnetIds"];

export const instanceTypes: OfPool = {
  beside,
  flaw: async (cloud, _value, { native }, referred) => {
    const offers = await instanceOffers(cloud);
    const everywhere = [...new Set(offers.map(({ zone }) => zone))];
    const nowhere = native.instanceTypes
      .map((type) => unofferedTypes(offers, [type], everywhere))
      .find((flaw) => flaw?.zones.length === everywhere.length);
    const zones = nowhere ? [] : await zonesOf(cloud, referred);
    const flaw = nowhere ?? (zones.length > 0 ? unofferedTypes(offers, native.instanceTypes, zones) : undefined);
    if (!flaw) return undefined;
    const types = listed(flaw.types.map((type) => JSON.stringify(type)));
    const instead = `types such as ${flaw.instead.slice(0, 5).join(", ")}, which getInstanceTypes({ zone }) lists`;
    if (nowhere) return `${types} is no type of instance that ${cloud.region} offers: it takes ${instead}`;
    const others = everywhere.filter((zone) =>
      offers.some((one) => one.zone === zone && !one.soldOut && flaw.types.includes(one.instanceType)),
    );
    const there = listed(flaw.zones);
    return `${types} cannot be had in ${there}, but in ${listed(others)}; ${there} ${flaw.zones.length === 1 ? "takes" : "take"} ${instead}`;
  },
};

export const systemDisk: OfPool = {
  beside,
  flaw: async (cloud, _value, { native }, referred) => {
    const { diskType, diskSize } = native.systemDisk;
    return unofferedDisk(cloud, { diskType, diskSize, usage: "SYSTEM_DISK" }, referred);
  },
};

export const dataDisks: OfPool = {
  ...systemDisk,
  flaw: async (cloud, _value, { native }, referred) => {
    for (const [index, { diskType, diskSize }] of (native.dataDisks ?? []).entries()) {
      const flaw = await unofferedDisk(cloud, { diskType, diskSize, usage: "DATA_DISK" }, referred);
      if (flaw) return { ...flaw, of: `[${index}].${flaw.of}` };
    }
    return undefined;
  },
};

export const keyPairs: OfPool = {
  flaw: async (cloud, _value, { native: { keyIds = [] } }) => {
    const list = async () => (await cloud.all(compute.describeKeyPairs, {})).map(({ keyId }) => keyId);
    const first = await listedOnce(cloud, "key pairs", list);
    if (keyIds.every((id) => first.includes(id))) return undefined;
    // It may have been made during this run, by another provider.
    const now = await list();
    const missing = keyIds.find((id) => !now.includes(id));
    return missing === undefined ? undefined : `there is no key pair ${missing} in ${cloud.region}: getKeyPairs() lists them`;
  },
};

/** Only types with a GPU take drivers (specification, GPUArgs). */
export const gpuTypes: OfPool = {
  flaw: async (cloud, _value, { native: { gpuConfigs = [] } }) => {
    const withGpu = [...new Set((await instanceOffers(cloud)).flatMap(({ gpu, instanceType }) => (gpu > 0 ? [instanceType] : [])))];
    const odd = gpuConfigs.find(({ instanceType }) => !withGpu.includes(instanceType));
    return odd && `${JSON.stringify(odd.instanceType)} is no type of instance with a GPU: it takes ${withGpu.join(", ")}`;
  },
};

function instanceOffers(cloud: Cloud) {
  return listedOnce(cloud, "types of instance", async () => {
    const { instanceTypeQuotaSet } = await cloud.call(compute.describeZoneInstanceConfigInfos, {});
    return instanceTypeQuotaSet.map(({ zone, instanceType, status, gpu }) => ({ zone, instanceType, gpu, soldOut: status === "SOLD_OUT" }));
  });
}

async function unofferedDisk(cloud: Cloud, asked: Parameters<typeof diskFlaw>[1], referred: Referred): Promise<DiskFlaw | undefined> {
  const offers = await listedOnce(cloud, "types of disk", async () => {
    const { diskConfigSet } = await cloud.call(disk.describeDiskConfigQuota, { inquiryType: "INQUIRY_CBS_CONFIG" });
    return diskConfigSet.flatMap(({ available, diskUsage: usage, minDiskSize: least, maxDiskSize: most, ...one }) =>
      available ? [{ ...one, usage, least, most }] : [],
    );
  });
  const everywhere = [...new Set(offers.map(({ zone }) => zone))].map((zone) => diskFlaw(offers, asked, [zone]));
  const nowhere = everywhere.length > 0 && everywhere.every((flaw) => flaw !== undefined) ? everywhere[0] : undefined;
  // A type that no zone has is not there in the whole region, whichever zones the pool is in.
  const inRegion = offers.map((one) => ({ ...one, zone: cloud.region }));
  if (nowhere !== undefined) return diskFlaw(inRegion, asked, [cloud.region]) ?? nowhere;
  return diskFlaw(offers, asked, await zonesOf(cloud, referred));
}

/** The zones of a pool's subnets, those that the program makes included, which never change; none if one of the subnets is not there. */
async function zonesOf(cloud: Cloud, referred: Referred): Promise<readonly string[]> {
  const zones = await Promise.all(
    referred("native.subnetIds").map(async (subnet) =>
      typeof subnet === "string" ? (await subnetFinder.seen(cloud.tolerating(firstLook), subnet))?.zone : textIn(subnet, "zone"),
    ),
  );
  const known = zones.flatMap((zone) => zone ?? []);
  return known.length === zones.length ? [...new Set(known)] : [];
}
