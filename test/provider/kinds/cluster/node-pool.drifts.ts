import * as cluster from "@container-platform/sdk/cluster";
import type { Props } from "../../../support/structs.ts";
import type { Drift, Drifts } from "../../every-kind/drift-law.ts";
import { alter, makeGroup, makeKeyPair } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";
import type { Place } from "../../stage/place.ts";

interface Pools {
  readonly stage: Stage;
  readonly clusterId: string;
  readonly native: Props;
  /** What somebody does to a pool. */
  readonly modify: (change: object) => (id: string) => Promise<unknown>;
}

/** Each input of a NodePool, changed behind the program's back. */
export async function nodePoolDrifts({ stage, subnetIds, clusterId }: Place): Promise<Drifts> {
  const native = {
    subnetIds: [subnetIds[0]],
    instanceTypes: ["SA5.MEDIUM4"],
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    scaling: { minReplicas: 1, maxReplicas: 1 },
  };
  const modify = (change: object) => (id: string) =>
    stage.cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId: poolOf(id), ...change });
  const pools = { stage, clusterId, native, modify };
  return {
    unread: {
      clusterId: "is a part of the id",
      type: "there is one only",
      waitForNodes: "is for creation and scaling",
      "native.password": "the platform never tells it",
      "native.updateExistedNode": "is for the next change",
    },
    cases: [
      ...attributes(pools),
      ...settings(pools, subnetIds, await makeGroup(stage), await makeKeyPair(stage)),
      ...fixed(pools),
      ...sizes(pools),
    ],
  };
}

const poolOf = (id: string): string => id.split("/")[1] ?? "";

function attributes({ clusterId, native, modify }: Pools): Drift[] {
  const base = { clusterId, native };
  const changed = (input: string, before: unknown, by: object, after: unknown): Drift => ({
    input,
    from: { ...base, [input]: before },
    byHand: modify(by),
    shows: { [input]: after },
    repairs: ["ModifyNodePool"],
  });
  const taint = { key: "dedicated", value: "front", effect: "NoSchedule" };
  const tags = [{ resourceType: "machine", tags: [{ key: "team", value: "b" }] }];
  return [
    changed("name", "one", { name: "two" }, "two"),
    changed("labels", { tier: "front" }, { labels: [{ name: "tier", value: "back" }] }, { tier: "back" }),
    changed("annotations", undefined, { annotations: [{ name: "example.org/owner", value: "me" }] }, { "example.org/owner": "me" }),
    changed("taints", [taint], { taints: [] }, undefined),
    changed("unschedulable", undefined, { unschedulable: true }, true),
    changed("deletionProtection", undefined, { deletionProtection: true }, true),
    changed("tags", { team: "a", stage: "test" }, { tags }, { team: "b" }),
    { input: "tags", how: "the provider's own", from: { ...base, tags: { team: "b" } }, byHand: modify({ tags }) },
    { input: "labels", how: "empty, with taints and tags", from: { ...base, labels: {}, annotations: {}, taints: [], tags: {} } },
  ];
}

/** What can be changed on the nodes' settings; `undefined`: it was left to the platform. */
function settings({ clusterId, native, modify }: Pools, subnetIds: readonly string[], groupId: string, keyId: string): Drift[] {
  const disk = { diskType: "CLOUD_PREMIUM", diskSize: 100, fileSystem: "ext4", autoFormatAndMount: true };
  const [first, second] = subnetIds;
  const values: Record<string, readonly [before: unknown, after: unknown]> = {
    subnetIds: [[first], [first, second]],
    instanceTypes: [["SA5.MEDIUM4"], ["SA5.MEDIUM4", "SA5.LARGE8"]],
    systemDisk: [
      { diskType: "CLOUD_PREMIUM", diskSize: 50 },
      { diskType: "CLOUD_SSD", diskSize: 60 },
    ],
    securityGroupIds: [[groupId], []],
    dataDisks: [[disk], [{ ...disk, diskSize: 200 }]],
    keyIds: [[keyId], []],
    autoRepair: [true, false],
    management: [{ nameservers: ["10.0.0.53"] }, { nameservers: ["10.0.0.54"] }],
    kubeletArgs: [["max-pods=64"], ["max-pods=32"]],
    lifecycle: [{ preInit: "ZWNobyAx" }, { preInit: "ZWNobyAy" }],
    upgradeSettings: [
      { autoUpgrade: true, components: ["kubelet"] },
      { autoUpgrade: false, components: ["kubelet"] },
    ],
    healthCheckPolicyName: ["usual", "strict"],
    hostNamePattern: ["node-{R:1}", "worker-{R:1}"],
    gpuConfigs: [
      [{ instanceType: "GN7.2XLARGE32", gpuParams: { driver: "535.129.03" } }],
      [{ instanceType: "GN7.2XLARGE32", gpuParams: { driver: "550.54.15" } }],
    ],
    customImage: ["img-custom01", "img-custom02"],
  };
  const lists = { securityGroupIds: [groupId], dataDisks: [disk], keyIds: [keyId], kubeletArgs: ["max-pods=32"], autoRepair: true };
  const texts = { healthCheckPolicyName: "strict", hostNamePattern: "worker-{R:1}", customImage: "img-custom02" };
  return [
    ...Object.entries(values).map(([key, [before, after]]): Drift => ({
      input: `native.${key}`,
      from: { clusterId, native: { ...native, [key]: before } },
      byHand: modify({ native: { [key]: after } }),
      shows: { native: { ...native, [key]: after } },
      repairs: ["ModifyNodePool"],
    })),
    {
      input: "native.subnetIds",
      how: "in another order",
      from: { clusterId, native: { ...native, subnetIds: [second, first], securityGroupIds: [groupId] } },
      byHand: modify({ native: { subnetIds: [first, second] } }),
    },
    {
      input: "native.management",
      how: "and all else that was left to the platform",
      from: { clusterId, native },
      byHand: modify({ native: { ...lists, ...texts, management: { nameservers: ["10.0.0.54"] }, lifecycle: { preInit: "ZWNobyAy" } } }),
    },
    {
      input: "native.management",
      how: "empty, with all else that can be",
      from: {
        clusterId,
        native: {
          ...native,
          management: {},
          lifecycle: {},
          dataDisks: [],
          keyIds: [],
          kubeletArgs: [],
          hostNamePattern: "",
          customImage: "",
        },
      },
    },
  ];
}

/** What a pool keeps for life: no operation changes it. */
function fixed({ stage, clusterId, native }: Pools): Drift[] {
  const access = { maxBandwidthOut: 10, chargeType: "TRAFFIC_POSTPAID_BY_HOUR" };
  const values = {
    internetAccessible: [access, { ...access, maxBandwidthOut: 20 }],
    machineType: ["Native", "NativeCVM"],
    runtimeRootDir: ["/data/containerd", "/var/containerd"],
  } as const;
  return Object.entries(values).map(([key, [before, after]]): Drift => ({
    input: `native.${key}`,
    from: { clusterId, native: { ...native, [key]: before } },
    byHand: (id) => alter(stage, "nodePools", poolOf(id), { [`settings.${key}`]: after }),
    shows: { native: { ...native, [key]: after } },
    stays: true,
  }));
}

function sizes({ stage, clusterId, native, modify }: Pools): Drift[] {
  const scaling = { minReplicas: 0, maxReplicas: 3 };
  const still = { ...native, scaling, enableAutoscaling: false, replicas: 1 };
  const free = { ...native, scaling, replicas: 1 };
  const paid = { ...native, instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 1 } };
  const scale = (replicas: number) => (id: string) =>
    stage.cloud.call(cluster.scaleNodePool, { clusterId, nodePoolId: poolOf(id), replicas });
  const from = (of: Props) => ({ clusterId, native: of });
  return [
    {
      input: "native.scaling",
      from: from(still),
      byHand: modify({ native: { scaling: { minReplicas: 1, maxReplicas: 5 } } }),
      shows: { native: { ...still, scaling: { minReplicas: 1, maxReplicas: 5 } } },
      repairs: ["ModifyNodePool"],
    },
    {
      input: "native.scaling",
      how: "left out beside a number",
      from: from({ ...native, scaling: undefined, replicas: 1 }),
      byHand: modify({ native: { scaling: { minReplicas: 1, maxReplicas: 5 } } }),
    },
    {
      input: "native.replicas",
      from: from(still),
      byHand: scale(2),
      shows: { native: { ...still, replicas: 2 } },
      repairs: ["ScaleNodePool"],
    },
    { input: "native.replicas", how: "of a pool that scales by itself", from: from(free), byHand: scale(2) },
    {
      input: "native.enableAutoscaling",
      from: from(still),
      byHand: modify({ native: { enableAutoscaling: true } }),
      shows: { native: { ...still, enableAutoscaling: true } },
      repairs: ["ModifyNodePool"],
    },
    {
      input: "native.instanceChargeType",
      from: from({ ...native, instanceChargeType: "POSTPAID_BY_HOUR" }),
      byHand: modify({ native: { instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 1 } } }),
      shows: { native: { ...native, instanceChargeType: "PREPAID" } },
      stays: true,
    },
    {
      input: "native.instanceChargePrepaid",
      from: from(paid),
      byHand: modify({ native: { instanceChargePrepaid: { period: 12 } } }),
      shows: { native: { ...paid, instanceChargePrepaid: { period: 12 } } },
      repairs: ["ModifyNodePool"],
    },
  ];
}
