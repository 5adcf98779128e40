import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { programOf, scratch } from "../../../scratch.fixture.ts";
import { ControlPlaneProcess } from "./process.ts";

/** A program that is a script, started in a folder. */
const started = (script: string, folder = scratch(), mode?: number) => ControlPlaneProcess.start(programOf(script, mode), folder, {});

test("a program that cannot be executed is told with the reason of the system", async () => {
  await using forbidden = started("exit 0", scratch(), 0o644);
  await expect(forbidden.ready()).rejects.toThrow(/^spawn \S+\/program EACCES$/);
  await using missing = ControlPlaneProcess.start(join(scratch(), "missing"), scratch(), {});
  await expect(missing.ready()).rejects.toThrow(/^spawn \S+\/missing ENOENT$/);
});

test("one that ends is told with its last lines: of a panic its reason, of a full disk that and where", async () => {
  await using silent = started("exit 1");
  await expect(silent.ready()).rejects.toThrow("it has ended: it has logged nothing");
  await using panicking = started(String.raw`printf 'one\ntwo\npanic: no luck\n\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:29\n' >&2`);
  await expect(panicking.ready()).rejects.toThrow(/^it has ended: one\ntwo\npanic: no luck$/);
  const folder = scratch();
  const words = String.raw`wal: no space left on device\npanic: x\n\ngoroutine 1 [running]:\na()\nb()\nc()\nd()\n`;
  await using full = started(`printf '${words}' >&2`, folder);
  await expect(full.ready()).rejects.toThrow(`it has ended: the disk is full (${folder}): make room, then try again`);
});

test("one that is killed by somebody else is told so, with what that mostly means", async () => {
  await using killed = started("echo words >&2; kill -KILL $$");
  await expect(killed.ready()).rejects.toThrow(/^it was killed, as systems do when memory runs out: it takes about 320 MB$/);
  expect(killed.ending()).toMatch(/^was killed, as systems do/);
  await using ending = started("exit 1");
  await ending.ended;
  expect(ending.ending()).toBe("has ended");
});

test("data of a start that did not come to its end are made anew, and those of a cluster that was ready stay", async () => {
  const folder = scratch();
  const ready = `echo '{"port":1}'`;
  const begin = async (script: string) => {
    await using child = started(`mkdir -p etcd; ls etcd >&2; touch etcd/$(ls etcd | wc -l); ${script}`, folder);
    await child.ready().catch(() => undefined);
    await child.ended;
    return child.lastWords();
  };
  expect(await begin("exit 1")).toBe("it has logged nothing");
  expect(await begin("exit 1")).toBe("it has logged nothing");
  expect(await begin(ready)).toBe("it has logged nothing");
  expect(await begin("exit 1")).toBe("0");
  expect(await begin(ready)).toBe("0\n1");
});

test.runIf(process.platform === "linux")("one whose number cannot be written down is not left running", async () => {
  const folder = scratch();
  symlinkSync("/dev/full", join(folder, "pid"));
  const mark = join(scratch(), "mark");
  expect(() => started(`sleep 1; echo here > ${mark}`, folder)).toThrow("ENOSPC");
  await sleep(2000);
  expect(existsSync(mark)).toBe(false);
});
