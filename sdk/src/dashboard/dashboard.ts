import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeClusters } from "../catalogue/cluster.ts";
import { mainAccounts } from "../local/accounts/accounts.ts";
import { Call } from "../local/behaviour.ts";
import { Faults } from "../local/faults/faults.ts";
import { regions } from "../local/regions.ts";
import type { World } from "../local/store/world.ts";
import { lastCalls } from "./calls.ts";
import { clustersAt, networksAt } from "./networks.ts";
import { registriesAt, type RegistryPort } from "./registries.ts";
import { Room } from "./room.ts";
import type { Shown } from "./shown.ts";

// From the sources as well as from the built package, where this file is beside others.
const folder = join(import.meta.dirname, "..", "dashboard", "page");

/** The text of a file of the page; `undefined` if there is none of this name. Read when it is asked for: few servers are looked at. */
export async function pageFile(name: string): Promise<string | undefined> {
  return readFile(join(folder, name), "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}

/**
 * What the dashboard tells of a world now.
 *
 * @param ports at which registries answer on this machine
 */
export function shownOf(world: World, ports: readonly RegistryPort[] = []): Promise<Shown> {
  // What has expired goes when a transaction begins.
  return world.transaction(() => {
    const { frozen, timeScale } = world.clock();
    const now = world.now();
    const room = new Room();
    const places = mainAccounts(world).flatMap((account) =>
      regions.map((region) => {
        const call = looking(world, { account, region, now });
        const [networks, clusters] = [networksAt(call, room), clustersAt(call, room)];
        return { account, region, networks, clusters, registries: registriesAt(call, room, ports) };
      }),
    );
    const isEmpty = ({ networks, clusters, registries }: (typeof places)[number]) =>
      [networks, clusters, registries].every(({ items, more }) => items.length + more === 0);
    return {
      clock: { time: now, isFrozen: frozen !== null, timeScale },
      places: places.filter((place) => !isEmpty(place)),
      calls: lastCalls(world),
    };
  });
}

/** A look into a place, as a call that is in no audit log. */
function looking(
  world: World,
  { account, region, now }: { readonly account: string; readonly region: string; readonly now: number },
): Call {
  const faults = new Faults(world);
  return new Call({ world, faults, operation: describeClusters, region, account, uin: account, requestId: "", now });
}
