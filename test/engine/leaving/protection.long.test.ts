import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { nameOf, operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const withoutPreview = isLong ? [[], ["--refresh"], ["--continue-on-error"], ["--run-program"]] : [["--refresh"]];

/** What `deletionProtection` protects stays, with all that is in it, whatever the engine is asked to do, until the program lifts it. */

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.create({ program: program() });
  await stack.up();
});
afterAll(() => stack[Symbol.asyncDispose]());

interface Wishes {
  /** The cluster's protection, as an expression, and its options. */
  readonly protection?: string;
  readonly options?: string;
  /** Whether the cluster has a second pool, as its child in the tree of Pulumi's resources. */
  readonly child?: boolean;
  /** More settings of the pools' nodes. */
  readonly pool?: string;
  /** The second number of the VPC's range. */
  readonly network?: number;
}

/** A protected cluster with pools, one of them as its child, a permission and access; and a protected registry with a namespace. */
function program({ protection = "true", options = "{}", child = true, pool = "", network = 0 }: Wishes = {}): string {
  const poolOf = (name: string, opts: string): string => `new NodePool("${name}", {
  clusterId: cluster.clusterId,
  native: { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1, ${pool} },
}, ${opts});`;
  return `
import { Cluster, ClusterEndpoint, Namespace, NodePool, RegistryInstance, Subnet, UserPermission, Vpc } from "@container-platform/pulumi";
import { output } from "@pulumi/pulumi";

${around(network)}
const cluster = new Cluster("platform", {
  vpcId, subnetId, clusterCidr: "172.16.0.0/16", deletionProtection: ${protection},
}, ${options});
const { nodePoolId } = ${poolOf("workers", "{}")}
${child ? poolOf("child", "{ parent: cluster }") : ""}
new ClusterEndpoint("internal", { clusterId: cluster.clusterId, isExtranet: false, subnetId, nodePoolIds: [nodePoolId] });
new UserPermission("auditor", { targetUin: "100000000002", clusterId: cluster.clusterId, roleName: "svc:ro", roleType: "cluster" });
const { registryId } = new RegistryInstance("images", { registryName: "protected-images", deletionProtection: ${protection}, deleteBucket: true }, ${options});
new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
`;
}

const around = (network: number): string => `
const { vpcId } = new Vpc("platform", { cidrBlock: "10.${network}.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.${network}.0.0/20", zone: "eu-frankfurt-1" });
`;

async function protectedByPulumi(): Promise<string[]> {
  return (await stack.resources()).flatMap(({ urn, protect }) => (protect === true ? [nameOf(urn)] : [])).toSorted();
}

/** A run that has to fail and to write nothing. Returns what it printed. */
async function refused(...args: readonly string[]): Promise<string> {
  const before = stack.calls().length;
  const { output } = await stack.fails(...args);
  expect(stack.writesSince(before)).toEqual([]);
  return output;
}

test("previews of destroy, and of an up without the cluster, refuse; what is in it is not protected for itself", async () => {
  expect(await protectedByPulumi()).toEqual(["Cluster platform", "RegistryInstance images"]);
  expect(await refused("destroy", "--yes")).toContain("protect");
  stack.write(`import { Subnet, Vpc } from "@container-platform/pulumi";\n${around(0)}`);
  expect(await refused("preview")).toContain("protect");
  stack.write(program({ child: false }));
  expect(operationsOf(await stack.up())).toEqual({ "NodePool child": ["delete"] });
});

test("without a preview, and with any option, nothing inside is deleted along with what is protected", async () => {
  for (const how of withoutPreview) {
    const output = await refused("destroy", "--yes", "--skip-preview", ...how);
    expect(output).toMatch(
      /deleting \w+ \S+: it is inside \w+ (cls|tcr)-\w+, whose deletionProtection is on: nothing in it is deleted along with it\. .*set deletionProtection to false and run `pulumi up` first/,
    );
  }
  stack.write(`import { Subnet, Vpc } from "@container-platform/pulumi";\n${around(0)}`);
  const output = await refused("up", "--yes", "--skip-preview", "--continue-on-error");
  // The pool is not reached: the access, which is refused, needs it.
  for (const inside of ["ClusterEndpoint cls", "UserPermission 1", "Namespace tcr"]) expect(output).toContain(inside);
});

if (isLong)
  test("while the cluster stays, a pool is replaced, and taken out", async () => {
    stack.write(program({ child: false, pool: 'runtimeRootDir: "/data"' }));
    expect(operationsOf(await stack.up())["NodePool workers"]).toContain("replace");
    stack.write(program());
    await stack.up();
    const { urn } = await stack.resource("NodePool child");
    await stack.up("--target-replace", urn);
  });

if (isLong)
  test("a pool goes along with its own subnet, also before the program has spoken of the cluster", async () => {
    // The program comes late to the cluster, as it does when something that the cluster needs takes a while.
    const ownSubnet = (zone: number, wait: number) =>
      program({ child: false })
        .replace(
          "const cluster =",
          `const own = new Subnet("own", { vpcId, cidrBlock: "10.0.64.0/20", zone: "eu-frankfurt-${zone}" });\nconst cluster =`,
        )
        .replace("vpcId, subnetId,", `vpcId: output(new Promise((resolve) => setTimeout(resolve, ${wait}))).apply(() => vpcId), subnetId,`)
        .replace("native: { subnetIds: [subnetId]", "native: { subnetIds: [own.subnetId]");
    stack.write(ownSubnet(1, 0));
    await stack.up();
    stack.write(ownSubnet(2, 8000));
    expect(Object.keys(operationsOf(await stack.preview()))).toContain("NodePool workers");
    expect(operationsOf(await stack.up())).toMatchObject({ "NodePool workers": expect.arrayContaining(["replace"]) });
    // A new pool: nodes stay in the subnet that they were made in.
    stack.write(program({ pool: 'runtimeRootDir: "/other"' }));
    await stack.up();
  });

if (isLong)
  test("the program's own option wins, and an output is none", async () => {
    stack.write(program({ options: "{ protect: false }" }));
    await stack.up();
    expect(await protectedByPulumi()).toEqual([]);
    stack.write(program({ protection: "output(true)" }));
    await stack.up();
    expect(await protectedByPulumi()).toEqual([]);
    // Pulumi does not protect it now, but the platform does.
    await refused("destroy", "--yes", "--skip-preview");
  });

test("set to false, one up lifts the protection, and destroy takes everything", async () => {
  stack.write(program());
  await stack.up();
  expect(await protectedByPulumi()).toEqual(["Cluster platform", "RegistryInstance images"]);
  stack.write(program({ protection: "false" }));
  await stack.up();
  expect(await protectedByPulumi()).toEqual([]);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
