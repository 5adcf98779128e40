/** Only the real engine does in this order, with the plan of a preview, what the preview says of a change of the example. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationsOf, type Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** The order of the operations on a resource that is replaced. */
const oldFirst = ["delete-replaced", "replace", "create-replacement"];
const newFirst = ["create-replacement", "replace", "delete-replaced"];

const clusterAnew = {
  "Cluster platform": oldFirst,
  "NodePool workers": oldFirst,
  "ClusterEndpoint public": oldFirst,
  "ClusterEndpoint internal": oldFirst,
  "UserPermission developer-100000000002": oldFirst,
  "UserPermission developer-100000000004": oldFirst,
  "UserPermission auditor-100000000003": oldFirst,
};

const zones = (...numbers: readonly number[]) => JSON.stringify(numbers.map((number) => `eu-frankfurt-${number}`));

/** Changes of the settings, one after the other, and what each does. */
const changes: readonly {
  readonly of: string;
  readonly settings: Record<string, string>;
  readonly does: object;
  readonly isPlanned?: true;
}[] = [
  {
    of: "nodes, their type, the ranges that may connect, a zone, a developer, and the name of the registry",
    settings: {
      nodes: "4",
      instanceType: "SA5.LARGE8",
      allowedCidrBlocks: '["198.51.100.0/24","203.0.113.0/24"]',
      zones: zones(1, 2, 3),
      developers: '["100000000002","100000000004"]',
      registryName: "other-images",
    },
    does: {
      "Subnet nodes-3": ["create"],
      "SecurityGroup platform": ["update"],
      "Cluster platform": ["update"],
      "NodePool workers": ["update"],
      "ClusterEndpoint public": ["update"],
      "RegistryInstance platform": newFirst,
      "Namespace team": newFirst,
      "Token pull": newFirst,
      "UserPermission developer-100000000004": ["create"],
    },
    isPlanned: true,
  },
  {
    of: "the zone of two subnets, and the name of the team",
    settings: { zones: zones(2, 1, 3), team: "crew" },
    does: {
      "Subnet nodes-1": oldFirst,
      "Subnet nodes-2": oldFirst,
      ...clusterAnew,
      "RegistryInstance platform": ["update"],
      "Namespace team": newFirst,
      "Token pull": ["update"],
    },
  },
];

let stack: Stack;
let config: Record<string, string> = { "platform:zones": zones(1, 2) };
beforeAll(async () => {
  stack = await Stack.ofExample("platform", { config });
  await stack.up();
});
afterAll(() => stack[Symbol.asyncDispose]());

/** Deploys a change, with the plan of its preview. */
async function asPlanned(): Promise<Outcome> {
  const before = stack.calls().length;
  const plan = join(stack.folder, "plan.json");
  const preview = await stack.preview("--save-plan", plan);
  expect(stack.writesSince(before)).toEqual([]);
  const up = await stack.up("--plan", plan);
  expect(operationsOf(preview)).toEqual(operationsOf(up));
  return up;
}

test("an update with a plan stops if an output of the program is another one than in the plan, and only then", async () => {
  const program = (value: string) =>
    `import { Vpc } from "@container-platform/pulumi";\nnew Vpc("net", { cidrBlock: "10.0.0.0/16" });\nexport const given = "${value}";\n`;
  await using other = await Stack.create({ program: program("a") });
  await other.up();
  other.write(program("b"));
  await other.preview("--save-plan", "plan.json");
  other.write(program("c"));
  await other.failingUp("--plan", "plan.json");
  expect((await other.ok("stack", "output", "--json")).stdout).toContain('"given": "a"');
  other.write(program("b"));
  await other.up("--plan", "plan.json");
});

test.each(changes)("a change of $of does exactly what is expected", async ({ settings, does, isPlanned }) => {
  config = { ...config, ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`platform:${name}`, value])) };
  stack.configure(config);
  // What the previous change has left to do would be here, too.
  expect(operationsOf(isPlanned ? await asPlanned() : await stack.up("--refresh"))).toEqual(does);
  // The deletion of a subnet is tried again until what was in it has let go of it.
  expect(stack.calls().filter(({ action, code }) => code !== "" && !(action === "DeleteSubnet" && code === "ResourceInUse"))).toEqual([]);
  expect(stack.leftovers()).toMatchObject({
    vpcs: 1,
    subnets: 3,
    securityGroups: 1,
    clusters: 1,
    nodePools: 1,
    nodes: 4,
    clusterEndpoints: 2,
    registries: 1,
  });
});
