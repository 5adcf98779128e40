import * as cluster from "@container-platform/sdk/cluster";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { operationsOf, type Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** Somebody adds a subnet to a cluster and raises its version. Nothing can take that back in place, so it stays, and the run says so. */

interface Wishes {
  readonly clusterName?: string;
  /** The subnets of the pods, by number. */
  readonly pods?: readonly number[];
  readonly clusterVersion?: string;
}

const program = ({ clusterName = "platform", pods = [0, 1], clusterVersion = "1.30.0" }: Wishes = {}) => `
import { carve, Cluster, NodePool, Subnet, Vpc } from "@container-platform/pulumi";

const cidrBlock = "10.0.0.0/16";
const { vpcId } = new Vpc("platform", { cidrBlock });
const ids = [0, 1, 2, 3].map(
  (index) => new Subnet(\`nodes-\${index}\`, { vpcId, cidrBlock: carve(cidrBlock, 20, index), zone: "eu-frankfurt-1" }).subnetId,
);
const { clusterId } = new Cluster("platform", {
  vpcId, subnetId: ids[0], clusterName: "${clusterName}", clusterVersion: "${clusterVersion}", eniSubnetIds: ${JSON.stringify(pods)}.map((index) => ids[index]),
});
new NodePool("workers", {
  clusterId,
  native: { subnetIds: [ids[0]], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 },
});
`;

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.create({ program: program() });
  await stack.up();
  const [clusterId, vpcId, third] = [await idOf("Cluster platform"), await idOf("Vpc platform"), await idOf("Subnet nodes-2")];
  const cloud = stack.cloud();
  await cloud.call(cluster.addVpcCniSubnets, { clusterId, vpcId, subnetIds: [third] });
  await cloud.call(cluster.updateClusterVersion, { clusterId, dstVersion: "1.32.2" });
});
afterAll(() => stack[Symbol.asyncDispose]());

async function idOf(called: string): Promise<string> {
  return (await stack.resource(called)).id ?? "";
}

/** Expects that a run says once what stays. */
function expectNote({ events }: Outcome, found: RegExp): void {
  const notes = events.flatMap(({ diagnosticEvent: line }) => (line?.message.includes("stays as it is") ? [line.message] : []));
  expect(notes).toEqual([expect.stringMatching(found)]);
}

const both = /clusterVersion: "1\.32\.2", and the program says "1\.30\.0"[^]*eniSubnetIds: \[.+\], and the program says \[.+\]/;

test("a refresh fails if no change is expected, and shows the changes alone", async () => {
  const { code, output } = await stack.start("refresh", "--preview-only", "--expect-no-changes", "--diff").ended;
  expect(code, output).toBe(7);
  expect(output).toMatch(/~ clusterVersion: "1\.30\.0" => "1\.32\.2"/);
  expect(output).toMatch(/~ eniSubnetIds/);
  expect(output).not.toContain("replace");
  expect(output).not.toContain("__said");
});

test("preview and up leave it, and say so, with or without a refresh", async () => {
  const clusterId = await idOf("Cluster platform");
  for (const refresh of isLong ? [[], ["--refresh"], []] : [["--refresh"]]) {
    if (refresh.length > 0) expectNote(await stack.preview("--expect-no-changes", ...refresh), both);
    const outcome = await stack.up("--expect-no-changes", ...refresh);
    if (refresh.length > 0) expectNote(outcome, both);
  }
  expect(await idOf("Cluster platform")).toBe(clusterId);
});

test("another change is one update, with the changes that nobody has read yet", async () => {
  const clusterId = await idOf("Cluster platform");
  stack.write(program({ clusterName: "renamed", pods: [3, 0, 1] }));
  const outcome = await stack.up();
  expect(operationsOf(outcome)).toEqual({ "Cluster platform": ["update"] });
  expectNote(outcome, both);
  expect(await idOf("Cluster platform")).toBe(clusterId);
  const { clusters } = await stack.cloud().call(cluster.describeClusters, { clusterIds: [clusterId] });
  expect(clusters[0]?.clusterNetworkSettings.subnets).toHaveLength(4);
});

if (isLong)
  test("what the program says itself counts: it takes it over, lowers no version, and replaces", async () => {
    const wider = { clusterName: "renamed", pods: [0, 1, 2, 3] };
    stack.write(program({ ...wider, clusterVersion: "1.28.3" }));
    const { output } = await stack.fails("preview");
    expect(output).toContain("clusterVersion: a cluster is never downgraded: it is 1.32.2, which is newer than 1.28.3");
    stack.write(program({ ...wider, clusterVersion: "1.32.2" }));
    expect(operationsOf(await stack.up())).toEqual({ "Cluster platform": ["update"] });
    expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
    stack.write(program({ ...wider, pods: [0], clusterVersion: "1.32.2" }));
    expect(operationsOf(await stack.preview())).toEqual({
      "Cluster platform": expect.arrayContaining(["replace"]),
      "NodePool workers": expect.arrayContaining(["replace"]),
    });
  });
