/** Only the real engine deploys a whole stack whose platform is reached through the command-line client. */
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const commands = join(dirname(dirname(dirname(import.meta.dirname))), "node_modules", ".bin");

/** A network and a registry, of which the platform tells a secret. Each call is a process. */
const program = `
import { Namespace, RegistryInstance, SecurityGroup, Subnet, Token, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
new SecurityGroup("platform", {});
const { registryId } = new RegistryInstance("platform", { registryName: "acme-images", deleteBucket: true });
new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
export const { token } = new Token("pull", { registryId });
`;

test("a program is deployed and destroyed", async () => {
  await using stack = await Stack.create({
    program,
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
  const made = await stack.up();
  expect(Object.keys(operationsOf(made))).toHaveLength(6);
  expect(made.output).not.toContain("warning");
  expect(stack.calls().filter(({ code }) => code !== "")).toEqual([]);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
  expect(await stack.resources()).toEqual([]);
});
