import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

/** A program that from now on only reads what it has managed: the stack lets go of it, and it stays on the platform. */

const imports = 'import { Namespace, RegistryInstance, Vpc } from "@container-platform/pulumi";\n';
const others = 'const images = new RegistryInstance("images", { registryName: "acme-images", deleteBucket: true });\n';
const managed = `${imports}${others}new Vpc("net", { cidrBlock: "10.0.0.0/16" });
new Namespace("team", { registryId: images.registryId, namespaceName: "team", isPublic: false });\n`;

test.each([
  ["another name", "theirs"],
  ["the same name", ""],
])("what is read under %s is not deleted", async (_, prefix) => {
  await using stack = await Stack.create({ program: managed });
  await stack.up();
  const [vpc, team] = [(await stack.resource("Vpc net")).id, (await stack.resource("Namespace team")).id];
  stack.write(`${imports}Vpc.get("${prefix}net", "${vpc}");\nNamespace.get("${prefix}team", "${team}");\n${others}`);
  await stack.up();
  expect(stack.leftovers()).toMatchObject({ vpcs: 1, namespaces: 1 });
  stack.write(
    managed
      .replace('"10.0.0.0/16" }', `"10.0.0.0/16" }, { import: "${vpc}" }`)
      .replace("isPublic: false });", `isPublic: false }, { import: "${team}" });`),
  );
  await stack.up();
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
