import { timeScaleNamed } from "./time-scale.ts";
import { LocalPlatform } from "./platform.ts";
import { World } from "./store/world.ts";

/**
 * Opens the local platform whose world is a file.
 *
 * @param timeScale the name of a new world's time scale, as CONTAINER_PLATFORM_TIME_SCALE has it; an existing world keeps its own
 * @param lockTimeout how long calls wait for another process that has locked the file, in milliseconds; 20 seconds unless given
 * @throws InputError if the file cannot be read, or there is no such time scale.
 */
export function openLocal(file: string, timeScale: string | undefined, lockTimeout: number | undefined): LocalPlatform {
  const options = {
    ...(timeScale !== undefined && { timeScale: timeScaleNamed(timeScale, "CONTAINER_PLATFORM_TIME_SCALE") }),
    ...(lockTimeout !== undefined && { lockTimeout }),
  };
  return new LocalPlatform(World.open(file, options));
}
