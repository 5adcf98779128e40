import { registryFinder } from "@container-platform/sdk/finders/registry";
import { firstLook } from "../../definition/context.ts";
import { holdsUnknown } from "../../schema/values.ts";
import type { Prerequisite } from "./prerequisite.ts";

const remedy =
  'Set its registryType to "premium". If this program does, pass the output registryId of that RegistryInstance, so that Pulumi updates it first';

/** The source of a replication to another region is a premium registry. */
export const premiumSource: Prerequisite<"destinationRegion", "sourceRegistryId"> = {
  by: "destinationRegion",
  in: "sourceRegistryId",
  type: "RegistryInstance",
  isMetBy: ({ registryType }, value, region) => isSame(value, region) || registryType === "premium" || holdsUnknown(registryType),
  exists: async ({ cloud }, registryId, value) =>
    isSame(value, cloud.region) || (await registryFinder.find(cloud.tolerating(firstLook), registryId))?.registryType === "premium",
  message: (registry, value) => `copies to ${String(value)} need a premium source, and registry ${registry} is not premium. ${remedy}`,
};

/** Whether a replication stays in the region. */
function isSame(value: unknown, region: string): boolean {
  return value === undefined || value === "" || value === region;
}
