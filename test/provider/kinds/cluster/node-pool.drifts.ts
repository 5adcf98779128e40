import * as cluster from "@container-platform/sdk/cluster";
import type { Props } from "../../../support/structs.ts";
import { altered, type Drift, type Drifts, unnoticed } from "../../every-kind/drift-law.ts";
import { makeGroup, makeKeyPair } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";
import type { Place } from "../../stage/place.ts";
import { fixedValues, optionalValues } from "./node-pool-native.ts";

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
      ...settings(pools, subnetIds, [await makeGroup(stage), await makeGroup(stage)], await makeKeyPair(stage)),
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
  const other = { ...taint, effect: "NoExecute" };
  const tags = [{ resourceType: "machine", tags: [{ key: "team", value: "b" }] }];
  return [
    changed("name", "one", { name: "two" }, "two"),
    changed("labels", { tier: "front" }, { labels: [{ name: "tier", value: "back" }] }, { tier: "back" }),
    changed("annotations", undefined, { annotations: [{ name: "example.org/owner", value: "me" }] }, { "example.org/owner": "me" }),
    changed("taints", [taint], { taints: [] }, undefined),
    unnoticed("taints", "in another order", { ...base, taints: [taint, other] }, modify({ taints: [other, taint] })),
    changed("unschedulable", undefined, { unschedulable: true }, true),
    changed("deletionProtection", undefined, { deletionProtection: true }, true),
    changed("tags", { team: "a", stage: "test" }, { tags }, { team: "b" }),
    unnoticed("tags", "the provider's own", { ...base, tags: { team: "b" } }, modify({ tags })),
    unnoticed("labels", "empty, with taints and tags", { ...base, labels: {}, annotations: {}, taints: [], tags: {} }),
  ];
}

/** What can be changed on the nodes' settings; `undefined`: it was left to the platform. */
function settings({ clusterId, native, modify }: Pools, subnetIds: readonly string[], groupIds: readonly string[], keyId: string): Drift[] {
  const [groupId = ""] = groupIds;
  const disk = { diskType: "CLOUD_PREMIUM", diskSize: 100, fileSystem: "ext4", autoFormatAndMount: true };
  const [first, second] = subnetIds;
  const values = {
    ...optionalValues(groupId, keyId),
    subnetIds: [[first], [first, second]],
    instanceTypes: [["SA5.MEDIUM4"], ["SA5.MEDIUM4", "SA5.LARGE8"]],
    systemDisk: [
      { diskType: "CLOUD_PREMIUM", diskSize: 50 },
      { diskType: "CLOUD_SSD", diskSize: 60 },
    ],
    dataDisks: [[disk], [{ ...disk, diskSize: 200 }]],
    // Without another part: what the program leaves to the platform is not shown.
    management: [{ nameservers: ["10.0.0.53"] }, { nameservers: ["10.0.0.54"] }],
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
      how: "in another order, and securityGroupIds",
      from: { clusterId, native: { ...native, subnetIds: [second, first], securityGroupIds: groupIds } },
      byHand: modify({ native: { subnetIds: [first, second], securityGroupIds: groupIds.toReversed() } }),
      shows: { native: { ...native, subnetIds: [first, second], securityGroupIds: groupIds.toReversed() } },
      repairs: ["ModifyNodePool"],
    },
    unnoticed(
      "native.management",
      "and all else that was left to the platform",
      { clusterId, native },
      modify({ native: { ...lists, ...texts, management: { nameservers: ["10.0.0.54"] }, lifecycle: { preInit: "ZWNobyAy" } } }),
    ),
    unnoticed("native.management", "empty, with all else that can be", {
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
    }),
  ];
}

/** What a pool keeps for life: no operation changes it. */
function fixed({ stage, clusterId, native }: Pools): Drift[] {
  const lasting = altered(stage, "nodePools");
  return Object.entries(fixedValues).map(([key, [before, after]]) =>
    lasting(
      { clusterId, native: { ...native, [key]: before } },
      { native: { ...native, [key]: after } },
      { [`settings.${key}`]: after },
      { input: `native.${key}` },
    ),
  );
}

function sizes({ stage, clusterId, native, modify }: Pools): Drift[] {
  const scaling = { minReplicas: 0, maxReplicas: 3 };
  const still = { ...native, scaling, enableAutoscaling: false, replicas: 1 };
  const free = { ...native, scaling, replicas: 1 };
  const paid = { ...native, instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 1 } };
  const scale = (replicas: number) => (id: string) =>
    stage.cloud.call(cluster.scaleNodePool, { clusterId, nodePoolId: poolOf(id), replicas });
  const from = (of: Props) => ({ clusterId, native: of });
  const changed = (before: Props, change: Props, repair: string, byHand = modify({ native: change })): Drift => ({
    input: `native.${Object.keys(change).join()}`,
    from: from(before),
    byHand,
    shows: { native: { ...before, ...change } },
    repairs: [repair],
  });
  const wide = { scaling: { minReplicas: 1, maxReplicas: 5 } };
  return [
    changed(still, wide, "ModifyNodePool"),
    unnoticed("native.scaling", "left out beside a number", from({ ...native, scaling: undefined, replicas: 1 }), modify({ native: wide })),
    changed(still, { replicas: 2 }, "ScaleNodePool", scale(2)),
    unnoticed("native.replicas", "of a pool that scales by itself", from(free), scale(2)),
    changed(still, { enableAutoscaling: true }, "ModifyNodePool"),
    {
      input: "native.instanceChargeType",
      from: from({ ...native, instanceChargeType: "POSTPAID_BY_HOUR" }),
      byHand: modify({ native: { instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 1 } } }),
      shows: { native: { ...native, instanceChargeType: "PREPAID" } },
      stays: true,
    },
    changed(paid, { instanceChargePrepaid: { period: 12 } }, "ModifyNodePool"),
  ];
}
