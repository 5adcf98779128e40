import { afterAll, beforeAll, expect, test } from "vitest";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const newFirst = ["create-replacement", "replace", "delete-replaced"];

/** The resources that are replaced along with a cluster. */
const clusterAnew = {
  "Cluster platform": newFirst,
  "NodePool workers": newFirst,
  "ClusterEndpoint public": newFirst,
  "ClusterEndpoint internal": newFirst,
  "UserPermission developer-100000000002": newFirst,
  "UserPermission auditor-100000000003": newFirst,
};
const registryAnew = { "RegistryInstance platform": newFirst, "Namespace team": newFirst, "Token pull": newFirst };

/** Changes of the settings of the example, one after the other, and what each does. Settings that concern different resources change together. */
const changes = [
  {
    settings: { nodes: "4", registryName: "other-images" },
    does: { "NodePool workers": ["update"], ...registryAnew },
  },
  {
    settings: {
      instanceType: "SA5.LARGE8",
      allowedCidrBlocks: '["198.51.100.0/24","203.0.113.0/24"]',
      developers: '["100000000002","100000000004"]',
    },
    does: {
      "NodePool workers": ["update"],
      "SecurityGroup platform": ["update"],
      "ClusterEndpoint public": ["update"],
      "UserPermission developer-100000000004": ["create"],
    },
  },
  {
    settings: { serviceCidr: "172.21.0.0/16" },
    does: { ...clusterAnew, "UserPermission developer-100000000004": newFirst },
  },
  {
    settings: { zones: '["eu-frankfurt-1","eu-frankfurt-2"]' },
    does: { "Subnet nodes-3": ["delete"], ...clusterAnew, "UserPermission developer-100000000004": newFirst },
  },
  // Subnets can be added for pods and nodes at any time.
  {
    settings: { zones: '["eu-frankfurt-1","eu-frankfurt-2","eu-frankfurt-3"]', team: "crew" },
    does: {
      "Subnet nodes-3": ["create"],
      "Cluster platform": ["update"],
      "NodePool workers": ["update"],
      "Namespace team": newFirst,
      "Token pull": ["update"],
      "UserPermission developer-100000000002": newFirst,
      "UserPermission developer-100000000004": newFirst,
    },
  },
] as const;

let stack: Stack;
let config: Record<string, string> = {};
beforeAll(async () => {
  stack = await Stack.ofExample("platform");
  await stack.up();
});
afterAll(() => stack[Symbol.asyncDispose]());

test.each(changes.map((one) => ({ ...one, names: Object.keys(one.settings).join(" and ") })))(
  "a change of $names does exactly what is expected",
  async ({ settings, does }) => {
    const changed = Object.entries(settings).map(([name, value]) => [`platform:${name}`, value] as const);
    config = { ...config, ...Object.fromEntries(changed) };
    stack.configure(config);
    // What the previous change has left to do would be here, too.
    expect(operationsOf(await stack.up("--refresh"))).toEqual(does);
    expect(stack.calls().filter(({ code }) => code !== "")).toEqual([]);
  },
);

test("without settings, all is as it was", async () => {
  stack.configure({});
  expect(operationsOf(await stack.up())).toEqual({
    "SecurityGroup platform": ["update"],
    ...clusterAnew,
    ...registryAnew,
    "UserPermission developer-100000000004": ["delete"],
  });
  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
  expect(stack.leftovers()).toMatchObject({ vpcs: 1, subnets: 3, clusters: 1, nodePools: 1, nodes: 3, clusterEndpoints: 2 });
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
