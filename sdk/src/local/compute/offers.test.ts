import { expect, test } from "vitest";
import {
  describeClusterInstances,
  describeOsImages,
  describeVpcCniPodLimits,
  scaleOutClusterMaster,
} from "../../catalogue/cluster/nodes.ts";
import { createClusterNodePool, modifyNodePool, scaleNodePool } from "../../catalogue/cluster/node-pools.ts";
import { describeZoneInstanceConfigInfos } from "../../catalogue/compute.ts";
import { describeDiskConfigQuota } from "../../catalogue/disk.ts";
import { codeOf, stage, type Stage } from "../cluster/stage.fixture.ts";

const region = "eu-frankfurt";

const start = () => stage({ timeScale: "instant" });

/** The types of instance with some filters, each once. */
async function typesOf({ call }: Stage, filters: Record<string, string>) {
  const asked = Object.entries(filters).map(([name, value]) => ({ name, values: [value] }));
  return (await call(describeZoneInstanceConfigInfos, { filters: asked })).instanceTypeQuotaSet;
}

test("a zone lists its types of instance with their size, and says which are sold out", async () => {
  const at = await start();
  const all = await typesOf(at, {});
  expect(new Set(all.map(({ zone }) => zone))).toEqual(new Set([1, 2, 3].map((number) => `${region}-${number}`)));
  expect(await typesOf(at, { zone: `${region}-4` })).toEqual([]);
  expect(await typesOf(at, { zone: `${region}-1`, "instance-type": "SA5.MEDIUM4", "instance-charge-type": "PREPAID" })).toMatchObject([
    { zone: `${region}-1`, cpu: 2, memory: 4, gpu: 0, instanceFamily: "SA5", instanceChargeType: "PREPAID", status: "SELL" },
  ]);
  expect(await typesOf(at, { "instance-type": "GN7.2XLARGE32", zone: `${region}-2` })).toMatchObject([
    { cpu: 8, memory: 32, gpu: 1, instanceChargeType: "POSTPAID_BY_HOUR" },
    { instanceChargeType: "PREPAID" },
  ]);
  expect(await typesOf(at, { "instance-family": "GN7", zone: `${region}-3` })).toEqual([]);
  const statuses = (await typesOf(at, { "instance-type": "SA2.MEDIUM4" })).map(({ zone, status }) => `${zone} ${status}`);
  expect([...new Set(statuses)]).toEqual([`${region}-1 SELL`, `${region}-2 SELL`, `${region}-3 SOLD_OUT`]);
  expect(await codeOf(typesOf(at, { colour: "red" }))).toBe("InvalidParameter");
  expect(await codeOf(typesOf(at, { zone: "ap-singapore-1" }))).toBe("InvalidZone.MismatchRegion");
});

test("a zone lists its types of disk with their sizes, alone or with the families of instances they fit", async () => {
  const { call } = await start();
  const alone = { inquiryType: "INQUIRY_CBS_CONFIG", diskChargeType: "POSTPAID_BY_HOUR" } as const;
  const listed = async (zone: string) =>
    (await call(describeDiskConfigQuota, { ...alone, zones: [zone] })).diskConfigSet.map(
      ({ diskType, diskUsage }) => `${diskType} ${diskUsage}`,
    );
  expect(await listed(`${region}-1`)).toEqual([
    ...["CLOUD_PREMIUM SYSTEM_DISK", "CLOUD_PREMIUM DATA_DISK", "CLOUD_BSSD SYSTEM_DISK", "CLOUD_BSSD DATA_DISK"],
    ...["CLOUD_SSD SYSTEM_DISK", "CLOUD_SSD DATA_DISK", "CLOUD_HSSD SYSTEM_DISK", "CLOUD_HSSD DATA_DISK", "CLOUD_TSSD DATA_DISK"],
  ]);
  expect(await listed(`${region}-2`)).not.toContain("CLOUD_TSSD DATA_DISK");
  const one = { ...alone, zones: [`${region}-2`], diskTypes: ["CLOUD_HSSD"], diskUsage: "DATA_DISK" as const };
  expect((await call(describeDiskConfigQuota, one)).diskConfigSet).toEqual([
    {
      ...{ available: true, diskChargeType: "POSTPAID_BY_HOUR", zone: `${region}-2`, diskType: "CLOUD_HSSD", diskUsage: "DATA_DISK" },
      ...{ stepSize: 10, minDiskSize: 20, maxDiskSize: 32_000, extraPerformanceRange: [1, 350] },
    },
  ]);
  const fitting = { ...one, inquiryType: "INQUIRY_CVM_CONFIG" as const, cpu: 2, memory: 16 };
  expect((await call(describeDiskConfigQuota, fitting)).diskConfigSet.map(({ instanceFamily }) => instanceFamily)).toEqual(["MA5"]);
  const foreign = call(describeDiskConfigQuota, { ...alone, zones: ["ap-singapore-1"] });
  expect(await codeOf(foreign)).toBe("InvalidParameterValue");
});

test("the images of nodes are listed with the name that clusters take, and which are still online", async () => {
  const { call } = await start();
  const { osImageSeriesSet, totalCount } = await call(describeOsImages, {});
  expect(totalCount).toBe(osImageSeriesSet.length);
  expect(osImageSeriesSet.map(({ osName, status }) => `${osName} ${status}`)).toEqual([
    ...["ubuntu22.04x86_64 online", "ubuntu24.04x86_64 online", "tlinux3.1x86_64 online", "tlinux2.4x86_64 offline"],
  ]);
  const filtered = call(describeOsImages, { filters: [{ name: "colour", values: ["red"] }] });
  expect(await codeOf(filtered)).toBe("InvalidParameter");
});

test("the pods of a node in a VPC-CNI cluster are listed by instance type and zone", async () => {
  const { call } = await start();
  const listed = async (asked: object) => (await call(describeVpcCniPodLimits, asked)).podLimitsInstanceSet;
  const limits = { routeEniNonStaticIp: 27, routeEniStaticIp: 27, directEni: 3, subEni: 0 };
  const one = { zone: `${region}-2`, instanceType: "SA5.MEDIUM4" };
  expect(await listed(one)).toEqual([{ ...one, instanceFamily: "SA5", podLimits: limits }]);
  expect(new Set((await listed({ instanceFamily: "C6" })).map(({ zone }) => zone))).toEqual(new Set([`${region}-1`, `${region}-3`]));
  expect((await listed({})).length).toBeGreaterThan(50);
});

async function withCluster() {
  const at = await start();
  const subnetIds = [at.subnetId, await at.subnet(2, { zone: 2 }), await at.subnet(3, { zone: 3 })] as const;
  return { ...at, subnetIds, clusterId: await at.create(undefined, own) };
}

const own = { clusterType: "INDEPENDENT_CLUSTER" } as const;
const disk = { diskSize: 50, fileSystem: "ext4", autoFormatAndMount: true };

test("a node pool takes the types of instance and disk that its zones have, and no others", async () => {
  const { call, clusterId, subnetIds, pool } = await withCluster();
  const [first, second, third] = subnetIds;
  const create = (native: Partial<Stage["settings"]> & { dataDisks?: (typeof disk & { diskType: string })[] }, ids: string[] = [first]) =>
    pool(clusterId, { subnetIds: ids, ...native });
  const refused = (reason: string) => ({ code: "InvalidParameter", reason });
  await expect(create({ instanceTypes: ["t3.medium"] })).rejects.toMatchObject(
    refused(
      'Native.InstanceTypes is "t3.medium", which eu-frankfurt-1 does not have; it takes types such as S5.SMALL2, S5.MEDIUM2, S5.MEDIUM4, S5.MEDIUM8, S5.LARGE8 and 35 more, as DescribeZoneInstanceConfigInfos lists them',
    ),
  );
  await expect(create({ instanceTypes: ["SA5.MEDIUM4", "SA5.HUGE"] })).rejects.toMatchObject({
    reason: expect.stringContaining('"SA5.HUGE", which eu-frankfurt-1 does not have; it takes types such as SA5.SMALL2, SA5.MEDIUM2'),
  });
  expect(await codeOf(create({ instanceTypes: ["SA2.MEDIUM4"] }, [third]))).toBe("InvalidParameter");
  await expect(create({ instanceTypes: ["GN7.2XLARGE32"] }, [second, third])).rejects.toMatchObject({
    reason: expect.stringContaining("eu-frankfurt-3 does not have"),
  });
  await expect(create({ systemDisk: { diskType: "gp3", diskSize: 50 } })).rejects.toMatchObject(
    refused(
      'Native.SystemDisk.DiskType is "gp3", which eu-frankfurt-1 does not have as a SYSTEM_DISK; it takes CLOUD_PREMIUM, CLOUD_BSSD, CLOUD_SSD, CLOUD_HSSD, as DescribeDiskConfigQuota lists them',
    ),
  );
  const fast = { dataDisks: [{ ...disk, diskType: "CLOUD_TSSD" }] };
  await expect(create(fast, [second])).rejects.toMatchObject({
    reason: expect.stringContaining('Native.DataDisks[].DiskType is "CLOUD_TSSD"'),
  });

  await create(fast);
  const nodePoolId = await create({ instanceTypes: ["GN7.2XLARGE32", "SA5.MEDIUM4"] }, [second, third]);
  await call(scaleNodePool, { clusterId, nodePoolId, replicas: 2 });
  const filters = [{ name: "nodepool-id", values: [nodePoolId] }];
  expect((await call(describeClusterInstances, { clusterId, filters })).instanceSet).toHaveLength(2);
  const modify = (native: object) => call(modifyNodePool, { clusterId, nodePoolId, native });
  expect(await codeOf(modify({ instanceTypes: ["t3.medium"] }))).toBe("InvalidParameter");
  expect(await codeOf(modify({ systemDisk: { diskType: "gp3", diskSize: 50 } }))).toBe("InvalidParameter");
  await modify({ instanceTypes: ["GN7.2XLARGE32"], subnetIds: [second] });
  expect(await codeOf(modify({ subnetIds: [third] }))).toBe("InvalidParameter");
});

test("older pools and new machines of a cluster take only types that their zone has, too", async () => {
  const { call, create, clusterId, vpcId, subnetId } = await withCluster();
  const pool = (launch: object) =>
    call(createClusterNodePool, {
      clusterId,
      autoScalingGroupPara: JSON.stringify({ VpcId: vpcId, SubnetIds: [subnetId], MinSize: 0, MaxSize: 1 }),
      launchConfigurePara: JSON.stringify({ InstanceType: "SA5.MEDIUM4", ...launch }),
      instanceAdvancedSettings: {},
      enableAutoscale: false,
    });
  await expect(pool({ InstanceType: "t3.medium" })).rejects.toMatchObject({
    code: "InvalidParameter.Param",
    reason: expect.stringContaining('LaunchConfigurePara: InstanceType is "t3.medium"'),
  });
  expect(await codeOf(pool({ SystemDisk: { DiskType: "gp3", DiskSize: 50 } }))).toBe("InvalidParameter.Param");
  const grow = (machine: object) => call(scaleOutClusterMaster, { clusterId, runInstancePara: JSON.stringify(machine) });
  await expect(grow({ InstanceType: "t3.medium" })).rejects.toMatchObject({
    reason: expect.stringContaining('RunInstancePara: InstanceType is "t3.medium", which eu-frankfurt-1 does not have'),
  });
  expect(await codeOf(grow({ InstanceType: "S5.LARGE8", SystemDisk: { DiskType: "gp3" } }))).toBe("InvalidParameter");
  const runInstancePara = JSON.stringify({ InstanceType: "t3.medium" });
  const made = create("172.17.0.0/16", { ...own, runInstancePara });
  expect(await codeOf(made)).toBe("InvalidParameter");
});
