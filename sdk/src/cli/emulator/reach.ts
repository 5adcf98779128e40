import { existsSync } from "node:fs";
import { findCredentials } from "../../config/credentials.ts";
import { ConfigurationError, InputError } from "../../operation/errors.ts";
import type { WorldControl } from "../../local/control/control.ts";
import { localFile } from "../../transport/connect.ts";
import { faultOf } from "../../transport/network-faults.ts";
import { connectionOptions, type Given, type Options } from "../command/arguments.ts";
import { placeFrom, type Place } from "../connection/connection.ts";

/** The options that name an emulator: one in this process, or one that `cpcli serve` runs. */
export const emulatorOptions = {
  endpoint: { value: "ENDPOINT", summary: "Emulator to control: local, local:<file>, or the address that cpcli serve prints." },
  profile: connectionOptions.profile,
} as const satisfies Options;

/** An emulator that can be controlled, until it is disposed of. */
interface Reached extends AsyncDisposable {
  readonly control: WorldControl;
  /** The file of its database, or its address. */
  readonly name: string;
}

/**
 * Reaches the emulator of an endpoint.
 *
 * @param making whether a database is created if there is none
 * @throws ConfigurationError if the endpoint is not an emulator, or if the database does not exist.
 */
async function reachEmulator(given: Given<typeof emulatorOptions>, making: boolean): Promise<Reached> {
  const place = await placeFrom(given);
  const file = localFile(place.endpoint);
  return file === undefined ? servedEmulator(place) : localEmulator(file, making);
}

async function localEmulator(file: string, making: boolean): Promise<Reached> {
  if (!making && !existsSync(file)) throw new ConfigurationError(`the database ${file} does not exist`);
  const [{ openLocal }, { LocalControl }] = await Promise.all([
    import("../../local/platform.ts"),
    import("../../local/control/control.ts"),
  ]);
  const { world } = openLocal(file, process.env["CONTAINER_PLATFORM_TIME_SCALE"], undefined);
  return {
    control: new LocalControl(world),
    name: file,
    [Symbol.asyncDispose]: () => {
      world.close();
      return Promise.resolve();
    },
  };
}

async function servedEmulator({ endpoint: address, access }: Place): Promise<Reached> {
  if (!URL.canParse(address))
    throw new ConfigurationError(
      `the endpoint ${address} is not an emulator. Use local, local:<file>, or the address that \`cpcli serve\` prints`,
    );
  const key = await (await findCredentials(address, access))();
  const { HttpControl } = await import("../../server/http-control.ts");
  return { control: new HttpControl(address, key), name: address, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** The database in messages, by the name of its emulator. */
export function databaseOf(name: string): string {
  return URL.canParse(name) ? `the database of ${name}` : `the database ${name}`;
}

/** Does something with an emulator. Failures to reach the emulator are reported as those of calls. */
export async function onEmulator<T>(
  given: Given<typeof emulatorOptions>,
  work: (control: WorldControl, name: string) => Promise<T>,
  { making = true } = {},
): Promise<T> {
  await using reached = await reachEmulator(given, making);
  const { control, name } = reached;
  try {
    return await work(control, name);
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof TypeError && error.cause !== undefined)
      throw faultOf(error, new URL(name).host, { product: "control", action: "emulator", requestId: "" });
    if (error instanceof SyntaxError || (error instanceof Error && error.name === "ZodError"))
      throw new Error(`cannot control ${name}: its responses are not those of the emulator`, { cause: error });
    throw error;
  }
}
