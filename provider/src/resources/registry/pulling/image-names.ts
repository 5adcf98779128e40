import type { Cloud } from "@container-platform/sdk";
import { registryFinder } from "@container-platform/sdk/finders/registry";
import * as z from "@container-platform/sdk/zod";
import { object } from "../../../definition/inputs.ts";
import { dedicatedDomain } from "../access/internal-access.ts";

/** What the names of images begin with, by the way they are pulled. */
export const imageNames = object({
  public: z.string(),
  vpc: z.string(),
});

/** The names of what has this path in a registry, such as `team` or `team/web`. */
export async function imageNamesOf(cloud: Cloud, registryId: string, path: string): Promise<z.output<typeof imageNames>> {
  // A registry keeps its domain, once it has one.
  const seen = await registryFinder.seen(cloud, registryId);
  const domain = (seen?.publicDomain ? seen : await registryFinder.find(cloud, registryId))?.publicDomain ?? "";
  return { public: `${domain}/${path}`, vpc: `${dedicatedDomain(domain)}/${path}` };
}
