import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { accessibleCluster } from "../cluster-programs.ts";

const kubeconfigForm = z.object({ users: z.tuple([z.object({ user: z.object({ "client-key-data": z.string() }) })]) });

/** The client's key in the kubeconfig, and a line of the decoded key. */
async function keyOf(stack: Stack): Promise<string[]> {
  const { id: clusterId = "" } = await stack.resource("Cluster platform");
  const { kubeconfig } = await stack.cloud().call(cluster.describeClusterKubeconfig, { clusterId, isExtranet: false });
  const { users } = kubeconfigForm.parse(parse(kubeconfig));
  const encoded = users[0].user["client-key-data"];
  const [, line = ""] = Buffer.from(encoded, "base64").toString().split("\n");
  return [encoded, line];
}

/** Everything that the engine keeps of its stacks: states, backups, history. */
function kept(folder: string): string {
  const entries = readdirSync(join(folder, "state"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
}

test("neither a password nor the key of a kubeconfig is in clear in what the engine prints or keeps", async () => {
  const passwords = ["Planted-marker-1", "Planted-marker-2"] as const;
  const program = (password: string) => accessibleCluster({ pool: `password: "${password}"` });
  await using stack = await Stack.create({ program: program(passwords[0]) });
  const outcomes: Outcome[] = [await stack.preview("--json"), await stack.up("--diff")];
  const key = await keyOf(stack);
  for (const part of key) expect(part).toMatch(/^[\w+/=]{60,}$/);
  // Where it was asked for, the same search finds it.
  expect((await stack.ok("stack", "output", "kubeconfig", "--show-secrets")).output).toContain(key[0]);

  outcomes.push(await stack.preview("--json"), await stack.preview("--diff", "--refresh"), await stack.refresh("--diff"));
  stack.write(program(passwords[1]));
  outcomes.push(await stack.preview("--json"), await stack.preview("--diff"));
  stack.faults.add({ operation: cluster.modifyNodePool, when: "before", code: "InvalidParameter", reason: "not this one" });
  outcomes.push(await stack.failingUp(), await stack.up(), await stack.ok("stack", "output"), await stack.ok("stack", "output", "--json"));
  outcomes.push(await stack.ok("stack", "export"));
  // A mistake beside the password is reported without the password.
  stack.write(accessibleCluster({ pool: `password: "${passwords[1]}", keyIds: 7` }));
  outcomes.push(await stack.fails("preview", "--json"), await stack.failingUp());
  stack.write(program(passwords[1]));
  outcomes.push(await stack.destroy("--diff"));

  for (const secret of [...passwords, ...key]) {
    for (const { output, log } of outcomes) {
      expect(output.includes(secret), `${secret.slice(0, 20)}… in the output\n${output}`).toBe(false);
      const lines = log.split("\n").filter((line) => line.includes(secret));
      expect(lines.map((line) => line.slice(0, 300))).toEqual([]);
    }
    expect(kept(stack.folder).includes(secret)).toBe(false);
  }
});

/** A network of which the program keeps everything secret. */
const secretive = (cidrBlock: string, more = "") => `
import { secret } from "@pulumi/pulumi";
import { Namespace, RegistryInstance, Repository, SecurityGroup, Vpc } from "@container-platform/pulumi";
const hush = (text: string) => secret(text);
const hidden = new Vpc("hidden", {
  cidrBlock: hush("${cidrBlock}"),
  vpcName: hush("covert-network"),
  tags: hush("covert-owner").apply((owner) => ({ owner, ["covert-key"]: "x" })),
});
new SecurityGroup("hidden", { groupName: "open", groupDescription: hush("covert-purpose") });
export const { publicDomain, registryId } = new RegistryInstance("hidden", { registryName: hush("covert-images"), deleteBucket: true });
export const { imagePrefix, namespaceName } = new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
export const { imageName } = new Repository("web", { registryId, namespaceName, repositoryName: "web" });
${more}
`;

test("what the program gives as a secret is in no message and no record: wrong values, refusals of the platform, names and tags", async () => {
  const told = [
    "SECRETCIDR",
    "10.77.0.1/16",
    "10.77.0.0/16",
    "covert-network",
    "covert-owner",
    "covert-key",
    "covert-purpose",
    "covert-images",
  ];
  const outcomes: Outcome[] = [];
  await using stack = await Stack.create({ program: "", env: { CONTAINER_PLATFORM_RECORD: "calls.jsonl" } });
  for (const [cidrBlock, says] of [
    ["SECRETCIDR", "cidrBlock: [secret] is not an IPv4 range such as 10.0.0.0/16"],
    ["10.77.0.1/16", "cidrBlock: [secret] is not in its one spelling: write [secret]"],
  ] as const) {
    stack.write(secretive(cidrBlock));
    const refused = await stack.fails("preview");
    expect(refused.output).toContain(says);
    outcomes.push(refused);
  }
  stack.write(secretive("10.77.0.0/16", 'new Vpc("second", { cidrBlock: secret("10.77.0.0/16") }, { dependsOn: [hidden] });'));
  const conflict = await stack.failingUp();
  expect(conflict.output).toContain('cidrBlock [secret] of "second" overlaps cidrBlock [secret] of "hidden"');
  outcomes.push(conflict);
  stack.write(secretive("10.77.0.0/16"));
  outcomes.push(await stack.up("--diff"), await stack.ok("stack", "output"), await stack.refresh("--diff"));
  // What the platform makes of a secret is as secret.
  for (const output of ["publicDomain", "imagePrefix", "imageName"])
    expect((await stack.ok("stack", "output", output, "--show-secrets")).output).toContain("covert-images");
  outcomes.push(await stack.destroy("--diff"));
  const record = readFileSync(join(stack.folder, "calls.jsonl"), "utf8");
  expect(record).toContain("CreateSecurityGroup");
  for (const text of told) {
    for (const { output } of outcomes) expect(output.includes(text), `${text} in the output\n${output}`).toBe(false);
    const lines = record.split("\n").filter((line) => line.includes(text));
    expect(lines).toEqual([]);
    expect(kept(stack.folder).includes(text), `${text} in the state`).toBe(false);
  }
});

test("what `get` reads beside the resource that was given it as a secret is a secret in the state, too", async () => {
  const lines = `
import { secret } from "@pulumi/pulumi";
import { Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("hidden", { cidrBlock: "10.0.0.0/16", vpcName: secret("covert-network"), tags: secret({ owner: "covert-owner" }) });
export const seen = Vpc.get("seen", vpcId);
`;
  await using stack = await Stack.create({ program: lines });
  const outcomes = [await stack.up("--diff"), await stack.up("--diff", "--refresh"), await stack.ok("stack", "export")];
  for (const secret of ["covert-network", "covert-owner"]) {
    for (const { output } of outcomes) expect(output).not.toContain(secret);
    expect(kept(stack.folder)).not.toContain(secret);
  }
  const { outputs } = await stack.resource("Vpc seen");
  expect(outputs).toMatchObject({ cidrBlock: "10.0.0.0/16" });
  await stack.destroy();
});
