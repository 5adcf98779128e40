import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { AccessKey } from "../../local/accounts/accounts.ts";
import { checkedSnapshot } from "../../local/control/snapshot.ts";
import { paceNamed, paces } from "../../local/pace.ts";
import { UsageError } from "../failures.ts";
import { print } from "../print.ts";
import type { Session } from "../session.ts";
import { commandOf } from "../usage.ts";
import { onWorld, worldOptions } from "./reach.ts";

const resetting = {
  name: "world reset",
  options: {
    seed: { value: "TEXT", summary: "What its ids are drawn from; as before unless given." },
    pace: { value: "PACE", values: paces, summary: "How fast things move; as before unless given." },
    ...worldOptions,
  },
  more: "All that is in it is gone afterwards: things, accounts but the first, faults and the audit log.\n",
} as const;

/** `cpcli world reset`. */
export const runReset = commandOf(resetting, async ({ given }, session) => {
  const { seed, pace } = given;
  const options = { ...(seed !== undefined && { seed }), ...(pace !== undefined && { pace: paceNamed(pace) }) };
  await onWorld(given, async (control, name) => {
    tellKey(await control.reset(options), name, session);
    session.say(`the world ${name} is empty now`);
  });
});

/** Whoever calls over HTTP needs the key that the world has from now on. */
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

function writeAtOnce(file: string, content: string): void {
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, content, { mode: 0o600, flag: "wx" });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw new Error(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const putting = {
  name: "world restore",
  words: ["<file>"],
  options: worldOptions,
  more: "Makes a world what a snapshot says. The file - is the standard input. The clock goes on from where it stood.\n",
} as const;

/** `cpcli world restore before.json`. */
export const runRestore = commandOf(putting, async ({ words: [file = ""], given }, session) => {
  const snapshot = checkedSnapshot(jsonIn(await contentOf(file), file));
  await onWorld(given, async (control, name) => {
    tellKey(await control.restore(snapshot), name, session);
    session.say(`the world ${name} is what the snapshot says`);
  });
});

async function contentOf(file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function jsonIn(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // What a parser says shows what it read, which may be secret.
    throw new UsageError(`${file} is no snapshot of a world: it is not JSON`);
  }
}
