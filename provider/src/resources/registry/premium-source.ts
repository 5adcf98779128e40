import { registryFinder } from "@container-platform/sdk/finders/registry";
import type { Need } from "../../definition/needs.ts";
import { holdsUnknown } from "../../schema/values.ts";

const remedy =
  'set its registryType to "premium"; or if this program does, pass the output registryId of that RegistryInstance, so that it comes first';

/** What images are copied from to another region. */
export const premiumSource: Need<Readonly<{ sourceRegistryId: string; destinationRegion?: string | undefined }>> = {
  by: "destinationRegion",
  in: "sourceRegistryId",
  type: "RegistryInstance",
  serves: ({ registryType }, value, region) => isNear(value, region) || registryType === "premium" || holdsUnknown(registryType),
  isThere: async (cloud, registryId, value) =>
    isNear(value, cloud.region) || (await registryFinder.find(cloud, registryId))?.registryType === "premium",
  lacks: (registry, value) => `copies to ${String(value)} take a premium source, which registry ${registry} is not: ${remedy}`,
};

function isNear(value: unknown, region: string): boolean {
  return value === undefined || value === "" || value === region;
}
