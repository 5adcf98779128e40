import { paceNamed } from "./pace.ts";
import { LocalPlatform } from "./platform.ts";
import { World } from "./world.ts";

/**
 * Opens the local platform whose world is a file.
 *
 * @param pace how fast things move in a new world: the name of a pace
 * @throws InputError if the file cannot be read, or there is no such pace.
 */
export function openLocal(file: string, pace: string | undefined): LocalPlatform {
  return new LocalPlatform(World.open(file, pace === undefined ? {} : { pace: paceNamed(pace) }));
}
