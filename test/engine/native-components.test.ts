import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nativeClasses } from "../support/native-classes.ts";
import { Stack } from "../support/stack.ts";

/** The components of the native plugin, with the real engine. Their classes are those that a generated SDK has. */

const dynamic = "@container-platform/pulumi";
const native = "./native.ts";
const unchanged = "--expect-no-changes";

async function stackOf(program: string): Promise<Stack> {
  const stack = await Stack.create({ program, plugin: true });
  writeFileSync(join(stack.folder, "native.ts"), nativeClasses);
  return stack;
}

const platform = (classes: string, max = 3) => `
import { Platform } from "${classes}";
const platform = new Platform("prod", {
  network: { zones: 2, subnets: { nodes: { prefix: 20 }, pods: { prefix: 20 } } },
  nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], max: ${max}, labels: { pool: "apps" } } },
  access: { internet: ["203.0.113.0/24"] },
  registry: { name: "prod-images", namespaces: ["team"] },
  permissions: { "100000000003": "svc:ro" },
  deletionProtection: false,
  tags: { team: "platform" },
});
`;

test("a platform is made, found unchanged, changed and destroyed", async () => {
  await using stack = await stackOf(`${platform(native)}
export const { vpcId, subnetIds, clusterId, nodePoolIds, kubeconfig, pullServer, pullSecret } = platform;
`);
  await stack.preview();
  await stack.up();
  console.log((await stack.ok("stack", "output")).output);
  console.log((await stack.resources()).map(({ urn }) => urn).join("\n"));
  await stack.preview(unchanged);
  await stack.refresh(unchanged);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
