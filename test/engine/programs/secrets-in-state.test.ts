/** Only the real engine shows what it prints, logs and keeps of the secrets of a program and of its resources. */
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

const passwords = ["Planted-marker-1", "Planted-marker-2"] as const;
const told = ["10.77.0.0/16", "covert-network", "covert-owner", "covert-key", "covert-purpose", "covert-images"] as const;

interface Given {
  readonly password?: string;
  /** Further settings of the nodes. */
  readonly pool?: string;
  readonly more?: string;
}

/** A cluster with access, whose nodes have a password; a network and a registry of which the program keeps everything secret. */
const program = ({ password = passwords[0], pool = "", more = "" }: Given) => `
${accessibleCluster({ pool: `password: "${password}", ${pool}` })}
import { secret } from "@pulumi/pulumi";
import { Namespace, pullSecret, RegistryInstance, Repository, SecurityGroup, Token } from "@container-platform/pulumi";
const hush = (text: string) => secret(text);
const hidden = new Vpc("hidden", {
  cidrBlock: hush("10.77.0.0/16"),
  vpcName: hush("covert-network"),
  tags: hush("covert-owner").apply((owner) => ({ owner, ["covert-key"]: "x" })),
});
new SecurityGroup("hidden", { groupName: "open", groupDescription: hush("covert-purpose") });
const publicAccess = { whitelist: [{ cidrBlock: "203.0.113.7/32" }] };
const registry = new RegistryInstance("hidden", { registryName: hush("covert-images"), deleteBucket: true, publicAccess });
export const { publicDomain, registryId } = registry;
export const content = pullSecret({ registry, token: new Token("pull", { registryId }), via: "public" });
export const { imagePrefix, namespaceName } = new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
export const { imageName } = new Repository("web", { registryId, namespaceName, repositoryName: "web" });
const half = new Vpc("half", { cidrBlock: "10.78.0.0/16", vpcName: hush("covert-network"), tags: secret({ owner: "covert-owner" }) });
export const seen = Vpc.get("seen", half.vpcId);
${more}
`;

const shownForm = z.object({
  kubeconfig: z.string(),
  content: z.string(),
  publicDomain: z.string(),
  imagePrefix: z.object({ vpc: z.string() }),
  imageName: z.object({ vpc: z.string() }),
});
const contentForm = z.object({ auths: z.record(z.string(), z.object({ password: z.string(), auth: z.string() })) });

/** The password in a pull secret, in clear, in base64, and in base64 with the user. */
function spellings(content: string): string[] {
  const [login] = Object.values(contentForm.parse(JSON.parse(content)).auths);
  if (!login) throw new Error("the secret names no server");
  return [login.password, Buffer.from(login.password).toString("base64"), login.auth];
}

test("neither a password, nor the key of a kubeconfig, nor anything that the program gives as a secret is in clear in what the engine prints or keeps", async () => {
  await using stack = await Stack.create({ program: program({ pool: "keyIds: 7" }), env: { CONTAINER_PLATFORM_RECORD: "calls.jsonl" } });
  // A mistake beside the password is reported without the password.
  const outcomes: Outcome[] = [await stack.fails("preview", "--json")];
  stack.write(program({ more: 'new Vpc("second", { cidrBlock: secret("10.77.0.0/16") }, { dependsOn: [hidden] });' }));
  const conflict = await stack.failingUp("--diff");
  expect(conflict.output).toContain('cidrBlock: [secret] of "second" overlaps cidrBlock [secret] of "hidden"');
  stack.write(program({}));
  outcomes.push(conflict, await stack.up("--diff"));
  const key = await keyOf(stack);
  for (const part of key) expect(part).toMatch(/^[\w+/=]{60,}$/);
  // Where it is asked for, the same search finds it. What the platform makes of a secret is as secret.
  const { output: clear } = await stack.ok("stack", "output", "--json", "--show-secrets");
  const shown = shownForm.parse(JSON.parse(clear));
  expect(shown.kubeconfig).toContain(key[0]);
  for (const part of spellings(shown.content)) expect(part.length).toBeGreaterThan(20);
  for (const text of [shown.publicDomain, shown.imagePrefix.vpc, shown.imageName.vpc]) expect(text).toContain("covert-images");

  stack.write(program({ password: passwords[1] }));
  outcomes.push(await stack.preview("--json", "--refresh"));
  stack.faults.add({ operation: cluster.modifyNodePool, when: "before", code: "InvalidParameter", reason: "not this one" });
  outcomes.push(await stack.failingUp("--diff"), await stack.up("--diff", "--refresh"));
  outcomes.push(await stack.ok("stack", "output"), await stack.ok("stack", "export"));
  // What `get` reads beside the resource that was given it as a secret is a secret in the state, too, and what was none is none.
  expect((await stack.resource("Vpc seen")).outputs).toMatchObject({ cidrBlock: "10.78.0.0/16" });
  outcomes.push(await stack.destroy("--diff"));

  const record = readFileSync(join(stack.folder, "calls.jsonl"), "utf8");
  expect(record).toContain("CreateSecurityGroup");
  for (const secret of [...passwords, ...key, ...spellings(shown.content), ...told]) {
    for (const { output, log } of outcomes) {
      expect(output.includes(secret), `${secret.slice(0, 20)}… in the output\n${output}`).toBe(false);
      const lines = log.split("\n").filter((line) => line.includes(secret));
      expect(lines.map((line) => line.slice(0, 300))).toEqual([]);
    }
    expect(record.split("\n").filter((line) => line.includes(secret))).toEqual([]);
    expect(kept(stack.folder).includes(secret), `${secret.slice(0, 20)}… in the state`).toBe(false);
  }
});
