import { expect, test } from "vitest";
import {
  addExistedInstances,
  createCluster,
  createClusterEndpoint,
  createEcmInstances,
  deleteClusterInstances,
  describeClusterExtraArgs,
  describeClusterInstances,
  describeGpuInfo,
  rotateClusterToken,
  scaleOutClusterMaster,
} from "../../../catalogue/cluster.ts";
import { describeInstances } from "../../../catalogue/compute.ts";
import { deleteSecurityGroup } from "../../../catalogue/vpc.ts";
import { putInstance, putKeyPair } from "../../out-of-band.ts";
import { putEdgeModule, servicesOn } from "../out-of-band.ts";
import { stage } from "../stage.fixture.ts";

type Stage = Awaited<ReturnType<typeof stage>>;

async function selfDeployed({ cloud, world, vpcId, subnetId }: Stage): Promise<string> {
  const clusterCidrSettings = { clusterCidr: "172.16.0.0/16" };
  const { clusterId } = await cloud.call(createCluster, { vpcId, subnetId, clusterType: "INDEPENDENT_CLUSTER", clusterCidrSettings });
  world.advance(3000);
  return clusterId;
}

const machines = JSON.stringify({ InstanceType: "SA5.LARGE8", InstanceCount: 2 });

test("the control plane of a self-deployed cluster takes more nodes, in both forms of the request", async () => {
  const at = await stage();
  const clusterId = await selfDeployed(at);
  await at.cloud.call(scaleOutClusterMaster, { clusterId, runInstancePara: machines, extraArgs: { etcd: ["quota=8"] } });
  expect(await at.stateOf(clusterId)).toBe("MasterScaling");
  await expect(at.cloud.call(scaleOutClusterMaster, { clusterId, runInstancePara: machines })).rejects.toMatchObject({
    code: "ResourceUnavailable.ClusterState",
  });
  expect(await at.taskOf(clusterId, "scale_out_master")).toMatchObject({ lifeState: "process", param: '{"Count":2}' });
  at.world.advance(2000);
  expect(await at.stateOf(clusterId)).toBe("Running");
  const id = await putInstance(at.world, { region: at.region, vpcId: at.vpcId, subnetId: at.subnetId });
  await at.cloud.call(scaleOutClusterMaster, {
    clusterId,
    runInstancesForNode: [{ nodeRole: "MASTER_ETCD", runInstancesPara: [machines] }],
    existedInstancesForNode: [{ nodeRole: "MASTER_ETCD", existedInstancesPara: { instanceIds: [id] } }],
  });
  expect(await at.recordOf(clusterId)).toMatchObject({ clusterMaterNodeNum: 5, clusterEtcdNodeNum: 5, clusterNodeNum: 0 });
  expect(await at.nodesOf(clusterId)).toEqual([]);
  const { instanceSet } = await at.cloud.call(describeClusterInstances, { clusterId, instanceRole: "MASTER_ETCD" });
  expect(instanceSet).toHaveLength(5);
  expect((await at.cloud.call(describeClusterExtraArgs, { clusterId })).clusterExtraArgs).toEqual({ etcd: ["quota=8"] });
});

test("the control plane takes masters only, and the platform scales that of a managed cluster", async () => {
  const at = await stage();
  const clusterId = await selfDeployed(at);
  const worker = [{ nodeRole: "WORKER" as const, runInstancesPara: [machines] }];
  await expect(at.cloud.call(scaleOutClusterMaster, { clusterId, runInstancesForNode: worker })).rejects.toMatchObject({
    code: "InvalidParameter",
  });
  await expect(at.cloud.call(scaleOutClusterMaster, { clusterId })).rejects.toMatchObject({ code: "MissingParameter" });
  const managed = await at.running("172.17.0.0/16");
  await expect(at.cloud.call(scaleOutClusterMaster, { clusterId: managed, runInstancePara: machines })).rejects.toMatchObject({
    code: "OperationDenied",
  });
});

test("edge machines join clusters with an open public endpoint", async () => {
  const at = await stage();
  const { clusterId } = await at.withNodes(1);
  const moduleId = await putEdgeModule(at.world, { region: at.region, name: "edge" });
  const place = { zone: "eu-frankfurt-1", instanceCount: 2, isp: "BGP" };
  const make = (given: object = {}) =>
    at.cloud.call(createEcmInstances, { clusterId, moduleId, zoneInstanceCountIspSet: [place], ...given });
  await expect(make()).rejects.toMatchObject({ code: "ResourceUnavailable" });
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: await at.group() });
  at.world.advance(1500);
  const securityGroupId = await at.group();
  const { ecmIdSet } = await make({ enhancedService: { monitorService: { enabled: false } }, securityGroupIds: [securityGroupId] });
  expect(servicesOn(at.world, at.region, ecmIdSet[0] ?? "")).toEqual({ security: true, monitor: false, automation: true });
  at.world.advance(2000);
  const { instanceSet } = await at.cloud.call(describeClusterInstances, { clusterId, instanceIds: ecmIdSet });
  expect(instanceSet.map(({ instanceState }) => instanceState)).toEqual(["running", "running"]);
  await expect(make({ moduleId: "em-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(make({ zoneInstanceCountIspSet: [] })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(make({ zoneInstanceCountIspSet: [{ ...place, instanceCount: 101 }] })).rejects.toMatchObject({ code: "LimitExceeded" });
  await expect(make({ zoneInstanceCountIspSet: [{ ...place, zone: "eu-frankfurt-4" }] })).rejects.toMatchObject({
    code: "InvalidZone.ZoneNotAvailable",
  });
  await at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: ecmIdSet, instanceDeleteMode: "retain" });
  at.world.advance(1000);
  expect(await at.nodesOf(clusterId)).toHaveLength(1);
  expect((await at.cloud.call(describeInstances, {})).instanceSet).toEqual([]);
  await expect(at.cloud.call(deleteSecurityGroup, { securityGroupId })).rejects.toMatchObject({ code: "ResourceInUse" });
  at.world.advance(300);
  await at.cloud.call(deleteSecurityGroup, { securityGroupId });
});

test("only machine types with a GPU have driver versions, and take drivers", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const { gpuParams } = await at.cloud.call(describeGpuInfo, { instanceType: "GN7.2XLARGE32" });
  expect(gpuParams[0]).toMatchObject({ driver: "570.158.01", cuda: "12.8.1", cudnn: "9.8.0" });
  await expect(at.cloud.call(describeGpuInfo, { instanceType: "SA5.MEDIUM4" })).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  const place = { region: at.region, vpcId: at.vpcId, subnetId: at.subnetId };
  const add = async (instanceType: string) =>
    at.cloud.call(addExistedInstances, {
      clusterId,
      instanceIds: [await putInstance(at.world, { ...place, instanceType })],
      instanceAdvancedSettings: { gpuArgs: { driver: { name: "NVIDIA", version: "570.158.01" } } },
    });
  await expect(add("SA5.MEDIUM4")).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("no GPU") });
  expect((await add("GN7.2XLARGE32")).succInstanceIds).toHaveLength(1);
});

test("a machine that joins is reinstalled with the image and the key of the call", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const place = { region: at.region, vpcId: at.vpcId, subnetId: at.subnetId };
  const [id, windows] = [await putInstance(at.world, place), await putInstance(at.world, { ...place, osName: "Windows Server 2022" })];
  const keyId = await putKeyPair(at.world, { region: at.region, name: "k" });
  const add = (instanceId: string) =>
    at.cloud.call(addExistedInstances, { clusterId, instanceIds: [instanceId], imageId: "img-own", loginSettings: { keyIds: [keyId] } });
  await expect(add(windows)).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("Windows") });
  await add(id);
  expect((await at.cloud.call(describeInstances, { instanceIds: [id] })).instanceSet).toMatchObject([
    { imageId: "img-own", loginSettings: { keyIds: [keyId] } },
  ]);
});

test("a request for machines has log-in settings, which are checked", async () => {
  const at = await stage();
  const { cloud, vpcId, subnetId } = at;
  const keyId = await putKeyPair(at.world, { region: at.region, name: "k" });
  const create = (request: object) =>
    cloud.call(createCluster, {
      vpcId,
      subnetId,
      clusterCidrSettings: { clusterCidr: "172.16.0.0/16" },
      runInstancePara: JSON.stringify({ InstanceType: "SA5.LARGE8", ...request }),
    });
  const invalid = { code: "InvalidParameter" };
  await expect(create({ LoginSettings: { Password: "Secret-123", KeyIds: [keyId] } })).rejects.toMatchObject(invalid);
  await expect(create({ LoginSettings: { KeepImageLogin: "true" } })).rejects.toMatchObject(invalid);
  const { clusterId } = await create({
    LoginSettings: { KeyIds: [keyId] },
    EnhancedService: { MonitorService: { Enabled: false } },
    TagSpecification: [{ ResourceType: "instance", Tags: [{ Key: "a", Value: "b" }] }],
  });
  const { instanceSet } = await cloud.call(describeInstances, {});
  expect(instanceSet).toMatchObject([{ loginSettings: { keyIds: [keyId] }, tags: [{ key: "a", value: "b" }] }]);
  expect(servicesOn(at.world, at.region, instanceSet[0]?.instanceId ?? "")).toMatchObject({ security: true, monitor: false });
  expect(await at.nodesOf(clusterId)).toHaveLength(1);
});

test("rotating the token of a cluster takes the cluster's id, and answers nothing", async () => {
  const at = await stage();
  const clusterId = await at.running();
  await expect(at.cloud.call(rotateClusterToken, {})).rejects.toMatchObject({ code: "MissingParameter", reason: "ClusterId is required" });
  await expect(at.cloud.call(rotateClusterToken, { clusterId: "cls-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  expect(await at.cloud.call(rotateClusterToken, { clusterId })).toEqual({ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
});
