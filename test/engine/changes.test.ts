import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { nameOf, type Outcome, operationsOf } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";

interface Wishes {
  readonly vpcName?: string;
  readonly cidrBlock?: string;
  readonly zone?: string;
}

/** One of each resource, and two subnets: only the first one's zone changes. */
const program = ({ vpcName = "platform", cidrBlock = "10.0.0.0/16", zone = "eu-frankfurt-1" }: Wishes) => `
import {
  carve,
  Cluster,
  ClusterEndpoint,
  Ipv6Block,
  Namespace,
  NodePool,
  RegistryInstance,
  SecurityGroup,
  ServiceAccount,
  Subnet,
  Token,
  UserPermission,
  Vpc,
} from "@container-platform/pulumi";

const cidrBlock = "${cidrBlock}";
const { vpcId } = new Vpc("vpc", { vpcName: "${vpcName}", cidrBlock });
const block = new Ipv6Block("block", { vpcId });
const subnet = (name: string, zone: string, index: number) =>
  new Subnet(name, { vpcId, zone, cidrBlock: carve(cidrBlock, 20, index), ipv6SubnetCidrBlock: block.subnetCidrBlock(index) }).subnetId;
const first = subnet("first", "${zone}", 0);
const second = subnet("second", "eu-frankfurt-3", 1);
const { securityGroupId } = new SecurityGroup("group", { ingress: [{ protocol: "TCP", port: "443", cidrBlock: "203.0.113.0/24", action: "ACCEPT" }] });
const { clusterId } = new Cluster("cluster", { vpcId, subnetId: first, eniSubnetIds: [first, second], isDualStack: true, serviceCidr: "172.20.0.0/16" });
const { nodePoolId } = new NodePool("pool", {
  clusterId,
  native: {
    subnetIds: [first, second],
    instanceTypes: ["SA5.MEDIUM4"],
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    securityGroupIds: [securityGroupId],
    replicas: 2,
  },
});
new ClusterEndpoint("public", { clusterId, isExtranet: true, securityGroup: securityGroupId, nodePoolIds: [nodePoolId] });
new ClusterEndpoint("internal", { clusterId, isExtranet: false, subnetId: second, nodePoolIds: [nodePoolId] });
const { registryId } = new RegistryInstance("images", {
  registryName: "changing-images",
  internalAccess: [{ vpcId, subnetId: first }],
  deleteBucket: true,
});
const { namespaceName } = new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
new ServiceAccount("ci", { registryId, name: "ci", permissions: [{ resource: namespaceName, actions: ["reg:PushRepository"] }] });
new Token("pull", { registryId });
new UserPermission("auditor", { targetUin: "100000000003", clusterId, roleName: "svc:ro", roleType: "cluster" });
`;

/** The order of the operations on a resource that is replaced. */
const oldFirst = ["delete-replaced", "replace", "create-replacement"];
const newFirst = ["create-replacement", "replace", "delete-replaced"];

const stepsSchema = z.object({ steps: z.array(z.object({ op: z.string(), urn: z.string() })) });

/** The operation that `preview --json` lists for each resource: of a replacement's three only `replace`. */
function listed({ stdout }: Outcome): Record<string, string> {
  const { steps } = stepsSchema.parse(JSON.parse(stdout));
  const ours = steps.filter(({ op, urn }) => op !== "same" && urn.includes("dynamic/container-platform:"));
  return Object.fromEntries(ours.map(({ op, urn }) => [nameOf(urn), op]));
}

function inOneWord(operations: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(operations).map(([name, ops]) => [name, ops.includes("replace") ? "replace" : ops.join(", ")]));
}

describe("a change does what its preview says", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.create({ program: program({}) });
    await stack.up();
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  /** Previews and makes a change, keeping to the plan of the preview, and says what was done. */
  async function changed(wishes: Wishes): Promise<Record<string, string[]>> {
    stack.write(program(wishes));
    const before = stack.calls().length;
    const plan = join(stack.folder, "plan.json");
    const preview = await stack.preview("--json", "--save-plan", plan);
    expect(JSON.parse(readFileSync(plan, "utf8"))).toHaveProperty("resourcePlans");
    expect(
      stack
        .calls()
        .slice(before)
        .filter(({ effect }) => effect === "write"),
    ).toEqual([]);
    const up = await stack.up("--plan", plan);
    expect(operationsOf(preview)).toEqual(operationsOf(up));
    // It holds nothing that the change before has left to do.
    expect(listed(preview)).toEqual(inOneWord(operationsOf(up)));
    expect(
      stack
        .calls()
        .slice(before)
        .filter(({ code }) => code !== ""),
    ).toEqual([]);
    return operationsOf(up);
  }

  test("a name: one update", async () => {
    expect(await changed({ vpcName: "renamed" })).toEqual({ "Vpc vpc": ["update"] });
  });

  test("a subnet's zone: the subnet, and what stands on it", async () => {
    expect(await changed({ vpcName: "renamed", zone: "eu-frankfurt-2" })).toEqual({
      "Subnet first": oldFirst,
      "Cluster cluster": oldFirst,
      "NodePool pool": oldFirst,
      "ClusterEndpoint public": oldFirst,
      "ClusterEndpoint internal": oldFirst,
      "UserPermission auditor": oldFirst,
      // Its images stay: only its connection moves.
      "RegistryInstance images": ["update"],
    });
  });

  test("the VPC's range, to one that overlaps the old one: everything in it goes, then comes anew", async () => {
    expect(await changed({ cidrBlock: "10.0.0.0/15" })).toEqual({
      "Vpc vpc": oldFirst,
      "Ipv6Block block": oldFirst,
      "Subnet first": oldFirst,
      "Subnet second": oldFirst,
      "Cluster cluster": oldFirst,
      "NodePool pool": oldFirst,
      "ClusterEndpoint public": oldFirst,
      "ClusterEndpoint internal": oldFirst,
      "UserPermission auditor": oldFirst,
      // Its images stay: only its connection moves.
      "RegistryInstance images": ["update"],
    });
  });

  test("the VPC's range, to a separate one: the new network stands before the old one goes", async () => {
    expect(await changed({ cidrBlock: "10.64.0.0/16" })).toEqual({
      "Vpc vpc": newFirst,
      "Ipv6Block block": newFirst,
      "Subnet first": newFirst,
      "Subnet second": newFirst,
      "Cluster cluster": newFirst,
      "NodePool pool": newFirst,
      "ClusterEndpoint public": newFirst,
      "ClusterEndpoint internal": newFirst,
      "UserPermission auditor": newFirst,
      "RegistryInstance images": ["update"],
    });
    expect(stack.leftovers()).toMatchObject({
      vpcs: 1,
      subnets: 2,
      securityGroups: 1,
      clusters: 1,
      nodePools: 1,
      nodes: 2,
      clusterEndpoints: 2,
    });
    expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
  });
});
