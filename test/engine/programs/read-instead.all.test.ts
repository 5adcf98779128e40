/** Only the real engine lets go of what a program only reads from now on. */
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

const imports = 'import { Namespace, RegistryInstance, Vpc } from "@container-platform/pulumi";\n';
const others = 'const { registryId } = new RegistryInstance("images", { registryName: "acme-images", deleteBucket: true });\n';
/** With one network and one namespace to be read under the same name, and one of each to be read under another one. */
const managed = (options: (name: string) => string) => `${imports}${others}
new Vpc("same", { cidrBlock: "10.0.0.0/16" }${options("Vpc same")});
new Vpc("other", { cidrBlock: "10.1.0.0/16" }${options("Vpc other")});
new Namespace("same", { registryId, namespaceName: "same", isPublic: false }${options("Namespace same")});
new Namespace("other", { registryId, namespaceName: "other", isPublic: false }${options("Namespace other")});
`;

test("what is read, under the same name or another one, is not deleted, and can be imported again", async () => {
  await using stack = await Stack.create({ program: managed(() => "") });
  await stack.up();
  const ids = new Map<string, string>();
  for (const name of ["Vpc same", "Vpc other", "Namespace same", "Namespace other"]) ids.set(name, (await stack.resource(name)).id ?? "");
  const read = [...ids].map(([name, id]) => {
    const [kind = "", called = ""] = name.split(" ");
    return `${kind}.get("${called === "same" ? called : "theirs"}", "${id}");`;
  });
  stack.write(`${imports}${read.join("\n")}\n${others}`);
  await stack.up();
  expect(stack.leftovers()).toMatchObject({ vpcs: 2, namespaces: 2 });
  stack.write(managed((name) => `, { import: "${ids.get(name)}" }`));
  await stack.up();
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
