/** Only the real engine deploys the program of docs/guides/registries.md as it is written. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { putImage } from "@container-platform/sdk/local";
import { deleteRepository, describeImages } from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import { root } from "../../support/compiler.ts";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

test("the program of the page comes, is changed, and goes once its images may go", async () => {
  const [, program = ""] =
    /^```ts title=index\.ts\n(.*?)^```$/ms.exec(readFileSync(join(root, "docs", "guides", "registries.md"), "utf8")) ?? [];
  await using stack = await Stack.create({ program });
  await stack.up();
  const { stdout } = await stack.ok("stack", "output", "--json");
  expect(JSON.parse(stdout)).toEqual({ image: expect.stringMatching(/^acme-images\..+\/team\/web$/) });

  const [registryId = ""] = (await stack.resource("Repository web")).id?.split("/") ?? [];
  await putImage(stack.world, { region: "eu-frankfurt", registryId, namespace: "team", repository: "web", version: "v1" });
  const away = stack.cloud("ap-singapore");
  const { id: far = "" } = await stack.resource("RegistryInstance far");
  const copy = { registryId: far, namespaceName: "copies", repositoryName: "web" };
  expect((await away.call(describeImages, copy)).imageInfoList.map(({ imageVersion }) => imageVersion)).toEqual(["v1"]);
  const changed = program.replace('briefDescription: "The shop"', 'briefDescription: "The market", forceDelete: true');
  stack.write(changed.replace('filters: [{ type: "name"', 'override: true, filters: [{ type: "name"'));
  const before = stack.calls().length;
  expect(operationsOf(await stack.up("--refresh"))).toEqual({ "Repository web": ["update"], "ReplicationRule far": ["update"] });
  expect(stack.writesSince(before).sort()).toEqual(["ModifyReplication", "ModifyRepository"]);

  // The copy is of no program.
  await away.call(deleteRepository, copy);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
