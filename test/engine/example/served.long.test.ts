/** Only the real engine runs `npm run up -- --serve` in a clone: the flagship on a platform that is served and answers. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { World } from "@container-platform/sdk/local";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { Clone } from "../../support/clone.ts";
import { processesWith } from "../../support/processes.ts";

const clone = new Clone();
const own = join(clone.folder, ".container-platform", "real");
const run = (script: string, ...args: readonly string[]) => clone.run(script, "--serve", ...args);
afterAll(async () => {
  // The engine of a command that is killed goes on for a while, and writes.
  const working = () => processesWith(`CONTAINER_PLATFORM_SET_UP=${clone.folder}`, "environ");
  for (let left = await working(); left.length > 0; left = await working()) {
    for (const { pid } of left) killIfThere(pid);
    await sleep(100);
  }
  clone.remove();
});

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** Whether somebody answers at the address of the platform. */
async function isServed(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

test("the flagship is deployed to a served platform, an image is pushed and pulled, and all of it is destroyed", async () => {
  const first = await run("up.js");
  expect(first.code, first.output).toBe(0);
  const [, url = ""] = /served at (http:\/\/127\.0\.0\.1:\d+)\. See it change in the dashboard: \1\/#token=/.exec(first.output) ?? [];
  expect(first.output).toContain(`--config 'platform:allowedCidrBlocks=["127.0.0.1/32"]'`);
  // The nodes of the cluster, or why there are none to be seen.
  expect(first.output).toMatch(/The cluster answers: kubectl |Clusters are not served, and `kubectl` has nobody to talk to: /);
  expect(first.output).toMatch(/pushed 127\.0\.0\.1:\d+\/team\/hello:v1, sha256:[0-9a-f]{64}\n/);
  expect(first.output).toContain("pulled it: the manifest and its 2 blobs have their digests");
  expect(await isServed(url)).toBe(false);

  const again = await run("up.js", "--expect-no-changes");
  expect(again.code, again.output).toBe(0);
  expect(again.output).toContain(`served at ${url}.`);

  // The stack knows the platform by its address.
  const other = createServer().listen(Number(new URL(url).port), "127.0.0.1");
  await once(other, "listening");
  const taken = await run("up.js");
  other.close();
  expect(taken).toMatchObject({ code: 1, output: expect.stringMatching(/cannot listen on port \d+ .*end what listens there/) });

  const down = await run("down.js");
  expect(down.code, down.output).toBe(0);
  const world = World.open(join(own, "world.db"));
  onTestFinished(() => world.close());
  for (const table of ["vpcs", "clusters", "registries", "images"]) expect(world.prepare(`SELECT 1 FROM "${table}"`).all()).toEqual([]);
});

test("the platform ends with the command, also if that is killed; as long as it is served, another command is refused", async () => {
  const child = clone.start("up.js", "--serve");
  const ended = once(child, "exit");
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (told += String(part)));
  await expect.poll(() => told).toContain("#token=");
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(told) ?? [];
  expect(url).toBe(`http://127.0.0.1:${readFileSync(join(own, "port"), "utf8")}`);
  expect(await isServed(url)).toBe(true);
  expect(await run("down.js")).toEqual({
    code: 1,
    output: expect.stringMatching(
      new RegExp(
        `^set-up failed: the registries of this world are served already, by process \\d+ at ${url}, from ${own}/world\\.db-images: .*` +
          "It is that of another command with --serve in this folder: let that end, or end it with Control-C\n$",
      ),
    ),
  });
  expect(await isServed(url)).toBe(true);
  child.kill("SIGKILL");
  await ended;
  await expect.poll(() => isServed(url)).toBe(false);
});
