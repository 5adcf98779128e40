import { expect, test } from "vitest";
import { operationsOf } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";

const names = ["Namespace", "Repository", "ServiceAccount"] as const;

/** Resources whose ids follow from their inputs, all under one name. */
const program = (name: string, options = (_type: (typeof names)[number]): string => "") => `
import { Namespace, RegistryInstance, Repository, ServiceAccount } from "@container-platform/pulumi";
const { registryId } = new RegistryInstance("images", { registryName: "holding-images", deleteBucket: true });
const namespaceName = "team";
const team = new Namespace("${name}", { registryId, namespaceName, isPublic: false }, { ${options("Namespace")} });
const dependsOn = [team];
new Repository("${name}", { registryId, namespaceName, repositoryName: "web" }, { dependsOn, ${options("Repository")} });
const permissions = [{ resource: namespaceName, actions: ["reg:PullRepository"] }];
new ServiceAccount("${name}", { registryId, name: "ci", permissions }, { dependsOn, ${options("ServiceAccount")} });
`;

test("what is renamed without an alias is refused with the line that renames it, and never with an import", async () => {
  await using stack = await Stack.create({ program: program("old") });
  await stack.up();
  const held = await Promise.all(names.map((type) => stack.resource(`${type} old`)));
  const made = stack.leftovers();

  // Each is refused on its own: the others have to wait for the namespace.
  for (const [index, type] of names.entries()) {
    const { urn = "" } = held[index] ?? {};
    const others = names.slice(0, index);
    stack.write(program("new", (one) => (others.includes(one) ? 'aliases: [{ name: "old" }]' : "")));
    const { output } = await stack.failingUp();
    expect(output).toContain(
      `"old" of this same stack has it, and what is new is made before what is old is deleted. If this is another name for it, or it has got another parent, write aliases: ["${urn}"] into the options`,
    );
    expect(output.slice(output.indexOf(`${type} (new)`))).not.toContain("add { import");
  }
  stack.write(program("new", () => 'aliases: [{ name: "old" }]'));
  expect(operationsOf(await stack.up())).toEqual({});
  expect((await stack.resources()).map(({ id }) => id).sort()).toEqual(
    [...held.map(({ id }) => id), expect.stringMatching(/^tcr-[^/]+$/)].sort(),
  );
  expect(stack.leftovers()).toEqual(made);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
