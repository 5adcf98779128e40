import { localFile } from "@container-platform/sdk";
import type { Home } from "../schema/private-state.ts";
import { same } from "../schema/values.ts";

// A cache: each value follows from its key. Whether an endpoint is a file, the file system tells.
const places = new WeakMap<Home, readonly string[]>();

/** Endpoint, region and account, as the intent log has them: a local world is one place, whatever its endpoint is called. */
export function placeOfHome(home: Home): readonly string[] {
  const known = places.get(home);
  if (known) return known;
  const file = localFile(home.endpoint);
  const place = [file === undefined ? home.endpoint : `local:${file}`, home.region, home.account];
  places.set(home, place);
  return place;
}

/** Whether a saved resource is at a place. States of early versions do not tell. */
export function isAt({ home }: { readonly home: Home | undefined }, place: readonly string[]): boolean {
  return !home || same(placeOfHome(home), place);
}
