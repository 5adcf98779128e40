import { namespacesOf } from "@container-platform/sdk/finders/registry";
import { firstLook } from "../../definition/context.ts";
import type { Prerequisite } from "./prerequisite.ts";

const remedy =
  "Use an existing one. If this program creates it, pass the output namespaceName of that Namespace, so that Pulumi creates it first";

/** The namespace in an input exists. A permission may end its name with `/`. */
export function namespaceIn<const By extends string, const In extends string>(by: By, registryInput: In): Prerequisite<By, In> {
  return {
    by,
    in: registryInput,
    type: "Namespace",
    within: "registryId",
    isMetBy: ({ namespaceName }, value) => typeof namespaceName !== "string" || namespaceName === nameIn(value),
    exists: async ({ cloud }, registryId, value) =>
      (await namespacesOf(cloud.tolerating(firstLook), registryId)).some(({ name }) => name === nameIn(value)),
    message: (registry, value) => `namespace ${nameIn(value)} not found in registry ${registry}. ${remedy}`,
  };
}

const existing = namespaceIn("destNamespace", "destinationRegistryId");

/** The same for the target of a replication. Namespaces of a registry in another region are not read. */
export const destinationNamespace: Prerequisite<"destNamespace", "destinationRegistryId"> = {
  ...existing,
  exists: async (world, registryId, value, { destinationRegion = world.cloud.region }) =>
    destinationRegion !== world.cloud.region || existing.exists(world, registryId, value, {}),
};

function nameIn(value: unknown): string {
  return String(value).replace(/\/$/, "");
}
