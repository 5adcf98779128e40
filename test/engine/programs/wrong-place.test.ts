import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { World } from "@container-platform/sdk/local";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

describe("a platform that cannot be reached", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.create({ program });
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  async function told(config: Record<string, string>): Promise<string[]> {
    stack.configure(config);
    return sentencesIn(await stack.fails("preview"));
  }

  test("without an endpoint, the error names the choices", async () => {
    expect(await told({ "container-platform:endpoint": "" })).toEqual([
      expect.stringMatching(
        /^no endpoint is configured: set container-platform:endpoint or CONTAINER_PLATFORM_ENDPOINT to local \(.*\), local:<file>, .*http/,
      ),
    ]);
  });

  test("with an endpoint of no known form, the error names the choices", async () => {
    expect(await told({ "container-platform:endpoint": "nowhere" })).toEqual([
      expect.stringMatching(/^nowhere is no endpoint that this version reaches: use local \(.*\), local:<file>, .*http/),
    ]);
  });

  test("without a region, the error says how to set it", async () => {
    expect(await told({ "container-platform:region": "" })).toEqual([
      "no region is configured: set container-platform:region or CONTAINER_PLATFORM_REGION, for example to eu-frankfurt",
    ]);
  });

  test("with a region that does not exist, the error names those that do", async () => {
    stack.configure({ "container-platform:region": "eu-nowhere" });
    expect(sentencesIn(await stack.failingUp())).toEqual([
      expect.stringMatching(/there is no region eu-nowhere; there are eu-frankfurt, ap-singapore, na-ashburn/),
    ]);
  });

  test("with a file that is no world, the error says what to do", async () => {
    const file = join(stack.folder, "broken.db");
    writeFileSync(file, "this is no database, and was never one\n".repeat(200));
    expect(await told({ "container-platform:endpoint": "local:broken.db" })).toEqual([
      `the local world ${file} cannot be read (file is not a database): remove the file to begin anew, or name another with local:<file>`,
    ]);
  });

  test("with a world of a newer version, the error says what to do", async () => {
    const file = join(stack.folder, "newer.db");
    const world = World.open(file);
    world.prepare("UPDATE clock SET version = 99").run();
    world.close();
    const [sentence = "", ...others] = await told({ "container-platform:endpoint": "local:newer.db" });
    expect(sentence.replace(/reads \d+/, "reads …")).toBe(
      `the local world ${file} is of a newer version of this library (layout 99, this one reads …): use that version, or remove the file to begin anew`,
    );
    expect(others).toEqual([]);
  });
});

describe("a stack that was deployed elsewhere", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.create({ program });
    await stack.up();
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  const region =
    "this Vpc lives in region eu-frankfurt, but this run works in ap-singapore: set container-platform:region back and run `pulumi up`, or use another stack";
  const endpoint =
    "this Vpc lives at the endpoint local, but this run works at local:other.db: set container-platform:endpoint back and run `pulumi up`, or use another stack";

  test("at another endpoint, a refresh goes on where the stack is: Pulumi gives it the settings of the last up", async () => {
    const calls = stack.calls().length;
    stack.configure({ "container-platform:endpoint": "local:other.db" });
    expect(operationsOf(await stack.ok("refresh", "--yes", "--skip-preview"))).toEqual({});
    expect(stack.calls().length).toBeGreaterThan(calls);
    expect(existsSync(join(stack.folder, "other.db"))).toBe(false);
  });

  test("in another region, every command is refused before any call", async () => {
    const calls = stack.calls().length;
    stack.configure({ "container-platform:region": "ap-singapore" });
    expect(sentencesIn(await stack.fails("preview"))).toEqual([region]);
    expect(sentencesIn(await stack.failingUp())).toEqual([region]);
    expect(sentencesIn(await stack.fails("refresh", "--yes", "--skip-preview"))).toEqual([region]);
    expect(sentencesIn(await stack.fails("destroy", "--yes", "--skip-preview"))).toEqual([region]);
    expect(stack.calls()).toHaveLength(calls);
  });

  test("at another endpoint, up is refused before any call", async () => {
    const calls = stack.calls().length;
    stack.configure({ "container-platform:endpoint": "local:other.db" });
    expect(sentencesIn(await stack.failingUp())).toEqual([endpoint]);
    expect(stack.calls()).toHaveLength(calls);
  });

  test("back where it was deployed, nothing has changed", async () => {
    stack.configure({});
    expect(operationsOf(await stack.up("--expect-no-changes"))).toEqual({});
    expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
  });
});
