/** Only the real engine shows that the program of the importer, as it is, imports all that there is. */

import { describeSubnets, modifySubnetAttribute } from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { makeSite } from "../../import/sites.ts";
import { warningsIn } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { command } from "../killed-runs.ts";

test("a program for the existing resources of two sites imports all of them, and changes only what differs", async () => {
  await using stack = await Stack.create({ program: "" });
  const site = { cloud: stack.cloud(), world: stack.world };
  const count = (await makeSite(site, 0)).length + (await makeSite(site, 1)).length;
  // Without the certificates, of which every reader of a kubeconfig gets one.
  const resourcesThere = () => ({ ...stack.leftovers(), clientCertificates: 0 });
  const before = resourcesThere();
  const written = await command(stack);
  expect([written.code, written.stderr]).toEqual([0, expect.stringContaining(`${count} of ${count} resources in eu-frankfurt of `)]);
  stack.write(written.stdout);

  const { subnetSet } = await stack.cloud().call(describeSubnets, { filters: [{ name: "subnet-name", values: ["zone-2"] }] });
  const [{ subnetId } = { subnetId: "" }] = subnetSet;
  await stack.cloud().call(modifySubnetAttribute, { subnetId, subnetName: "moved" });
  const made = stack.calls().length;
  expect(warningsIn(await stack.up())).toEqual([
    `importing ${subnetId} changes it to match the program: [Provider.ImportChanges]\n  subnetName: "moved" becomes "zone-2"`,
  ]);
  // What takes tags is given one that says whose it is now.
  const tagging = ["ModifyResourceTags", "ModifyClusterTags", "ModifyNodePool", "ModifyNamespace"];
  expect(stack.writesSince(made).filter((action) => !tagging.includes(action))).toEqual(["ModifySubnetAttribute"]);
  const resources = await stack.resources();
  const ids = [...written.stdout.matchAll(/import: "([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(count);
  expect(resources.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(resources.flatMap(({ initErrors = [] }) => initErrors)).toEqual([]);

  expect((await command(stack)).stderr).toContain(`the stack test has ${count} of these already: `);
  const adopted = await command(stack, "--adopted");
  expect(adopted.stderr).not.toContain("already");
  stack.write(adopted.stdout);
  await stack.up("--refresh", "--expect-no-changes");
  expect(resourcesThere()).toEqual(before);
});
