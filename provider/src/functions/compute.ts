import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import { connected } from "./cloud.ts";

/** The platform's regions. */
export async function getRegions() {
  return (await (await connected()).call(cluster.describeRegions, {})).regionInstanceSet;
}

/** The zones of the region. A zone can be used if its `zoneState` is `AVAILABLE`. */
export async function getZones() {
  return (await (await connected()).call(compute.describeZones, {})).zoneSet;
}

/** The key pairs that can be used to log in to nodes. */
export async function getKeyPairs() {
  return (await connected()).all(compute.describeKeyPairs, {});
}
