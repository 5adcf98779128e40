/** Only the engine writes states in files, and can leave one half written, or without checkpoints. */
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mendTornState } from "../../../scripts/stack.js";
import { Stack } from "../../support/stack.ts";
import { command, orphan, registry, upKilledIn } from "../killed-runs.ts";

test("without checkpoints, a killed first update leaves an empty state: the stack's name in the tags tells the orphan, and its ID deletes it", async () => {
  const env = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
  await using stack = await Stack.create({ program: registry, programs: "language-host", env });
  await upKilledIn(stack, "CreateInstance");
  expect(await stack.resources()).toEqual([]);
  expect((await stack.failingUp()).output).toMatch(
    /tcr-\w+ has this resource's ownership tags, but this stack's state does not record its creation/,
  );
  const listed = await command(stack, "--orphans", "--delete");
  expect(listed).toMatchObject({ code: 1, stdout: expect.stringMatching(orphan) });
  const [id = ""] = listed.stdout.split(" ");
  expect(listed.stderr).toContain(
    `${id} (RegistryInstance): delete it with \`npx container-platform-import --orphans --delete --id ${id}\``,
  );
  expect(await command(stack, "--orphans", "--delete", "--id", id)).toMatchObject({ code: 0, stdout: `deleted ${listed.stdout}` });
  // The input deleteBucket was lost with the checkpoint.
  expect(stack.leftovers()).toEqual({ buckets: 1 });
});

const vpc = `
import { Vpc } from "@container-platform/pulumi";
new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
`;

test("a state that a killed engine has left half written can be read again, and loses nothing", async () => {
  await using stack = await Stack.create({ program: vpc });
  await stack.up();
  const states = join(stack.folder, "state");
  const file = join(states, ".pulumi", "stacks", "throw-away", "test.json");

  truncateSync(`${file}.attrs`);
  expect((await stack.fails("preview")).output).toContain("EOF");
  mendTornState(states);
  await stack.preview("--expect-no-changes");

  truncateSync(file, 100);
  expect((await stack.fails("preview")).output).toContain("load");
  mendTornState(states);
  expect(readFileSync(file, "utf8")).toBe(readFileSync(`${file}.bak`, "utf8"));
  await stack.up();
  await stack.up("--expect-no-changes");
  expect(stack.count("vpcs")).toBe(1);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
