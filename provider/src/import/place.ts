import { localFile } from "@container-platform/sdk";
import type { Connection } from "@container-platform/sdk/cli";

/** Where a command reads, in words: the region, the platform, and what names that. */
export function placeOf({ cloud, endpoint, source }: Connection): string {
  const file = localFile(endpoint);
  return `${cloud.region} of ${file === undefined ? endpoint : `local:${file}`} (from ${source})`;
}
