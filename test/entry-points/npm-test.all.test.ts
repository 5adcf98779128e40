import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../support/compiler.ts";
import { processesWith } from "../support/processes.ts";

/** `npm test` itself: its last lines, and what an interrupted one leaves, while a test of its has the real engine running. */

/** Begins `npm test -- FILTER` in a group of processes of its own, with a folder of temporary files of its own. */
function begun(filter: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-npm-test-")));
  const args = ["test", "--silent", "--", filter];
  const npm = spawn("npm", args, {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const running = () => processesWith(folder, "environ");
  onTestFinished(async () => {
    for (const { pid } of await running()) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  const ended = Promise.all([text(npm.stdout), once(npm, "exit")]).then(([output, [code]]) => ({ code: Number(code), output }));
  return { folder, npm, running, ended };
}

test("a filter that matches no file is said to match none, and counts as failed", async () => {
  const { ended } = begun("no/such/test");
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output).toMatch(
    /\nNo file of tests matches no\/such\/test: `npm run test:all -- no\/such\/test` looks among all tests\n.*0 passed, 1 failed\n$/s,
  );
});

test.each([
  ["SIGINT to the group of processes", "SIGINT", true],
  ["SIGTERM to the group of processes", "SIGTERM", true],
  ["SIGTERM to npm alone", "SIGTERM", false],
] as const)("%s ends all processes and removes all files, is told, and counts as failed", async (_, signal, toGroup) => {
  const { folder, npm, running, ended } = begun("engine/plugin/plugin.test");
  const engine = async () => (await running()).filter(({ command }) => /pulumi (up|preview|refresh)/.test(command)).length;
  await expect.poll(engine).toBeGreaterThan(0);
  const { pid = 0 } = npm;
  process.kill(toGroup ? -pid : pid, signal);
  const { output } = await ended;
  expect(output).toMatch(/\nThe tests were interrupted: .* the run counts as failed\n.*\d passed, [1-9]\d* failed\n$/s);
  await expect.poll(running).toEqual([]);
  // Node's compile cache is of use to the next run.
  expect(readdirSync(folder).filter((name) => name !== "node-compile-cache")).toEqual([]);
});
