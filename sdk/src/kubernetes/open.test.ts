import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { World } from "../local/store/world.ts";
import { openKubernetes } from "./open.ts";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "kubernetes-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const opened = (program: string, folder = scratch()) => {
  const world = World.open(":memory:", { pace: "instant" });
  onTestFinished(() => {
    world.close();
  });
  return openKubernetes(world, { program, folder }, () => undefined);
};

/** A program that says what the one of control planes says when it is asked for its version. */
function programThatSays(text: string): string {
  const file = join(scratch(), "program");
  writeFileSync(file, `#!/bin/sh\necho '${text}'\n`);
  chmodSync(file, 0o755);
  return file;
}

test("a program that is none of control planes is refused with what it is", async () => {
  await expect(opened("/nowhere/kubernetes")).rejects.toThrow(
    /^\/nowhere\/kubernetes is no container-platform-kubernetes: there is no such file$/,
  );
  await expect(opened(programThatSays("1.34.4"))).rejects.toThrow('its version is "1.34.4\\n"');
  const file = programThatSays("{}");
  chmodSync(file, 0o644);
  await expect(opened(file)).rejects.toThrow("it cannot be executed");
});

test("one server at a time serves the clusters of a world", async () => {
  const [program, folder] = [programThatSays('{"kubernetes":"1.34.4","sources":"test"}'), scratch()];
  const first = await opened(program, folder);
  await expect(opened(program, folder)).rejects.toThrow(
    `the clusters of this world are served already, by process ${process.pid}, from ${folder}: use that server, or end it, or serve another world`,
  );
  await first[Symbol.asyncDispose]();
  const second = await opened(program, folder);
  await second[Symbol.asyncDispose]();
});

test("ports stay the same from one run to the next", async () => {
  const [program, folder] = [programThatSays('{"kubernetes":"1.34.4","sources":"test"}'), scratch()];
  const first = await opened(program, folder);
  const ports = first.ports.all();
  expect(ports).toEqual([{ standpoint: "internet", address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) }]);
  await first[Symbol.asyncDispose]();
  const second = await opened(program, folder);
  expect(second.ports.all()).toEqual(ports);
  await second[Symbol.asyncDispose]();
});
