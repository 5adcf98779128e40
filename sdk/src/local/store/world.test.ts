import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { edgeModules } from "../cluster/tables.ts";
import { findAccessKey, putAccessKey, setAccessKey } from "../accounts/accounts.ts";
import { everyTable } from "../control/snapshot.ts";
import { Faults } from "../faults/faults.ts";
import { openDatabase } from "./sqlite.ts";
import { keyPairs } from "../compute/tables.ts";
import { tables } from "./table.ts";
import { opened, worldFile } from "./world.fixture.ts";
import type { World } from "./world.ts";

test("two worlds of one file take turns in one process, and a third can be opened meanwhile", async () => {
  const file = worldFile();
  const [one, other] = [opened(file), opened(file)];
  const done: string[] = [];
  const slow = one.transaction(async () => {
    await sleep(50);
    done.push("slow");
  });
  const quick = other.transaction(() => done.push("quick"));
  await sleep(10);
  opened(file);
  await Promise.all([slow, quick]);
  expect(done).toEqual(["slow", "quick"]);
});

test("a call waits for a file that another process has locked, without blocking this process, and fails in the end with a message", async () => {
  const file = worldFile();
  const world = opened(file, { lockTimeout: 200 });
  const other = openDatabase(file);
  other.exec("BEGIN IMMEDIATE");
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 10);
  await expect(world.transaction(() => world.advance(1))).rejects.toThrow(
    `another process has locked the local world ${file}, and did not release it in time; nothing was changed`,
  );
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(1);
  const waiting = world.transaction(() => "done");
  await sleep(50);
  other.exec("ROLLBACK");
  expect(await waiting).toBe("done");
  other.close();
});

test("nobody else may read a world, nor the files that SQLite keeps beside it", () => {
  const file = worldFile();
  const [world, path] = [opened(file), dirname(file)];
  world.advance(1);
  const rights = readdirSync(path).map((name) => [name, (statSync(join(path, name)).mode & 0o777).toString(8)]);
  expect(rights).toEqual([
    ["world.db", "600"],
    ["world.db-shm", "600"],
    ["world.db-wal", "600"],
  ]);
});

test("the clock counts whole milliseconds, stopped and running", () => {
  const world = opened(":memory:");
  world.freeze(1000.4);
  world.advance(0.6);
  expect(world.now()).toBe(1001);
  world.unfreeze();
  expect(world.now()).toBeLessThan(60_000);
});

test("the list of tables without schemas has every table", () => {
  const byName = (all: typeof tables) => all.map(({ name, sorted }) => ({ name, sorted })).toSorted((a, b) => a.name.localeCompare(b.name));
  expect(byName(tables)).toEqual(byName(everyTable));
});

test("an id that is drawn twice is not given twice", () => {
  const options = { seed: "twice" };
  const [first, second] = [opened(":memory:", options), opened(":memory:", options)];
  const drawn = first.newId("em", edgeModules);
  second.rows(edgeModules, "eu-frankfurt").insert({ id: drawn, name: "" });
  const given = second.newId("em", edgeModules);
  expect(given).toMatch(/^em-[0-9a-f]{8}$/);
  expect(given).not.toBe(drawn);
});

/** A read of a world's faults and keys, as calls make it: in a transaction. */
function known(world: World, secretId: string) {
  return world.transaction(() => ({
    faults: new Faults(world).list().length,
    disabled: findAccessKey(world, secretId)?.disabled,
    now: world.now(),
  }));
}

test.each(["this process", "another process"])(
  "what %s writes is seen by the next call, and what was rolled back is not",
  async (writer) => {
    const file = worldFile();
    const world = opened(file);
    const writing = writer === "this process" ? world : opened(file);
    world.freeze(1000);
    const { secretId } = await putAccessKey(world);
    expect(await known(world, secretId)).toEqual({ faults: 0, disabled: false, now: 1000 });
    new Faults(writing).add({ when: "before" });
    await setAccessKey(writing, secretId, { disabled: true });
    writing.advance(500);
    expect(await known(world, secretId)).toEqual({ faults: 1, disabled: true, now: 1500 });
    const undone = writing.transaction(() => {
      new Faults(writing).clear();
      writing.advance(1000);
      expect([new Faults(writing).list().length, writing.now()]).toEqual([0, 2500]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await known(world, secretId)).toEqual({ faults: 1, disabled: true, now: 1500 });
  },
);

test("a row is read once, until this process or another one writes in its table, and nobody can change what was read", async () => {
  const file = worldFile();
  const [one, other] = [opened(file), opened(file)];
  const region = "eu-frankfurt";
  const read = () => one.transaction(() => one.rows(keyPairs, region).get("skey-1"));
  const named = (name: string) => ({ id: "skey-1", name, publicKey: "", description: "", createdTime: "", tags: [] });
  await other.transaction(() => other.rows(keyPairs, region).insert(named("first")));
  const first = await read();
  expect([first?.name, await read()]).toEqual(["first", first]);
  expect(await read()).toBe(first);
  expect(() => first?.tags.push({ key: "planted", value: "" })).toThrow(TypeError);
  await other.transaction(() => other.rows(keyPairs, region).update("skey-1", { name: "second" }));
  expect((await read())?.name).toBe("second");
  await one.transaction(async () => {
    one.rows(keyPairs, region).update("skey-1", { name: "third" });
    expect(one.rows(keyPairs, region).get("skey-1")?.name).toBe("third");
    const undone = one.attempt(() => {
      one.rows(keyPairs, region).update("skey-1", { name: "fourth" });
      expect(one.rows(keyPairs, region).get("skey-1")?.name).toBe("fourth");
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(one.rows(keyPairs, region).get("skey-1")?.name).toBe("third");
    one.rows(keyPairs, region).expire("skey-1", one.now());
  });
  expect(await read()).toBeUndefined();
});

test("of what is committed together, only what throws is rolled back, as far as it had got", async () => {
  const world = opened(":memory:");
  const rows = () =>
    world
      .prepare("SELECT seq FROM faults ORDER BY seq")
      .all()
      .map(({ seq }) => seq);
  const put = (seq: number) => world.prepare("INSERT INTO faults (seq, data) VALUES (?, '{}')").run(seq);
  const work = (seq: number, inner: number, fails: "inside" | "outside" | "never") =>
    world
      .transaction(async () => {
        await world
          .attempt(() => {
            put(inner);
            if (fails === "inside") throw new Error("inside");
          })
          .catch(() => undefined);
        put(seq);
        if (fails === "outside") throw new Error("outside");
      })
      .catch(() => undefined);
  await Promise.all([work(1, 11, "never"), work(2, 12, "inside"), work(3, 13, "outside"), work(4, 14, "never")]);
  expect(rows()).toEqual([1, 2, 4, 11, 14]);
});
