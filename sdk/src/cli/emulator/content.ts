import { resolve } from "node:path";
import type { AccessKey } from "../../local/accounts/rows.ts";
import { checkedSnapshot } from "../../local/control/snapshot.ts";
import { timeScaleNamed, timeScales } from "../../local/time-scale.ts";
import { UsageError } from "../run/failures.ts";
import { textOf, writeAtOnce } from "../files.ts";
import { jsonIn } from "../../formats/json.ts";
import { print } from "../output/print.ts";
import type { Session } from "../run/session.ts";
import { commandOf } from "../command/usage.ts";
import { databaseOf, emulatorOptions, onEmulator } from "./reach.ts";

const resetting = {
  name: "emulator reset",
  options: {
    seed: { value: "TEXT", summary: "Seed of new IDs, addresses and keys. Default: unchanged." },
    "time-scale": { value: "TIME-SCALE", values: timeScales, summary: `Time scale: ${timeScales.join(", ")}. Default: unchanged.` },
    ...emulatorOptions,
  },
  more: "Deletes the whole content: resources, accounts except the first, faults and the audit log.\n",
} as const;

/** `cpcli emulator reset`. */
export const runReset = commandOf(resetting, async ({ given }, session) => {
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
export const runSnapshot = commandOf(taking, async ({ words: [file], given }, session) => {
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
export const runRestore = commandOf(putting, async ({ words: [file = ""], given }, session) => {
  const content = jsonIn(await textOf(file));
  if (content === undefined) throw new UsageError(`${file} is not a snapshot: its content is not JSON`);
  const snapshot = checkedSnapshot(content);
  await onEmulator(given, async (control, name) => {
    tellKey(await control.restore(snapshot), name, session);
    session.say(`the content of ${databaseOf(name)} is replaced by the snapshot`);
  });
});
