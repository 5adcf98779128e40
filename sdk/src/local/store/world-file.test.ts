import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../../operation/errors.ts";
import { codes, inWords, openDatabase } from "./sqlite.ts";
import { opened, worldFile } from "./world.fixture.ts";
import { World } from "./world.ts";

/** Files that are no worlds, or not the world any more that was opened. */

/** As when somebody empties the folder. */
function remove(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
}

describe("a file that goes while it is in use takes no more calls, as nobody would ever read what they write", () => {
  const gone = (file: string) =>
    `the file of the local world ${file} was removed, or replaced by another, while it was in use; nothing was changed. Run this again`;

  test("if it was removed", async () => {
    const file = worldFile();
    const world = opened(file);
    await world.transaction(() => world.advance(1));
    remove(file);
    let ran = false;
    await expect(world.transaction(() => (ran = true))).rejects.toThrow(gone(file));
    expect(ran).toBe(false);
  });

  test("if another one has its name, which is used by whoever opens that", async () => {
    const file = worldFile();
    const world = opened(file);
    remove(file);
    const other = opened(file);
    await expect(world.transaction(() => world.advance(1))).rejects.toThrow(gone(file));
    expect(await other.transaction(() => "done")).toBe("done");
  });

  test("and takes them again once it is back", async () => {
    const file = worldFile();
    const world = opened(file);
    renameSync(file, `${file}.away`);
    await expect(world.transaction(() => world.advance(1))).rejects.toThrow(gone(file));
    renameSync(`${file}.away`, file);
    expect(await world.transaction(() => "done")).toBe("done");
  });
});

test("a database of another program is refused, and left as it is", () => {
  const file = worldFile();
  const other = openDatabase(file);
  other.exec("CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES ('one')");
  other.close();
  const before = readFileSync(file);
  const refusal = `${file} is a database of another program, and no local world: it was left as it is. Name another file with local:<file>`;
  expect(() => World.open(file)).toThrow(new ConfigurationError(refusal));
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("an empty file becomes a world", () => {
  const file = worldFile();
  writeFileSync(file, "");
  expect(opened(file).timeScale).toBe("fast");
});

test("a time scale that does not exist is no fault of the file", () => {
  expect(() => World.open(worldFile(), { timeScale: JSON.parse('"slow"') })).toThrow(
    "timeScale is slow; it takes one of realistic, fast, instant",
  );
});

test("nobody is told to remove what the system does not let one open", () => {
  const path = dirname(worldFile());
  const refusal = (file: string) => {
    try {
      World.open(file).close();
      return "";
    } catch (error) {
      return error instanceof ConfigurationError ? error.message : String(error);
    }
  };
  writeFileSync(join(path, "file"), "");
  for (const file of [path, join(path, "file", "world.db")]) {
    expect(refusal(file)).toMatch(
      /cannot be read \(E[A-Z]+: .*\): check the rights to the file and its folder, or name another with local:/,
    );
    expect(refusal(file)).not.toContain("remove");
  }
  expect(statSync(join(path, "file")).size).toBe(0);
});

test.runIf(process.platform === "linux")("a disk that has no room left is called full, whatever SQLite calls it", () => {
  const failed = Object.assign(new Error("disk I/O error"), { errcode: codes.failedIo });
  // A file system that never has any room.
  expect(inWords("/proc/world.db", failed)).toEqual(
    new Error("the disk of the local world /proc/world.db is full; nothing was changed. Make room on it"),
  );
  const elsewhere = worldFile();
  expect(inWords(elsewhere, failed)).toEqual(
    new Error(`the local world ${elsewhere} cannot be written (disk I/O error); nothing was changed. Check the disk`),
  );
});
