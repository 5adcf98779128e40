import { existsSync } from "node:fs";
import { findCredentials } from "../../config/credentials.ts";
import { ConfigurationError, InputError } from "../../operation/errors.ts";
import type { WorldControl } from "../../local/control/control.ts";
import { localFile } from "../../transport/connect.ts";
import { faultOf } from "../../transport/network-faults.ts";
import type { Given } from "../command/arguments.ts";
import { placeFrom, type Place } from "../connection/connection.ts";
import { connectionOptions } from "../command/options.ts";

const { endpoint, profile } = connectionOptions;

/** The options that name a world: a local one, or one that is served. */
export const worldOptions = { endpoint, profile };

/** A world that can be controlled, until it is disposed of. */
interface Reached extends AsyncDisposable {
  readonly control: WorldControl;
  /** Its name for messages: a file, or an address. */
  readonly name: string;
}

/**
 * Reaches the world of an endpoint.
 *
 * @param making whether a local world is created if there is none
 * @throws ConfigurationError if the endpoint is not that of a world, or if there is no such world.
 */
async function reachWorld(given: Given<typeof worldOptions>, making: boolean): Promise<Reached> {
  const place = await placeFrom(given);
  const file = localFile(place.endpoint);
  return file === undefined ? servedWorld(place) : localWorld(file, making);
}

async function localWorld(file: string, making: boolean): Promise<Reached> {
  if (!making && !existsSync(file)) throw new ConfigurationError(`there is no world ${file}`);
  const [{ openLocal }, { LocalControl }] = await Promise.all([import("../../local/open.ts"), import("../../local/control/control.ts")]);
  const { world } = openLocal(file, process.env["CONTAINER_PLATFORM_PACE"], undefined);
  return {
    control: new LocalControl(world),
    name: file,
    [Symbol.asyncDispose]: () => {
      world.close();
      return Promise.resolve();
    },
  };
}

async function servedWorld({ endpoint: address, access }: Place): Promise<Reached> {
  if (!URL.canParse(address)) throw new ConfigurationError(`${address} is the endpoint of no world`);
  const key = await (await findCredentials(address, access))();
  const { HttpControl } = await import("../../server/http-control.ts");
  return { control: new HttpControl(address, key), name: address, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Does something with a world. Failures to reach it are reported as those of calls. */
export async function onWorld<T>(
  given: Given<typeof worldOptions>,
  work: (control: WorldControl, name: string) => Promise<T>,
  { making = true } = {},
): Promise<T> {
  await using reached = await reachWorld(given, making);
  const { control, name } = reached;
  try {
    return await work(control, name);
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof TypeError && error.cause !== undefined)
      throw faultOf(error, new URL(name).host, { product: "control", action: "world", requestId: "" });
    if (error instanceof SyntaxError || (error instanceof Error && error.name === "ZodError"))
      throw new Error(`${name} does not answer as a local platform does: only these can be controlled`, { cause: error });
    throw error;
  }
}
