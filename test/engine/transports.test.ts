import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { accessKeyOf } from "@container-platform/sdk/local";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Outcome, operationsOf } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";

const commands = join(dirname(dirname(import.meta.dirname)), "node_modules", ".bin");

let embedded: Stack;
let embeddedUp: Outcome;
beforeAll(async () => {
  embedded = await Stack.ofExample("platform");
  embeddedUp = await embedded.up();
});
afterAll(() => embedded[Symbol.asyncDispose]());

/** Deploys and destroys the example in a world that is reached in another way. */
async function deploysAndDestroys(stack: Stack, whileThere: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  const made = await stack.up();
  expect(operationsOf(made)).toEqual(operationsOf(embeddedUp));
  expect(made.output).not.toContain("warning");
  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
  // After two runs: the engine waits only some seconds for a provider that takes the marks off what it has made, and the next run goes on.
  const outcomes = (of: Stack) => of.calls().flatMap(({ action, effect, code }) => (effect === "write" ? [`${action} ${code}`] : []));
  expect(outcomes(stack).sort()).toEqual(outcomes(embedded).sort());
  await whileThere();
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
  expect(await stack.resources()).toEqual([]);
}

test("the example is deployed, left unchanged and destroyed over HTTP as it is in process", async () => {
  await using stack = await Stack.ofExample("platform", { served: true });
  await deploysAndDestroys(stack, async () => {
    // The key that signs the calls is nowhere in the state.
    const { secretId, secretKey } = accessKeyOf(stack.world);
    const state = await stack.exported();
    for (const part of [secretId, secretKey]) expect(state).not.toContain(part);
  });
});

test("the example is deployed, left unchanged and destroyed through the command-line client as it is in process", async () => {
  await using stack = await Stack.ofExample("platform", {
    config: { "container-platform:endpoint": "cli:cpcli" },
    // Each call starts a process, which takes time.
    seconds: 300,
    env: { PATH: `${commands}${delimiter}${process.env["PATH"] ?? ""}` },
  });
  // The client has its endpoint from its own configuration.
  mkdirSync(join(stack.folder, ".container-platform"), { recursive: true });
  writeFileSync(
    join(stack.folder, ".container-platform", "credentials.yaml"),
    JSON.stringify({ default: { endpoint: `local:${stack.worldFile}` } }),
  );
  await deploysAndDestroys(stack);
});
