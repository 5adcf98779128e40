/** Only the real engine hands to the provider what is set for a stack that is run elsewhere, and shows how that is refused. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationsOf, type Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const program = `
import { Vpc } from "@container-platform/pulumi";
new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
`;

/** The sentences that the engine shows, each once. */
function sentencesIn({ output, events, log }: Outcome): string[] {
  expect(output).not.toMatch(/^\s+at .+[:(]\d+/m);
  expect(log).not.toMatch(/\\n\s+at [^"]+\.js:\d+/);
  return events.flatMap(({ diagnosticEvent: line }) => {
    if (!line || line.severity === "debug" || line.ephemeral === true) return [];
    const text = line.message.replaceAll(/<\{%.*?%\}>/g, "").trim();
    // The engine adds these to any failure.
    return /^(update|preview|refresh|destroy) failed$/.test(text) ? [] : [text];
  });
}

const region =
  "this Vpc was created in region eu-frankfurt, but this update uses ap-singapore: set container-platform:region back and run `pulumi up`, or use another stack";
const endpoint =
  "this Vpc was created in endpoint local, but this update uses local:other.db: set container-platform:endpoint back and run `pulumi up`, or use another stack";

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.create({ program });
  await stack.up();
});
afterAll(() => stack[Symbol.asyncDispose]());

test("at another endpoint, a refresh goes on where the stack is: Pulumi gives it the settings of the last up", async () => {
  const calls = stack.calls().length;
  stack.configure({ "container-platform:endpoint": "local:other.db" });
  expect(operationsOf(await stack.refresh())).toEqual({});
  expect(stack.calls().length).toBeGreaterThan(calls);
  expect(existsSync(join(stack.folder, "other.db"))).toBe(false);
});

test("in another region, at another endpoint or at none, the run is refused before any call, in a sentence", async () => {
  const calls = stack.calls().length;
  stack.configure({ "container-platform:region": "ap-singapore" });
  expect(sentencesIn(await stack.failingUp())).toEqual([region]);
  expect(sentencesIn(await stack.fails("destroy", "--yes", "--skip-preview"))).toEqual([region]);
  stack.configure({ "container-platform:endpoint": "local:other.db" });
  expect(sentencesIn(await stack.failingUp())).toEqual([endpoint]);
  stack.configure({ "container-platform:endpoint": "" });
  expect(sentencesIn(await stack.fails("preview"))).toEqual([expect.stringMatching(/^no endpoint is configured: set /)]);
  expect(stack.calls()).toHaveLength(calls);
});

test("back where it was deployed, nothing has changed", async () => {
  stack.configure({});
  expect(operationsOf(await stack.up("--expect-no-changes"))).toEqual({});
});
