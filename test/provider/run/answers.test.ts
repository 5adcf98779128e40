import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { nativeIn } from "../../../sdk/src/local/cluster/native.fixture.ts";
import { isProps } from "../../../provider/src/schema/values.ts";
import type { Props } from "../../support/structs.ts";
import { pluginPlace } from "../stage/plugin-place.ts";
import { region } from "../stage/stage.ts";

/** What functions answer: of two of each, what the arguments say. */

const { cloud, answer } = pluginPlace("answers");

/** A property of each of the records, without repetitions. */
async function each(name: string, args: Props, list: string, property: string): Promise<readonly unknown[]> {
  const { [list]: records } = await answer(name, args);
  const values = Array.isArray(records) ? records.map((one: unknown) => (isProps(one) ? one[property] : one)) : [];
  return [...new Set(values)];
}

async function networkOf(cidrBlock: string) {
  const { vpcId } = (await cloud.call(vpc.createVpc, { vpcName: "home", cidrBlock })).vpc;
  const asked = { vpcId, subnetName: "home", cidrBlock, zone: `${region}-1` };
  return { vpcId, subnetId: (await cloud.call(vpc.createSubnet, asked)).subnet.subnetId };
}
const [home, away] = [await networkOf("10.0.0.0/24"), await networkOf("10.1.0.0/24")];
const clusterIn = async (place: typeof home, clusterCidr: string) =>
  (await cloud.call(cluster.createCluster, { ...place, clusterCidrSettings: { clusterCidr } })).clusterId;
const [clusterId, other] = [await clusterIn(home, "172.16.0.0/16"), await clusterIn(away, "172.17.0.0/16")];
const native = { ...nativeIn(home.subnetId), scaling: { minReplicas: 1, maxReplicas: 1 } };
await cloud.call(cluster.createNodePool, { clusterId, name: "pool", type: "Native", native });
const { registryId } = await cloud.call(registry.createInstance, { registryName: "acme-images", registryType: "basic" });
for (const namespaceName of ["team", "ops"]) {
  await cloud.call(registry.createNamespace, { registryId, namespaceName, isPublic: false });
  await cloud.call(registry.createRepository, { registryId, namespaceName, repositoryName: "web", briefDescription: "", description: "" });
}

const zones = (...numbers: readonly number[]) => numbers.map((number) => `${region}-${number}`);
const ever = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
test.each<[name: string, args: Props, list: string, property: string, values: readonly unknown[]]>([
  ["getZones", {}, "zones", "zone", zones(1, 2, 3)],
  ["getZones", { all: true }, "zones", "zone", zones(1, 2, 3, 4)],
  ["getOsImages", {}, "osImages", "status", ["online"]],
  ["getOsImages", { all: true }, "osImages", "status", ["online", "offline"]],
  ["getInstanceTypes", { zone: `${region}-3` }, "instanceTypes", "status", ["SELL"]],
  ["getInstanceTypes", { zone: `${region}-3`, all: true }, "instanceTypes", "status", ["SELL", "SOLD_OUT"]],
  ["getInstanceTypes", { zone: `${region}-2` }, "instanceTypes", "zone", zones(2)],
  ["getInstanceTypes", { zone: `${region}-2` }, "instanceTypes", "instanceChargeType", ["POSTPAID_BY_HOUR"]],
  ["getDiskTypes", { zone: `${region}-1` }, "diskTypes", "diskUsage", ["SYSTEM_DISK"]],
  ["getDiskTypes", { zone: `${region}-1`, diskUsage: "DATA_DISK" }, "diskTypes", "diskUsage", ["DATA_DISK"]],
  ["getDiskTypes", { zone: `${region}-1` }, "diskTypes", "available", [true]],
  ["getSubnets", {}, "subnets", "subnetId", [home.subnetId, away.subnetId]],
  ["getSubnets", { vpcId: away.vpcId }, "subnets", "subnetId", [away.subnetId]],
  ["getRepositories", { registryId }, "repositories", "name", ["team/web", "ops/web"]],
  ["getRepositories", { registryId, namespaceName: "ops" }, "repositories", "name", ["ops/web"]],
  ["getClusters", {}, "clusters", "clusterId", [clusterId, other]],
  ["getTasks", { clusterId, taskType: "create_cluster" }, "tasks", "taskType", ["create_cluster"]],
  ["getNodePools", { clusterId }, "nodePools", "name", ["pool"]],
  ["getNodePools", { clusterId }, "nodePools", "requestId", [undefined]],
  ["getNodePools", { clusterId: other }, "nodePools", "name", []],
  ["lookUpEvents", { ...ever, attributes: { EventName: "CreateVpc" } }, "events", "eventName", ["CreateVpc"]],
])("%s of %j: %s have as %s", async (name, args, list, property, values) => {
  const found = await each(name, args, list, property);
  expect(found.toSorted()).toEqual([...values].toSorted());
});

test("the versions of new clusters are all of the platform's, and those of a cluster are the newer ones", async () => {
  const { clusterVersions: all } = await answer("getClusterVersions");
  expect(all).toContain("1.34.1");
  expect(await answer("getClusterVersions", { clusterId })).toEqual({ clusterVersions: [] });
});

test("a record is the answer itself, and no property of it", async () => {
  expect(await answer("getCluster", { clusterId })).toMatchObject({ clusterId });
});
