import { type Cloud, PlatformError } from "@container-platform/sdk";
import * as compute from "@container-platform/sdk/compute";
import { clusterFinder } from "@container-platform/sdk/finders/cluster";
import { namespacesOf, registryFinder } from "@container-platform/sdk/finders/registry";
import { vpcFinder } from "@container-platform/sdk/finders/vpc";
import { ProviderError } from "../definition/codes.ts";

// Operations differ in what they answer about what does not exist: an error, or nothing. Functions say what is missing.

/** What a function asks about that does not exist, such as `registry tcr-3f8a0c1e in eu-frankfurt`; `undefined` if all of it does. */
type Missing = () => Promise<string | undefined>;

/** What a call answers. If the platform refuses it because of something that does not exist, the error names that. */
export async function existing<T>(call: Promise<T>, missing: Missing): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PlatformError && (error.kind === "notFound" || error.kind === "invalid")) await refuse(missing, error);
    throw error;
  }
}

/** The list that a call answers; it is empty only where what it is asked of exists. */
export async function listed<Item>(call: Promise<Item[]>, missing: Missing): Promise<Item[]> {
  const found = await existing(call, missing).catch((error: unknown) => {
    if (error instanceof PlatformError && error.kind === "notFound") return [];
    throw error;
  });
  if (found.length === 0) await refuse(missing);
  return found;
}

async function refuse(missing: Missing, cause?: unknown): Promise<void> {
  const what = await missing();
  if (what !== undefined) throw new ProviderError("NotFound", `there is no ${what}`, { cause });
}

/** The cluster, unless the region has it. */
export async function missingCluster(cloud: Cloud, clusterId: string): Promise<string | undefined> {
  return (await clusterFinder.find(cloud, clusterId)) ? undefined : `cluster ${clusterId} in ${cloud.region}`;
}

/** The VPC, unless the region has it. */
export async function missingVpc(cloud: Cloud, vpcId: string): Promise<string | undefined> {
  return (await vpcFinder.find(cloud, vpcId)) ? undefined : `VPC ${vpcId} in ${cloud.region}`;
}

/** The zone, unless the region has it, available or not; and those that can be used. */
export async function missingZone(cloud: Cloud, zone: string): Promise<string | undefined> {
  const { zoneSet } = await cloud.call(compute.describeZones, {});
  if (zoneSet.some((one) => one.zone === zone)) return undefined;
  const usable = zoneSet.filter(({ zoneState }) => zoneState === "AVAILABLE").map((one) => one.zone);
  return `zone ${zone} in ${cloud.region}; it takes ${usable.toSorted().join(", ")}`;
}

/** The registry, unless the region has it; or else its namespace, unless it has that. */
export async function missingRegistry(cloud: Cloud, registryId: string, namespaceName?: string): Promise<string | undefined> {
  if (!(await registryFinder.find(cloud, registryId))) return `registry ${registryId} in ${cloud.region}`;
  if (namespaceName === undefined || (await namespacesOf(cloud, registryId)).some(({ name }) => name === namespaceName)) return undefined;
  return `namespace ${namespaceName} in registry ${registryId}`;
}
