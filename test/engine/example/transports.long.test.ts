import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { accessKeyOf } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

type Options = Parameters<typeof Stack.ofExample>[1];
type Open = (options?: Options) => Promise<Stack>;

const commands = join(dirname(dirname(dirname(import.meta.dirname))), "node_modules", ".bin");

const example: Open = (options) => Stack.ofExample("platform", options);

/** A network and a registry, of which the platform tells a secret. Through the client, each of its calls is a process. */
const program = `
import { Namespace, RegistryInstance, SecurityGroup, Subnet, Token, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
new SecurityGroup("platform", {});
const { registryId } = new RegistryInstance("platform", { registryName: "acme-images", deleteBucket: true });
new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
export const { token } = new Token("pull", { registryId });
`;
const small: Open = (options) => Stack.create({ ...options, program });

/** The writing calls of a stack, and what became of them, in no order. */
const outcomes = (of: Stack) =>
  of
    .calls()
    .flatMap(({ action, effect, code }) => (effect === "write" ? [`${action} ${code}`] : []))
    .sort();

/** Deploys and destroys a program in a world that is reached in another way than in process. */
async function deploysAndDestroys(open: Open, stack: Stack, whileThere: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  await using embedded = await open();
  const embeddedUp = await embedded.up();
  const made = await stack.up();
  expect(operationsOf(made)).toEqual(operationsOf(embeddedUp));
  expect(Object.keys(operationsOf(made)).length).toBeGreaterThan(5);
  expect(made.output).not.toContain("warning");
  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
  // The engine waits only some seconds for a provider that takes the marks off what it has made, and the next run goes on.
  for (let run = 0; run < 3 && outcomes(stack).length < outcomes(embedded).length; run++) await stack.up("--expect-no-changes");
  expect(outcomes(stack)).toEqual(outcomes(embedded));
  await whileThere();
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
  expect(await stack.resources()).toEqual([]);
}

test("the example is deployed, left unchanged and destroyed over HTTP as it is in process", async () => {
  await using stack = await example({ served: true });
  await deploysAndDestroys(example, stack, async () => {
    // The key that signs the calls is nowhere in the state.
    const { secretId, secretKey } = accessKeyOf(stack.world);
    const state = await stack.exported();
    for (const part of [secretId, secretKey]) expect(state).not.toContain(part);
  });
});

test("a program, in long runs the example, is deployed, left unchanged and destroyed through the command-line client", async () => {
  const open = isLong ? example : small;
  await using stack = await open({
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
  await deploysAndDestroys(open, stack);
});
