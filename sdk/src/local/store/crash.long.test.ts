import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { inRounds, isWhole, seededNumbers } from "../../rounds.fixture.ts";
import { connect } from "../../transport/connect.ts";
import { accessKeyOf } from "../accounts/accounts.ts";
import { snapshotOf } from "../control/snapshot.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "./world.ts";
import { worldFile } from "./world.fixture.ts";
import { callsOf, openWorld, write } from "./writes.fixture.ts";

const share = { whole: 200, seconds: 20 };
const timeLimit = share.whole * 15_000;

function start(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, "close");
  child.kill("SIGKILL");
  await gone;
}

/** A world without crashes, in which the same writes are made: after as many writes, the other one must be equal to it. */
function witness() {
  const world = openWorld(":memory:");
  const platform = new LocalPlatform(world);
  onTestFinished(() => world.close());
  return {
    world,
    until: async (count: number) => {
      for (let number = callsOf(world); number < count; number++) await write(platform, world, number);
    },
  };
}

/** Expects what was acknowledged, and at most one write more as a whole. */
async function expectWhole(file: string, acknowledged: number, { world: other, until }: ReturnType<typeof witness>): Promise<number> {
  const world = openWorld(file);
  try {
    expect(world.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    const count = callsOf(world);
    expect(count - acknowledged).toBeOneOf([0, 1]);
    await until(count);
    const [found, expected] = [snapshotOf(world, { audit: true }), snapshotOf(other, { audit: true })];
    expect(found).toEqual(expected);
    return count;
  } finally {
    world.close();
  }
}

test(
  "a process that is killed at any moment leaves a world with all that it acknowledged, and no part of a write",
  { timeout: timeLimit },
  async () => {
    const [file, other] = [worldFile(), witness()];
    let [count, kills] = [0, 0];
    await inRounds("a process is killed while it writes", share, async (seed) => {
      const random = seededNumbers(seed);
      const child = start("writer.fixture.ts", file);
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (more: string) => (printed += more));
      // One of four is killed while it starts, or opens or creates the world; the others in the middle of their writes.
      if (kills % 4 === 0) await sleep(random() * 600);
      else for (const some = random() * 12; printed.split("\n").length <= some + 1;) await once(child.stdout, "data");
      await sleep(random() * 10);
      await killed(child);
      const lines = printed.split("\n").slice(0, -1);
      count = await expectWhole(file, count + lines.length, other);
      kills++;
    });
    if (isWhole) expect(count).toBeGreaterThan(kills);
  },
);

test("so does a server: what it answered over HTTP is in the world", { timeout: timeLimit }, async () => {
  const [file, other] = [worldFile(), witness()];
  openWorld(file).close();
  let [count, kills] = [0, 0];
  await inRounds("a server is killed while it answers", share, async (seed) => {
    const random = seededNumbers(seed);
    const child = start("../../../bin/cpcli.cjs", "serve", "--db", file);
    const [address] = await once(child.stdout, "data");
    const transport = await connect(String(address).trim(), { credentials: accessKeyOf(other.world) });
    const [doom, pause] = [count + Math.floor(random() * 15), random() * 10];
    let dying: Promise<void> | undefined;
    let acknowledged = count;
    for (let isAnswered = true; isAnswered;) {
      if (acknowledged === doom) dying = sleep(pause).then(() => killed(child));
      // The other world is one write behind each answer.
      await other.until(acknowledged);
      isAnswered = await write(transport, other.world, acknowledged).then(
        () => true,
        () => false,
      );
      if (isAnswered) acknowledged++;
    }
    await dying;
    await transport.close();
    count = await expectWhole(file, acknowledged, other);
    kills++;
  });
  if (isWhole) expect(count).toBeGreaterThan(kills);
});

test("four processes write into one world, and one of them is killed: all that was acknowledged is there, once", async () => {
  const [file, rounds] = [worldFile(), 40];
  const places = [0, 1, 2, 3];
  const children = places.map((place) => start("neighbour.fixture.ts", file, `${place}`, `${rounds}`));
  const [unlucky] = children;
  if (unlucky)
    void once(unlucky.stdout, "data")
      .then(() => sleep(50))
      .then(() => killed(unlucky));
  const printed = await Promise.all(children.map((child) => text(child.stdout)));
  const acknowledged = printed.flatMap((lines) => lines.split("\n").slice(0, -1));
  expect(acknowledged.length).toBeGreaterThan(3 * 2 * rounds);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);

  const world = World.open(file);
  const { things, audit = [] } = snapshotOf(world, { audit: true });
  world.close();
  const ids = [...(things["vpcs"] ?? []), ...(things["subnets"] ?? [])].map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(acknowledged));
  expect([0, 1]).toContain(ids.length - acknowledged.length);
  expect(audit).toHaveLength(ids.length);
  expect(new Set(audit.map(({ record }) => record.requestId)).size).toBe(audit.length);
  expect(things["routeTables"]).toHaveLength(things["vpcs"]?.length ?? 0);
});
