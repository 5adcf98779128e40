/** Only the real engine shows a change by hand that nothing takes back in place: a subnet more, and a higher version. */
import * as cluster from "@container-platform/sdk/cluster";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationsOf, type Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const program = (clusterName: string, pods: readonly number[]) => `
import { cidrSubnet, Cluster, NodePool, Subnet, Vpc } from "@container-platform/pulumi";

const cidrBlock = "10.0.0.0/16";
const { vpcId } = new Vpc("platform", { cidrBlock });
const ids = [0, 1, 2, 3].map(
  (index) => new Subnet(\`nodes-\${index}\`, { vpcId, cidrBlock: cidrSubnet(cidrBlock, 20, index), zone: "eu-frankfurt-1" }).subnetId,
);
const { clusterId } = new Cluster("platform", {
  vpcId, subnetId: ids[0], clusterName: "${clusterName}", clusterVersion: "1.30.0", eniSubnetIds: ${JSON.stringify(pods)}.map((index) => ids[index]),
});
new NodePool("workers", {
  clusterId,
  native: { subnetIds: [ids[0]], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 },
});
`;

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.create({ program: program("platform", [0, 1]) });
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
  const notes = events.flatMap(({ diagnosticEvent: line }) => (line?.message.includes("so it is kept") ? [line.message] : []));
  expect(notes).toEqual([expect.stringMatching(found)]);
}

const both = /clusterVersion: "1\.32\.2" \(program: "1\.30\.0"\)[^]*eniSubnetIds: \[.+\] \(program: \[.+\]\)/;

test("a refresh fails if no change is expected, and shows the changes alone", async () => {
  const { code, output } = await stack.start("refresh", "--preview-only", "--expect-no-changes", "--diff").ended;
  expect(code, output).toBe(7);
  expect(output).toMatch(/~ clusterVersion: "1\.30\.0" => "1\.32\.2"/);
  expect(output).toMatch(/~ eniSubnetIds/);
  expect(output).not.toContain("replace");
  expect(output).not.toContain("__said");
});

test("up leaves it, and says so", async () => {
  const clusterId = await idOf("Cluster platform");
  expectNote(await stack.up("--refresh", "--expect-no-changes"), both);
  expect(await idOf("Cluster platform")).toBe(clusterId);
});

test("another change is one update; a change of the same input is refused, and follows the remedy", async () => {
  const clusterId = await idOf("Cluster platform");
  stack.write(program("renamed", [0, 1]));
  const outcome = await stack.up();
  expect(operationsOf(outcome)).toEqual({ "Cluster platform": ["update"] });
  expectNote(outcome, both);
  stack.write(program("renamed", [0, 1, 3]));
  const refused = await stack.start("preview").ended;
  expect(refused.output).toMatch(
    /eniSubnetIds: was changed outside Pulumi to \[.+\], and cannot become \[.+\] in place\. Set eniSubnetIds/,
  );
  for (const pods of [
    [0, 1, 2],
    [0, 1, 2, 3],
  ]) {
    stack.write(program("renamed", pods));
    await stack.up();
  }
  expect(await idOf("Cluster platform")).toBe(clusterId);
  const { clusters } = await stack.cloud().call(cluster.describeClusters, { clusterIds: [clusterId] });
  expect(clusters[0]?.clusterNetworkSettings.subnets).toHaveLength(4);
});
