import type { Cloud } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import { registryAnywhereFinder } from "@container-platform/sdk/finders/registry";
import { type Offer, oneOfList } from "../../definition/offers.ts";
import { recently } from "../../definition/context.ts";

export const region = oneOfList("region", async (cloud) =>
  (await cloud.call(cluster.describeRegions, {})).regionInstanceSet.map(({ regionName }) => regionName),
);

/** How `CheckInstanceName` says that a name is reserved, and that a registry has it. */
const [reserved, held] = [2, 3];

/** What the platform says of a name. One call for all who ask. */
function verdictOn(cloud: Cloud, registryName: string): Promise<number | undefined> {
  const read = async () => (await cloud.call(registry.checkInstanceName, { registryName })).detailCode;
  return cloud.readings.share([registry.checkInstanceName], `name ${registryName}`, recently, read);
}

/** The platform asks the registries of all regions and accounts. A name that it takes for malformed is refused when it is used. */
export async function isFree(cloud: Cloud, registryName: string): Promise<boolean> {
  return (await verdictOn(cloud, registryName)) !== held;
}

export const unreservedName: Offer<unknown> = {
  flaw: async (cloud, value) => {
    const registryName = String(value);
    return (await verdictOn(cloud, registryName)) === reserved
      ? `${JSON.stringify(registryName)} is reserved by the platform: take another name`
      : undefined;
  },
};

export const future: Offer<unknown> = {
  flaw: (cloud, value) => {
    const isPast = Date.parse(String(value)) <= cloud.now();
    const now = new Date(cloud.now()).toISOString();
    return Promise.resolve(isPast ? `takes a moment in the future, not ${String(value)}: it is ${now} now` : undefined);
  },
};

/** Where images are copied to. Without a region, it is one of the source's. */
export const destination: Offer<Readonly<{ destinationRegion?: string | undefined }>> = {
  flaw: async (cloud, value, inputs) => {
    const destinationRegion = inputs.destinationRegion || cloud.region;
    const found = await registryAnywhereFinder.find(cloud.tolerating(recently), String(value));
    if (!found) return `there is no registry ${String(value)} in ${destinationRegion}`;
    if (found.regionName === destinationRegion) return undefined;
    return `registry ${String(value)} is in ${found.regionName}, not in ${destinationRegion}: name that in destinationRegion`;
  },
};
