import { localFile } from "@container-platform/sdk";
import type { Home } from "../lifecycle/private-state.ts";

/** Endpoint, region and account, as the intent log has them: a local world is one place, whatever its endpoint is called. */
export function placeOfHome({ endpoint, region, account }: Home): readonly string[] {
  const file = localFile(endpoint);
  return [file === undefined ? endpoint : `local:${file}`, region, account];
}
