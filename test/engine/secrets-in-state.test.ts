import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type Outcome } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";
import { accessibleCluster } from "./cluster-programs.ts";

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
