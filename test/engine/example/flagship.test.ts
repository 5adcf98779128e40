/** Only the real engine makes the operations of the example at the same time, in its order, and shows them meanwhile. */
import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { nameOf, operationsOf, type Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import type { Recorded } from "../../support/world-content.ts";

/** Everything that the example declares. */
const whole = {
  "Vpc platform": ["create"],
  "Ipv6Block platform": ["create"],
  "ElasticIp platform": ["create"],
  "NatGateway platform": ["create"],
  "RouteTable platform": ["create"],
  "Subnet nodes-1": ["create"],
  "Subnet nodes-2": ["create"],
  "Subnet nodes-3": ["create"],
  "SecurityGroup platform": ["create"],
  "Cluster platform": ["create"],
  "NodePool workers": ["create"],
  "ClusterEndpoint public": ["create"],
  "ClusterEndpoint internal": ["create"],
  "RegistryInstance platform": ["create"],
  "Namespace team": ["create"],
  "Token pull": ["create"],
  "UserPermission developer-100000000002": ["create"],
  "UserPermission auditor-100000000003": ["create"],
};

function placesOf(calls: readonly Recorded[], action: string): number[] {
  return calls.flatMap((call, place) => (call.action === action ? [place] : []));
}

function timeOf(calls: readonly Recorded[], place: number): number {
  return calls[place]?.time ?? NaN;
}

test("the example is deployed, found unchanged, changed, put right after a deletion outside of Pulumi, and destroyed in the documented order", async () => {
  await using stack = await Stack.ofExample("platform", { timeScale: "fast", programs: "language-host", unhurried: true });
  const made = await stack.up();
  expect(operationsOf(made)).toEqual(whole);
  expect(made.output).not.toContain("warning");
  expectWaitShown(made);

  const creation = stack.calls();
  const assigned = placesOf(creation, "AssignIpv6SubnetCidrBlock");
  expect(assigned).toHaveLength(3);
  expect(Math.max(...assigned)).toBeLessThan(Math.min(...placesOf(creation, "CreateCluster")));
  expect(creation.filter(({ code }) => code !== "")).toEqual([]);

  expect(operationsOf(await stack.preview("--refresh", "--expect-no-changes"))).toEqual({});

  const clusterId = (await stack.resource("Cluster platform")).id ?? "";
  await stack.cloud().call(cluster.deleteClusterEndpoint, { clusterId, isExtranet: true });
  stack.configure({ "platform:nodes": "4" });
  stack.world.setTimeScale("instant");
  expect(operationsOf(await stack.up("--refresh"))).toEqual({ "NodePool workers": ["update"], "ClusterEndpoint public": ["create"] });
  expect(stack.leftovers()).toMatchObject({ nodes: 4, clusterEndpoints: 2 });

  stack.world.setTimeScale("fast");
  const before = stack.calls().length;
  await stack.destroy();
  expectInOrder(stack.calls().slice(before));
  expect(stack.leftovers()).toEqual({});
  expect(await stack.resources()).toEqual([]);
});

/** While the cluster is created, its line shows what the provider waits for, and for how long. */
function expectWaitShown({ events }: Outcome): void {
  const lines = events.flatMap(({ diagnosticEvent: line }) =>
    line?.ephemeral === true && nameOf(line.urn ?? "") === "Cluster platform" ? [line.message.trim()] : [],
  );
  expect(lines[0]).toBe("Creating");
  const seconds = lines.slice(1).map((line) => Number(/^Creating, (\d+) s$/.exec(line)?.[1]));
  expect(seconds).not.toContain(NaN);
  expect(seconds.toSorted((one, other) => one - other)).toEqual(seconds);
  expect(new Set(seconds).size).toBeGreaterThanOrEqual(2);
}

function expectInOrder(deletion: readonly Recorded[]): void {
  const [firstSubnet = -1] = placesOf(deletion, "DeleteSubnet");
  const [clusterAsked = -1] = placesOf(deletion, "DeleteCluster");
  const [vpcAsked = -1] = placesOf(deletion, "DeleteVpc");
  expect(clusterAsked).toBeGreaterThanOrEqual(0);
  // The provider read it until it was no longer listed. At this time scale a deletion takes 1.5 seconds.
  const looks = placesOf(deletion, "DescribeClusters");
  expect(looks.length).toBeGreaterThan(0);
  expect(Math.max(...looks)).toBeLessThan(firstSubnet);
  expect(timeOf(deletion, firstSubnet) - timeOf(deletion, clusterAsked)).toBeGreaterThanOrEqual(1500);
  const unassigned = deletion.flatMap(({ action }, place) => (action.startsWith("UnassignIpv6") ? [place] : []));
  expect(unassigned.length).toBeGreaterThan(0);
  expect(Math.max(...unassigned, ...placesOf(deletion, "DeleteSubnet"))).toBeLessThan(vpcAsked);
  // The addresses of nodes are released a moment after the nodes are gone. Until then the deletion of a subnet is tried again.
  expect(deletion.flatMap(({ action, code }) => (action === "DeleteSubnet" && code === "" ? [action] : []))).toHaveLength(3);
  // The platform no longer knows the gateway once it is gone.
  const expected = ["DeleteSubnet ResourceInUse", "DescribeNatGateways ResourceNotFound"];
  expect(deletion.filter(({ action, code }) => code !== "" && !expected.includes(`${action} ${code}`))).toEqual([]);
}
