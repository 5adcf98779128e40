import { readFileSync } from "node:fs";
import { join } from "node:path";
import { putImage } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { root } from "../support/compiler.ts";
import { nameOf, operationsOf } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";

test("the program of the page comes, is changed, and goes, but for images that nobody has given up", async () => {
  const [, program = ""] = /^```ts title=index\.ts\n(.*?)^```$/ms.exec(readFileSync(join(root, "docs", "registries.md"), "utf8")) ?? [];
  await using stack = await Stack.create({ program });
  await stack.up();
  await stack.up("--refresh", "--expect-no-changes");
  expect(JSON.parse((await stack.ok("stack", "output", "--json")).stdout)).toEqual({
    image: expect.stringMatching(/^acme-images\..+\/team\/web$/),
  });

  const { id = "" } = await stack.resource("Repository web");
  const [registryId = ""] = id.split("/");
  const image = { region: "eu-frankfurt", registryId, namespace: "team", repository: "web", version: "v1" };
  await putImage(stack.world, image);
  const refused = await stack.fails("destroy", "--yes", "--skip-preview");
  expect(refused.output).toContain("set forceDelete to true and run `pulumi up`");
  expect((await stack.resources()).map(({ urn }) => nameOf(urn))).toEqual(["RegistryInstance images", "Namespace team", "Repository web"]);

  const forced = program.replace('briefDescription: "The shop"', 'briefDescription: "The market", forceDelete: true');
  stack.write(forced);
  const changed = stack.calls().length;
  expect(operationsOf(await stack.up())).toEqual({ "Repository web": ["update"] });
  const writes = stack
    .calls()
    .slice(changed)
    .filter(({ effect }) => effect === "write");
  expect(writes.map(({ action }) => action)).toEqual(["ModifyRepository"]);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
