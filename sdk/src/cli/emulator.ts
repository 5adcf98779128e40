import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findCredentials } from "../config/credentials.ts";
import { jsonIn } from "../formats/texts.ts";
import type { AccessKey } from "../local/accounts/rows.ts";
import type { WorldControl, WorldStatus } from "../local/control/control.ts";
import { checkedSnapshot } from "../local/control/snapshot.ts";
import { checkedFault } from "../local/faults/faults.ts";
import { timeScaleNamed, timeScales } from "../local/time.ts";
import { isObject, type JsonObject } from "../operation/codec.ts";
import { ConfigurationError, InputError } from "../operation/errors.ts";
import { products } from "../operation/operation.ts";
import { localFile } from "../transport/connect.ts";
import { faultOf } from "../transport/network-faults.ts";
import { commandOf, connectionOptions, type Given, groupOf, type Options, outputOptions } from "./command.ts";
import { type Place, placeFrom } from "./connection.ts";
import { textOf, writeAtOnce } from "./files.ts";
import { showing } from "./output/output.ts";
import { print, type Session, UsageError } from "./run.ts";

/** The options that name an emulator: one in this process, or one that `cpcli serve` runs. */
const emulatorOptions = {
  endpoint: { value: "ENDPOINT", summary: "Emulator to control: local, local:<file>, or the address that cpcli serve prints." },
  profile: connectionOptions.profile,
} as const satisfies Options;

/** An emulator that can be controlled. */
interface Reached {
  readonly control: WorldControl;
  /** The file of its database, or its address. */
  readonly name: string;
  readonly close?: () => void;
}

async function localEmulator(file: string, making: boolean): Promise<Reached> {
  if (!making && !existsSync(file)) throw new ConfigurationError(`the database ${file} does not exist`);
  const [{ openLocal }, { LocalControl }] = await Promise.all([import("../local/platform.ts"), import("../local/control/control.ts")]);
  const { world } = openLocal(file, process.env["CONTAINER_PLATFORM_TIME_SCALE"], undefined);
  return { control: new LocalControl(world), name: file, close: () => world.close() };
}

async function servedEmulator({ endpoint: address, access }: Place): Promise<Reached> {
  if (!URL.canParse(address))
    throw new ConfigurationError(
      `the endpoint ${address} is not an emulator. Use local, local:<file>, or the address that \`cpcli serve\` prints`,
    );
  const key = await (await findCredentials(address, access))();
  const { HttpControl } = await import("../server/http-control.ts");
  return { control: new HttpControl(address, key), name: address };
}

/** The database in messages, by the name of its emulator. */
function databaseOf(name: string): string {
  return URL.canParse(name) ? `the database of ${name}` : `the database ${name}`;
}

/**
 * Does something with the emulator of an endpoint. Failures to reach it are reported as those of calls.
 *
 * @param making whether a database is created if there is none
 * @throws ConfigurationError if the endpoint is not an emulator, or if the database does not exist.
 */
async function onEmulator<T>(
  given: Given<typeof emulatorOptions>,
  work: (control: WorldControl, name: string) => Promise<T>,
  { making = true } = {},
): Promise<T> {
  const place = await placeFrom(given);
  const file = localFile(place.endpoint);
  const { control, name, close } = await (file === undefined ? servedEmulator(place) : localEmulator(file, making));
  try {
    return await work(control, name);
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof TypeError && error.cause !== undefined)
      throw faultOf(error, new URL(name).host, { product: "control", action: "emulator", requestId: "" });
    if (error instanceof SyntaxError || (error instanceof Error && error.name === "ZodError"))
      throw new Error(`cannot control ${name}: its responses are not those of the emulator`, { cause: error });
    throw error;
  } finally {
    close?.();
  }
}

/** A moment in milliseconds since 1970. */
function momentFrom(option: string, text: string): number {
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
  if (Number.isFinite(moment)) return moment;
  throw new UsageError(`${option} is ${text}; it takes a time of ISO 8601, such as 2026-01-31T12:00:00Z`);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** Milliseconds of a text such as `1h30m`. */
function durationFrom(option: string, text: string): number {
  const isWhole = new RegExp(`^(?:${part.source})+$`).test(text);
  if (!isWhole) throw new UsageError(`${option} is ${text}; it takes a duration such as 90s, 31m, 1h30m or 2d`);
  return [...text.matchAll(part)].reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? 0), 0);
}

const options = { ...emulatorOptions, ...outputOptions };

type Act = (control: WorldControl) => Promise<WorldStatus>;

/** Does something to the emulator, and prints its status. */
async function shown(given: Given<typeof options>, act: Act, making = true): Promise<void> {
  const show = await showing(given);
  const work = async (control: WorldControl, name: string) => {
    const { time, ...status } = await act(control);
    show({ emulator: name, time: new Date(time).toISOString(), ...status }, "emulator");
  };
  await onEmulator(given, work, { making });
}

const runShow = commandOf({ name: "emulator show", options }, ({ given }) => shown(given, (control) => control.status(), false));

/** `cpcli emulator time-scale instant`. */
const runTimeScale = commandOf(
  {
    name: "emulator time-scale",
    words: ["<time-scale>"],
    choices: [timeScales],
    options,
    more: `Time scales: ${timeScales.join(", ")}. Applies to changes that begin later. A change in progress keeps its duration:
to skip the wait, use \`cpcli emulator clock --advance\`.
`,
  },
  ({ words: [name = ""], given }) => {
    const timeScale = timeScaleNamed(name);
    return shown(given, (control) => control.setTimeScale(timeScale));
  },
);

const clock = {
  name: "emulator clock",
  options: {
    freeze: { summary: "Stops the clock." },
    set: { value: "TIME", summary: "Sets the clock to a time, such as 2026-01-31T12:00:00Z." },
    advance: { value: "DURATION", summary: "Moves the clock forward, for example by 90s, 31m or 1h30m." },
    unfreeze: { summary: "Starts the clock again from its time." },
    ...options,
  },
  more: "Applies the options in this order. Every change that takes time, such as a creation or an expiry, follows this clock.\n",
} as const;

/** `cpcli emulator clock --advance 31m`. */
const runClock = commandOf(clock, async ({ given }) => {
  const { set, advance, freeze, unfreeze } = given;
  if (freeze && unfreeze) throw new UsageError("--freeze and --unfreeze are both given; give one of the two");
  const moment = set === undefined ? undefined : momentFrom("--set", set);
  const milliseconds = advance === undefined ? undefined : durationFrom("--advance", advance);
  const acts: readonly (Act | false | undefined)[] = [
    freeze && ((control) => control.freeze()),
    moment !== undefined && ((control) => control.setTime(moment)),
    milliseconds !== undefined && ((control) => control.advance(milliseconds)),
    unfreeze && ((control) => control.unfreeze()),
  ];
  const asked = acts.filter((act) => typeof act === "function");
  if (asked.length === 0)
    throw new UsageError("cpcli emulator clock takes --set, --advance, --freeze or --unfreeze", "`cpcli emulator show` prints the clock.");
  const all: Act = async (control) => {
    let status = await control.status();
    for (const act of asked) status = await act(control);
    return status;
  };
  await shown(given, all);
});

const resetting = {
  name: "emulator reset",
  options: {
    seed: { value: "TEXT", summary: "Seed of new IDs, addresses and keys. Default: unchanged." },
    "time-scale": { value: "TIME-SCALE", values: timeScales, summary: `Time scale: ${timeScales.join(", ")}. Default: unchanged.` },
    ...emulatorOptions,
  },
  more: "Deletes the whole content: resources, accounts except the first, faults and the audit log.\n",
} as const;

const runReset = commandOf(resetting, async ({ given }, session) => {
  const { seed, "time-scale": timeScale } = given;
  const options = {
    ...(seed !== undefined && { seed }),
    ...(timeScale !== undefined && { timeScale: timeScaleNamed(timeScale, "--time-scale") }),
  };
  await onEmulator(given, async (control, name) => {
    tellKey(await control.reset(options), name, session);
    session.say(`${databaseOf(name)} is empty now`);
  });
});

/** Prints the new key of the first account, which signs later calls over HTTP. */
function tellKey({ secretId, secretKey }: AccessKey, name: string, session: Session): void {
  if (!URL.canParse(name)) return;
  print(`${JSON.stringify({ secretId, secretKey })}\n`);
  session.say("the first account has the access key that is printed. Sign later calls with this key");
}

const taking = {
  name: "emulator snapshot",
  words: ["[<file>]"],
  options: { audit: { summary: "Includes the audit log." }, ...emulatorOptions },
  more: "Prints the whole database as JSON, or writes the JSON to a file that only you can read. A snapshot contains secrets.\n",
} as const;

/** `cpcli emulator snapshot before.json`. */
const runSnapshot = commandOf(taking, async ({ words: [file], given }, session) => {
  const { audit = false } = given;
  const snapshot = await onEmulator(given, (control) => control.snapshot({ audit }), { making: false });
  const content = `${JSON.stringify(snapshot)}\n`;
  if (file === undefined) {
    print(content);
    return;
  }
  writeAtOnce(resolve(file), content);
  session.say(`the snapshot is written to ${resolve(file)}`);
});

const putting = {
  name: "emulator restore",
  words: ["<file>"],
  options: emulatorOptions,
  more: "Replaces the content of the database with a snapshot. The file - is the standard input.\nThe clock continues from the time of the snapshot.\n",
} as const;

/** `cpcli emulator restore before.json`. */
const runRestore = commandOf(putting, async ({ words: [file = ""], given }, session) => {
  const content = jsonIn(await textOf(file));
  if (content === undefined) throw new UsageError(`${file} is not a snapshot: its content is not JSON`);
  const snapshot = checkedSnapshot(content);
  await onEmulator(given, async (control, name) => {
    tellKey(await control.restore(snapshot), name, session);
    session.say(`the content of ${databaseOf(name)} is replaced by the snapshot`);
  });
});

const listing = commandOf({ name: "emulator faults list", options }, async ({ given }) => {
  const show = await showing(given);
  const faults = await onEmulator(given, (control) => control.faults(), { making: false });
  show(
    faults.map(({ id, fault, met, hit }): JsonObject => ({ id, ...asJson(fault), met, hit })),
    "faults",
  );
});

function asJson(fault: object): JsonObject {
  const data: unknown = JSON.parse(JSON.stringify(fault));
  return isObject(data) ? data : {};
}

const fields = {
  product: { value: "PRODUCT", values: products, summary: "Product whose calls match. Default: all products." },
  action: { value: "ACTION", summary: "Action whose calls match. Default: all actions." },
  version: { value: "DATE", summary: "Version of the action. Default: all versions." },
  when: {
    value: "WHEN",
    values: ["before", "after"],
    summary: "before: the call fails without effect. after: the call takes effect, and its response is lost.",
  },
  code: { value: "CODE", summary: "Error code of the response. Default: no response, the connection is lost." },
  delay: { value: "MILLISECONDS", summary: "Milliseconds by which the response is late." },
  "resource-type": { value: "TYPE", summary: "Type of a resource that fails, in place of calls: cluster, node and others." },
  "end-state": { value: "STATE", summary: "State in which the resource ends. Requires --resource-type." },
  reason: { value: "TEXT", summary: "Message of the error, or reason of the state. Required with --end-state." },
  resource: { value: "ID", summary: "Matches only calls that name this ID or name." },
  nth: { value: "NUMBER", summary: "First match that is hit, counted from now. Default: 1." },
  times: { value: "NUMBER", summary: "Number of matches that are hit. Default: 1; no limit with --probability or --per-second." },
  probability: { value: "NUMBER", summary: "Hits each match with this probability, 0 to 1, in place of --nth." },
  seed: { value: "TEXT", summary: "Seed of --probability. Default: the seed of the database." },
  "per-second": {
    value: "NUMBER",
    summary: "Rate limit: lets this number of matches through in each second and hits the others, in place of --nth.",
  },
} as const;

const addition = {
  name: "emulator faults add",
  options: { ...fields, ...emulatorOptions },
  more: `Prints the ID of the fault. The third CreateVpc from now on takes effect, but its response is lost:
  cpcli emulator faults add --product vpc --action CreateVpc --nth 3 --when after
A product accepts at most 20 requests per second:
  cpcli emulator faults add --product vpc --per-second 20 --when before --code RequestLimitExceeded
The next cluster ends in the state Abnormal:
  cpcli emulator faults add --resource-type cluster --end-state Abnormal --reason "no capacity"
`,
} as const;

const numbers = new Set(["delay", "nth", "times", "probability", "per-second"]);

const adding = commandOf(addition, async ({ given }) => {
  const values = Object.entries(given).flatMap(([name, text]) => {
    if (!Object.hasOwn(fields, name)) return [];
    return [[name.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase()), numbers.has(name) ? numberFrom(text) : text] as const];
  });
  const ofOperation = ([name]: readonly [string, unknown]) => ["product", "action", "version"].includes(name);
  const operation = Object.fromEntries(values.filter(ofOperation));
  const others = Object.fromEntries(values.filter((value) => !ofOperation(value)));
  const fault = checkedFault({ ...(Object.keys(operation).length > 0 && { operation }), ...others });
  await onEmulator(given, async (control) => {
    print(`${await control.addFault(fault)}\n`);
  });
});

/** Another text stays a text: the check of the fault says which values are allowed. */
function numberFrom(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

const removing = commandOf(
  { name: "emulator faults remove", words: ["<id>"], options: emulatorOptions },
  async ({ words: [id = ""], given }) => {
    if (!/^\d+$/.test(id)) throw new UsageError(`${id} is no id of a fault: it is a number`, "`cpcli emulator faults list` prints them.");
    await onEmulator(given, (control) => control.removeFault(Number(id)), { making: false });
  },
);

const clearing = commandOf({ name: "emulator faults clear", options: emulatorOptions }, async ({ given }) => {
  await onEmulator(given, (control) => control.clearFaults(), { making: false });
});

const faults = groupOf("emulator faults", {
  list: ["Prints the faults that can still take effect.", listing],
  add: ["Adds a fault.", adding],
  remove: ["Removes a fault.", removing],
  clear: ["Removes all faults.", clearing],
});

/** `cpcli emulator`: controls the emulator, besides its operations. */
export const runEmulator = groupOf("emulator", {
  show: ["Prints the clock, the time scale and the seed.", runShow],
  clock: ["Sets, moves, stops or starts the clock.", runClock],
  "time-scale": ["Sets how long later changes take.", runTimeScale],
  faults: ["Lists, adds and removes faults.", faults],
  reset: ["Empties the database.", runReset],
  snapshot: ["Prints or writes the whole database as JSON.", runSnapshot],
  restore: ["Replaces the content of the database with a snapshot.", runRestore],
});
