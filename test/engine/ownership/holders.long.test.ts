import { expect, test } from "vitest";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const names = ["Namespace", "Repository", "ServiceAccount"] as const;

type Name = (typeof names)[number];

/** Resources whose ids follow from their inputs. */
const program = (name: (type: Name) => "old" | "new", options = (_type: Name): string => "") => `
import { Namespace, RegistryInstance, Repository, ServiceAccount } from "@container-platform/pulumi";
const { registryId } = new RegistryInstance("images", { registryName: "holding-images", deleteBucket: true });
const namespaceName = "team";
const team = new Namespace("${name("Namespace")}", { registryId, namespaceName, isPublic: false }, { ${options("Namespace")} });
const dependsOn = [team];
new Repository("${name("Repository")}", { registryId, namespaceName, repositoryName: "web" }, { dependsOn, ${options("Repository")} });
const permissions = [{ resource: namespaceName, actions: ["reg:PullRepository"] }];
new ServiceAccount("${name("ServiceAccount")}", { registryId, name: "ci", permissions }, { dependsOn, ${options("ServiceAccount")} });
`;

test("what is renamed without an alias is refused with the line that renames it, and never with an import", async () => {
  await using stack = await Stack.create({ program: program(() => "old") });
  await stack.up();
  const held = await Promise.all(names.map((type) => stack.resource(`${type} old`)));
  const made = stack.leftovers();

  // One after another: those before it have been renamed, and those after it are not yet.
  for (const [index, type] of names.entries()) {
    const { urn = "" } = held[index] ?? {};
    const isRenamed = (one: Name) => names.indexOf(one) <= index;
    const alias = (one: Name) => (one !== type && isRenamed(one) ? 'aliases: [{ name: "old" }]' : "");
    stack.write(program((one) => (isRenamed(one) ? "new" : "old"), alias));
    const { output } = await stack.failingUp();
    expect(output).toContain(
      `"old" of this same stack has it, and what is new is made before what is old is deleted. If this is another name for it, or it has got another parent, write aliases: ["${urn}"] into the options`,
    );
    expect(output.slice(output.indexOf(`${type} (new)`))).not.toContain("add { import");
  }
  stack.write(
    program(
      () => "new",
      () => 'aliases: [{ name: "old" }]',
    ),
  );
  expect(operationsOf(await stack.up())).toEqual({});
  expect((await stack.resources()).map(({ id }) => id).sort()).toEqual(
    [...held.map(({ id }) => id), expect.stringMatching(/^tcr-[^/]+$/)].sort(),
  );
  expect(stack.leftovers()).toEqual(made);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
