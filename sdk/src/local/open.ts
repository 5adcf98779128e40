import { paceNamed } from "./pace.ts";
import { LocalPlatform } from "./platform.ts";
import { World } from "./store/world.ts";

/**
 * Opens the local platform whose world is a file.
 *
 * @param pace how fast things move in a new world: the name of a pace
 * @param patience how long calls wait for another process that has locked the file, in milliseconds; 20 seconds unless given
 * @throws InputError if the file cannot be read, or there is no such pace.
 */
export function openLocal(file: string, pace: string | undefined, patience: number | undefined): LocalPlatform {
  const options = { ...(pace !== undefined && { pace: paceNamed(pace) }), ...(patience !== undefined && { patience }) };
  return new LocalPlatform(World.open(file, options));
}
