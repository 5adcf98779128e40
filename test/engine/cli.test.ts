import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { operationsOf } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";

const commands = join(dirname(dirname(import.meta.dirname)), "node_modules", ".bin");

test("the example comes, stays as it is, and goes through the command-line client as it does in process", async () => {
  await using stack = await Stack.ofExample("platform", {
    config: { "container-platform:endpoint": "cli:cpcli" },
    // A process for each call takes its time.
    seconds: 300,
    env: { PATH: `${commands}${delimiter}${process.env["PATH"] ?? ""}` },
  });
  // The client has its endpoint from its own configuration.
  mkdirSync(join(stack.folder, ".container-platform"), { recursive: true });
  writeFileSync(
    join(stack.folder, ".container-platform", "credentials.yaml"),
    JSON.stringify({ default: { endpoint: `local:${stack.worldFile}` } }),
  );
  await using embedded = await Stack.ofExample("platform");
  const made = await stack.up();
  expect(operationsOf(made)).toEqual(operationsOf(await embedded.up()));
  expect(made.output).not.toContain("warning");
  const outcomes = (of: Stack) => of.calls().flatMap(({ action, effect, code }) => (effect === "write" ? [`${action} ${code}`] : []));
  expect(outcomes(stack).sort()).toEqual(outcomes(embedded).sort());
  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});

  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
  expect(await stack.resources()).toEqual([]);
});
