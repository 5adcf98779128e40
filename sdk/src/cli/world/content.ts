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
import { onWorld, worldOptions } from "./reach.ts";

const resetting = {
  name: "world reset",
  options: {
    seed: { value: "TEXT", summary: "What its ids are drawn from; as before unless given." },
    pace: { value: "PACE", values: timeScales, summary: "How fast states change; as before unless given." },
    ...worldOptions,
  },
  more: "All that is in it is gone afterwards: resources, accounts but the first, faults and the audit log.\n",
} as const;

/** `cpcli world reset`. */
export const runReset = commandOf(resetting, async ({ given }, session) => {
  const { seed, pace } = given;
  const options = { ...(seed !== undefined && { seed }), ...(pace !== undefined && { pace: timeScaleNamed(pace, "--pace") }) };
  await onWorld(given, async (control, name) => {
    tellKey(await control.reset(options), name, session);
    session.say(`the world ${name} is empty now`);
  });
});

/** Prints the key that the world has from now on, which calls over HTTP need. */
function tellKey({ secretId, secretKey }: AccessKey, name: string, session: Session): void {
  if (!URL.canParse(name)) return;
  print(`${JSON.stringify({ secretId, secretKey })}\n`);
  session.say("the world has the key that is printed, which calls are signed with from now on");
}

const taking = {
  name: "world snapshot",
  words: ["[<file>]"],
  options: { audit: { summary: "With the audit log." }, ...worldOptions },
  more: "Prints the whole world as JSON, or writes it to a file of this user alone. It holds secrets, as the world does.\n",
} as const;

/** `cpcli world snapshot before.json`. */
export const runSnapshot = commandOf(taking, async ({ words: [file], given }, session) => {
  const { audit = false } = given;
  const snapshot = await onWorld(given, (control) => control.snapshot({ audit }), { making: false });
  const content = `${JSON.stringify(snapshot)}\n`;
  if (file === undefined) {
    print(content);
    return;
  }
  writeAtOnce(resolve(file), content);
  session.say(`the world is written to ${resolve(file)}`);
});

const putting = {
  name: "world restore",
  words: ["<file>"],
  options: worldOptions,
  more: "Makes a world what a snapshot says. The file - is the standard input. The clock goes on from where it stood.\n",
} as const;

/** `cpcli world restore before.json`. */
export const runRestore = commandOf(putting, async ({ words: [file = ""], given }, session) => {
  const content = jsonIn(await textOf(file));
  if (content === undefined) throw new UsageError(`${file} is no snapshot of a world: it is not JSON`);
  const snapshot = checkedSnapshot(content);
  await onWorld(given, async (control, name) => {
    tellKey(await control.restore(snapshot), name, session);
    session.say(`the world ${name} is what the snapshot says`);
  });
});
