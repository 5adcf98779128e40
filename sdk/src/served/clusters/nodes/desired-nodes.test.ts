import { expect, test } from "vitest";
import { addExistedInstances, createCluster, createNodePool, deleteClusterInstances, modifyNodePool } from "../../../catalogue/cluster.ts";
import { stage } from "../../../local/cluster/stage.fixture.ts";
import { LocalControl } from "../../../local/control/control.ts";
import { putInstance } from "../../../local/out-of-band.ts";
import { desiredNodes } from "./desired-nodes.ts";

type Stage = Awaited<ReturnType<typeof stage>>;

const nodesIn = async ({ world, region }: Stage, clusterId: string) =>
  (await world.transaction(() => desiredNodes(world, { region, account: world.account, clusterId })))?.nodes ?? [];

test("a node of a pool has the pool's labels and taints, its place and its machine", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const native = { ...at.settings, replicas: 1 };
  const labels = [{ name: "team", value: "web" }];
  const taints = [{ key: "dedicated", value: "", effect: "NoSchedule" as const }];
  const { nodePoolId } = await at.cloud.call(createNodePool, { clusterId, name: "p", type: "Native", native, labels, taints });
  const [installing] = await nodesIn(at, clusterId);
  expect(installing).toMatchObject({ unready: { reason: "Initializing" }, unschedulable: false });
  at.world.advance(2500);
  const [node] = await nodesIn(at, clusterId);
  const [instanceId = ""] = (await at.nodesOf(clusterId)).map((node) => node.instanceId);
  expect(node).toMatchObject({
    name: "10.0.0.2",
    instanceId,
    labels: {
      team: "web",
      "kubernetes.io/hostname": "10.0.0.2",
      "topology.kubernetes.io/region": "eu-frankfurt",
      "topology.kubernetes.io/zone": "eu-frankfurt-1",
      "node.kubernetes.io/instance-type": "SA5.MEDIUM4",
      "container-platform/instance-id": instanceId,
      "container-platform/nodepool-id": nodePoolId,
    },
    taints: [{ key: "dedicated", effect: "NoSchedule" }],
    unschedulable: false,
    leaving: false,
    unready: undefined,
    addresses: ["10.0.0.2"],
    podCount: 256,
    podRanges: [],
    cpu: 2,
    memory: 4,
    version: "1.34.1",
    upgradedTo: undefined,
  });
});

test("what the platform changes shows: cordons, removals, failures", async () => {
  const at = await stage();
  const { clusterId, nodePoolId } = await at.withNodes(2);
  await at.cloud.call(modifyNodePool, { clusterId, nodePoolId, unschedulable: true });
  expect((await nodesIn(at, clusterId)).map(({ unschedulable }) => unschedulable)).toEqual([true, true]);
  await at.cloud.call(modifyNodePool, { clusterId, nodePoolId, unschedulable: false });
  const [instanceId = ""] = (await at.nodesOf(clusterId)).map((node) => node.instanceId);
  await at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: [instanceId], instanceDeleteMode: "terminate" });
  expect((await nodesIn(at, clusterId)).map(({ leaving, unschedulable }) => [leaving, unschedulable])).toEqual([
    [true, true],
    [false, false],
  ]);
  at.world.advance(2500);
  expect(await nodesIn(at, clusterId)).toHaveLength(1);
  await new LocalControl(at.world).addFault({ resourceType: "node", endState: "failed", reason: "out of stock" });
  await at.pool(clusterId, 1);
  at.world.advance(2500);
  const unready = (await nodesIn(at, clusterId)).flatMap((node) => node.unready ?? []);
  expect(unready).toEqual([{ reason: "Failed", message: expect.stringMatching(/^machine ins-\w+ is failed: out of stock$/) }]);
});

test("in a dual-stack cluster, nodes have both addresses, and pods those of the subnets in the node's zone", async () => {
  const at = await stage();
  const [near, far] = [await at.subnet(1), await at.subnet(2, { zone: 2 })];
  await at.assignIpv6(at.subnetId, near, far);
  const { clusterId } = await at.cloud.call(createCluster, {
    vpcId: at.vpcId,
    subnetId: at.subnetId,
    clusterCidrSettings: { eniSubnetIds: [far, near], serviceCidr: "172.20.0.0/20" },
    clusterAdvancedSettings: { networkType: "VPC-CNI", isDualStack: true },
  });
  at.world.advance(3000);
  await at.pool(clusterId, 1);
  const [node] = await nodesIn(at, clusterId);
  expect(node?.addresses).toEqual(["10.0.0.2", expect.stringMatching(/:[0-9a-f]+::2$|::2$/)]);
  expect(node?.podRanges).toEqual([{ key: near, cidrBlock: "10.0.1.0/24", ipv6CidrBlock: expect.stringMatching(/::\/64$/) }]);
  const { clusterId: elsewhere } = await at.cloud.call(createCluster, {
    vpcId: at.vpcId,
    subnetId: at.subnetId,
    clusterCidrSettings: { eniSubnetIds: [far], serviceCidr: "172.21.0.0/20" },
    clusterAdvancedSettings: { networkType: "VPC-CNI" },
  });
  at.world.advance(3000);
  await at.pool(elsewhere, 1);
  expect((await nodesIn(at, elsewhere))[0]?.podRanges).toMatchObject([{ key: far }]);
});

test("a cluster whose nodes are named by hostname takes names that can be a node's, and otherwise ids", async () => {
  const at = await stage();
  const { clusterId } = await at.cloud.call(createCluster, {
    vpcId: at.vpcId,
    subnetId: at.subnetId,
    clusterCidrSettings: { clusterCidr: "172.16.0.0/16" },
    clusterAdvancedSettings: { nodeNameType: "hostname" },
  });
  at.world.advance(3000);
  const place = { region: at.region, vpcId: at.vpcId, subnetId: at.subnetId };
  const ids = await Promise.all(["web-1", "Web 2"].map((name) => putInstance(at.world, { ...place, name })));
  await at.cloud.call(addExistedInstances, { clusterId, instanceIds: ids });
  expect((await nodesIn(at, clusterId)).map(({ name }) => name)).toEqual(["web-1", ids[1]]);
});

test("there are no nodes of a cluster that is not there", async () => {
  const { world, region } = await stage();
  expect(await world.transaction(() => desiredNodes(world, { region, account: world.account, clusterId: "cls-00000000" }))).toBeUndefined();
});
