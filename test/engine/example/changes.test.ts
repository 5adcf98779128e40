import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { nameOf, type Outcome, operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

interface Settings {
  readonly vpcName?: string;
  readonly cidrBlock?: string;
  readonly zone?: string;
}

/** One resource of each kind, but two subnets, of which only the first one's zone changes. */
const program = ({ vpcName = "platform", cidrBlock = "10.0.0.0/16", zone = "eu-frankfurt-1" }: Settings) => `
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

/** The operation that `preview --json` lists for each resource. Of the three operations of a replacement it lists only `replace`. */
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

  /** Previews a change, deploys it with the plan of the preview, and returns the operations. */
  async function changed(settings: Settings): Promise<Record<string, string[]>> {
    stack.write(program(settings));
    const before = stack.calls().length;
    const plan = join(stack.folder, "plan.json");
    const preview = await stack.preview("--json", "--save-plan", plan);
    expect(JSON.parse(readFileSync(plan, "utf8"))).toHaveProperty("resourcePlans");
    expect(stack.writesSince(before)).toEqual([]);
    const up = await stack.up("--plan", plan);
    expect(operationsOf(preview)).toEqual(operationsOf(up));
    // The preview has nothing that the previous change has left to do.
    expect(listed(preview)).toEqual(inOneWord(operationsOf(up)));
    expect(
      stack
        .calls()
        .slice(before)
        .filter(({ code }) => code !== ""),
    ).toEqual([]);
    return operationsOf(up);
  }

  test("a new name is one update", async () => {
    expect(await changed({ vpcName: "renamed" })).toEqual({ "Vpc vpc": ["update"] });
  });

  test("a subnet's zone replaces the subnet and what depends on it", async () => {
    expect(await changed({ vpcName: "renamed", zone: "eu-frankfurt-2" })).toEqual({
      "Subnet first": oldFirst,
      "Cluster cluster": oldFirst,
      "NodePool pool": oldFirst,
      "ClusterEndpoint public": oldFirst,
      "ClusterEndpoint internal": oldFirst,
      "UserPermission auditor": oldFirst,
      // Its images stay, because only its connection changes.
      "RegistryInstance images": ["update"],
    });
  });

  test("a VPC's range that overlaps the old one deletes everything in the VPC first, then makes it again", async () => {
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
      // Its images stay, because only its connection changes.
      "RegistryInstance images": ["update"],
    });
  });

  test("a separate range of the VPC makes the new network before the old one is deleted", async () => {
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
