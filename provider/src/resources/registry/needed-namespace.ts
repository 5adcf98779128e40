import { namespacesOf } from "@container-platform/sdk/finders/registry";
import type { Need } from "../../definition/needs.ts";

/** A namespace that is named in an input. A permission may write its name with a `/` behind it. */
export function namespaceIn<const In extends string>(by: string, registryInput: In): Need<Readonly<Record<In, string>>> {
  return {
    by,
    in: registryInput,
    type: "Namespace",
    within: "registryId",
    serves: ({ namespaceName }, value) => typeof namespaceName !== "string" || namespaceName === nameIn(value),
    isThere: async (cloud, registryId, value) => (await namespacesOf(cloud, registryId)).some(({ name }) => name === nameIn(value)),
    lacks: (registry, value) => `registry ${registry} has no namespace ${nameIn(value)}: ${remedy}`,
  };
}

const remedy =
  "name one that is there; or if this program makes it, pass the output namespaceName of that Namespace, so that it is made first";

/** Namespaces of a registry in another region are not looked at. */
export const destinationNamespace: Need<Readonly<{ destinationRegistryId: string; destinationRegion?: string | undefined }>> = (() => {
  const { isThere, ...need } = namespaceIn("destNamespace", "destinationRegistryId");
  return {
    ...need,
    isThere: async (cloud, registryId, value, { destinationRegion = cloud.region }) =>
      destinationRegion !== cloud.region || isThere(cloud, registryId, value, {}),
  };
})();

function nameIn(value: unknown): string {
  return String(value).replace(/\/$/, "");
}
