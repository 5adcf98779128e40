import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { quietly, together } from "./processes.js";
import { isAlive } from "./turn.js";

/** The end of the set-up's programs, on which nothing may go on working: real processes, which sleep. */

const folder = mkdtempSync(join(tmpdir(), "together-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A shell that sleeps together with a program that it has started, whose process id it writes into a file. */
function sleeper(file: string): [string, string[]] {
  return ["sh", ["-c", `sleep 60 > ${file}.out 2>&1 & echo $! > ${file}.new; mv ${file}.new ${file}; wait`]];
}

async function startedBy(file: string) {
  while (!existsSync(file)) await pause(10);
  return Number(readFileSync(file, "utf8"));
}

const hasEnded = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);

test("a work that fails ends the programs of the others, with all that these have started, and is reported when they have ended", async () => {
  const file = join(folder, "failing");
  const stop = new AbortController();
  const sleeping = quietly(...sleeper(file), { signal: stop.signal });
  const started = startedBy(file);
  const failing = started.then(() => Promise.reject(new Error("npm failed")));
  await expect(together(stop, [sleeping, failing])).rejects.toThrow("npm failed");
  expect(await sleeping).toEqual({ code: 1, output: "\nended by SIGINT" });
  await hasEnded(await started);
});

test("a program that has been told to end is not started", async () => {
  expect(await quietly("node", ["--version"], { signal: AbortSignal.abort() })).toEqual({ code: 1, output: "interrupted" });
});

test("a program that takes longer than it may is ended", async () => {
  const outcome = await quietly("sleep", ["60"], { signal: new AbortController().signal, minutes: 0.001 });
  expect(outcome).toEqual({ code: 1, output: "\nended after 0.001 minutes\nended by SIGINT" });
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a command by that signal, with its programs, and frees its turn", async (signal) => {
  const [file, lock, program] = [signal, `${signal}.lock`, `${signal}.js`].map((name) => join(folder, name)) as [string, string, string];
  const [shell, args] = sleeper(file);
  const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  writeFileSync(
    program,
    `import { interruptible, quietly } from ${url("processes.js")};
     import { inTurn } from ${url("turn.js")};
     const sleep = (signal) => quietly(${JSON.stringify(shell)}, ${JSON.stringify(args)}, { signal });
     await interruptible(({ signal }) => inTurn(${JSON.stringify(lock)}, () => sleep(signal), signal));
     console.log("went on");`,
  );
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const closed = once(child, "close");
  const started = await startedBy(file);
  expect(existsSync(lock)).toBe(true);
  child.kill(signal);
  expect([...(await closed), printed, existsSync(lock)]).toEqual([null, signal, "", false]);
  await hasEnded(started);
});
