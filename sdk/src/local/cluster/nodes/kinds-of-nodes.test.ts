import { expect, test } from "vitest";
import * as cluster from "../../../catalogue/cluster.ts";
import { describeInstances } from "../../../catalogue/compute.ts";
import { deleteSecurityGroup } from "../../../catalogue/vpc.ts";
import { putKeyPair } from "../../out-of-band.ts";
import { putEdgeModule, servicesOn } from "../out-of-band.ts";
import { type Stage, clusterStage, codeOf, nodesStage, stage } from "../stage.fixture.ts";

const selfDeployed = (at: Stage) => at.running(undefined, { clusterType: "INDEPENDENT_CLUSTER" });
const machines = JSON.stringify({ InstanceType: "SA5.LARGE8", InstanceCount: 2 });

test("the control plane of a self-deployed cluster takes more nodes, in both forms of the request", async () => {
  const at = await stage();
  const clusterId = await selfDeployed(at);
  await at.call(cluster.scaleOutClusterMaster, { clusterId, runInstancePara: machines, extraArgs: { etcd: ["quota=8"] } });
  expect(await at.stateOf(clusterId)).toBe("MasterScaling");
  const more = at.call(cluster.scaleOutClusterMaster, { clusterId, runInstancePara: machines });
  expect(await codeOf(more)).toBe("ResourceUnavailable.ClusterState");
  expect(await at.taskOf(clusterId, "scale_out_master")).toMatchObject({ lifeState: "process", param: '{"Count":2}' });
  at.world.advance(2000);
  expect(await at.stateOf(clusterId)).toBe("Running");
  const id = await at.machine();
  await at.call(cluster.scaleOutClusterMaster, {
    clusterId,
    runInstancesForNode: [{ nodeRole: "MASTER_ETCD", runInstancesPara: [machines] }],
    existedInstancesForNode: [{ nodeRole: "MASTER_ETCD", existedInstancesPara: { instanceIds: [id] } }],
  });
  expect(await at.recordOf(clusterId)).toMatchObject({ clusterMaterNodeNum: 5, clusterEtcdNodeNum: 5, clusterNodeNum: 0 });
  expect(await at.nodesOf(clusterId)).toEqual([]);
  const { instanceSet } = await at.call(cluster.describeClusterInstances, { clusterId, instanceRole: "MASTER_ETCD" });
  expect(instanceSet).toHaveLength(5);
  expect((await at.call(cluster.describeClusterExtraArgs, { clusterId })).clusterExtraArgs).toEqual({ etcd: ["quota=8"] });
});

test("the control plane takes masters only", async () => {
  const at = await stage();
  const clusterId = await selfDeployed(at);
  const worker = [{ nodeRole: "WORKER" as const, runInstancesPara: [machines] }];
  expect(await codeOf(at.call(cluster.scaleOutClusterMaster, { clusterId, runInstancesForNode: worker }))).toBe("InvalidParameter");
  expect(await codeOf(at.call(cluster.scaleOutClusterMaster, { clusterId }))).toBe("MissingParameter");
});

test("edge machines join clusters with an open public endpoint", async () => {
  const { clusterId, ...at } = await nodesStage();
  const moduleId = await putEdgeModule(at.world, { region: at.region, name: "edge" });
  const place = { zone: "eu-frankfurt-1", instanceCount: 2, isp: "BGP" };
  const make = (given: object = {}) =>
    at.call(cluster.createEcmInstances, { clusterId, moduleId, zoneInstanceCountIspSet: [place], ...given });
  expect(await codeOf(make())).toBe("ResourceUnavailable");
  await at.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: await at.group() });
  at.world.advance(1500);
  const securityGroupId = await at.group();
  const { ecmIdSet } = await make({ securityGroupIds: [securityGroupId] });
  at.world.advance(2000);
  const { instanceSet } = await at.call(cluster.describeClusterInstances, { clusterId, instanceIds: ecmIdSet });
  expect(instanceSet.map(({ instanceState }) => instanceState)).toEqual(["running", "running"]);
  expect(await codeOf(make({ moduleId: "em-00000000" }))).toBe("ResourceNotFound");
  expect(await codeOf(make({ zoneInstanceCountIspSet: [] }))).toBe("InvalidParameter");
  expect(await codeOf(make({ zoneInstanceCountIspSet: [{ ...place, instanceCount: 101 }] }))).toBe("LimitExceeded");
  expect(await codeOf(make({ zoneInstanceCountIspSet: [{ ...place, zone: "eu-frankfurt-4" }] }))).toBe("InvalidZone.ZoneNotAvailable");
  await at.remove(clusterId, ecmIdSet);
  at.world.advance(1000);
  expect(await at.nodesOf(clusterId)).toHaveLength(1);
  expect((await at.call(describeInstances, {})).instanceSet).toEqual([]);
  expect(await codeOf(at.call(deleteSecurityGroup, { securityGroupId }))).toBe("ResourceInUse");
  at.world.advance(300);
  await at.call(deleteSecurityGroup, { securityGroupId });
});

test("a machine that joins is reinstalled with the image and the key of the call", async () => {
  const { clusterId, ...at } = await clusterStage();
  const [id, windows] = [await at.machine(), await at.machine({ osName: "Windows Server 2022" })];
  const keyId = await putKeyPair(at.world, { region: at.region, name: "k" });
  const add = (instanceId: string) =>
    at.call(cluster.addExistedInstances, { clusterId, instanceIds: [instanceId], imageId: "img-own", loginSettings: { keyIds: [keyId] } });
  await expect(add(windows)).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("Windows") });
  await add(id);
  expect((await at.call(describeInstances, { instanceIds: [id] })).instanceSet).toMatchObject([
    { imageId: "img-own", loginSettings: { keyIds: [keyId] } },
  ]);
});

test("a request for machines has log-in settings, which are checked", async () => {
  const at = await stage();
  const keyId = await putKeyPair(at.world, { region: at.region, name: "k" });
  const create = (request: object) => at.create(undefined, { runInstancePara: JSON.stringify({ InstanceType: "SA5.LARGE8", ...request }) });
  expect(await codeOf(create({ LoginSettings: { Password: "Secret-123", KeyIds: [keyId] } }))).toBe("InvalidParameter");
  expect(await codeOf(create({ LoginSettings: { KeepImageLogin: "true" } }))).toBe("InvalidParameter");
  const clusterId = await create({
    LoginSettings: { KeyIds: [keyId] },
    EnhancedService: { MonitorService: { Enabled: false } },
    TagSpecification: [{ ResourceType: "instance", Tags: [{ Key: "a", Value: "b" }] }],
  });
  const { instanceSet } = await at.call(describeInstances, {});
  expect(instanceSet).toMatchObject([{ loginSettings: { keyIds: [keyId] }, tags: [{ key: "a", value: "b" }] }]);
  expect(servicesOn(at.world, at.region, instanceSet[0]?.instanceId ?? "")).toMatchObject({ security: true, monitor: false });
  expect(await at.nodesOf(clusterId)).toHaveLength(1);
});
