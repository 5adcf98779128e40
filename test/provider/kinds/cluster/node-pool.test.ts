import * as cluster from "@container-platform/sdk/cluster";
import { type Props, unknown } from "../../../support/structs.ts";
import { laws, type Change, type Table } from "../../every-kind/change-laws.ts";
import { makeCluster, makeGroup, makeKeyPair, makeNetwork } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";
import { nativeChanges, nativeUnknowns } from "./node-pool-native.ts";
import { scalingChanges } from "./node-pool-scaling.ts";

/** What each input of a NodePool does when it changes and when it is taken out. */
async function nodePoolTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const [groupId, keyId] = [await makeGroup(stage), await makeKeyPair(stage)];
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  const other = await makeCluster(stage, vpcId, subnetIds);

  const native = {
    subnetIds: [subnetIds[0]],
    instanceTypes: ["SA5.MEDIUM4"],
    instanceChargeType: "POSTPAID_BY_HOUR",
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    scaling: { minReplicas: 1, maxReplicas: 1 },
  };
  const base = { clusterId, native };
  const place = { base, native, subnetIds, groupId, keyId };
  return {
    type: "NodePool",
    inputs: [
      "clusterId",
      "name",
      "type",
      "native",
      "labels",
      "annotations",
      "taints",
      "unschedulable",
      "deletionProtection",
      "waitForNodes",
      "tags",
    ],
    base,
    creates: ["CreateNodePool"],
    full: {
      ...base,
      name: "one",
      type: "Native",
      labels: { tier: "front", arch: "amd64" },
      annotations: { "example.org/owner": "me" },
      taints: [{ key: "dedicated", value: "front", effect: "NoSchedule" }],
      unschedulable: true,
      deletionProtection: false,
      waitForNodes: true,
      tags: { team: "a" },
      native: fullNative(native, groupId, keyId),
    },
    notFound: ["waitForNodes", "native.updateExistedNode"],
    createsFull: ["CreateNodePool"],
    deletes: ["DeleteNodePool"],
    changes: [
      { of: "clusterId", to: { clusterId: other }, does: "replace", calls: ["CreateNodePool", "DeleteNodePool"] },
      { of: "type, to its default", to: { type: "Native" }, does: "nothing", calls: [] },
      ...attributeChanges(base),
      ...nativeChanges(place),
      ...scalingChanges(place),
    ],
    unknowns: [
      { of: "clusterId", to: { clusterId: unknown }, does: "replace" },
      { of: "type", to: { type: unknown }, does: "replace" },
      ...["name", "labels", "annotations", "taints", "unschedulable", "deletionProtection", "waitForNodes", "tags"].map((of) => ({
        of,
        to: { [of]: unknown },
        does: "update" as const,
      })),
      { of: "one of labels", to: { labels: { tier: unknown } }, does: "update" },
      { of: "a value of taints", to: { taints: [{ key: "dedicated", value: unknown, effect: "NoSchedule" }] }, does: "update" },
      { of: "an effect of taints", to: { taints: [{ key: "dedicated", value: "", effect: unknown }] }, does: "update" },
      ...nativeUnknowns(place),
    ],
    vanish: (id) => cloud.call(cluster.deleteNodePool, partsOf(id)),
  };
}

function partsOf(id: string): { readonly clusterId: string; readonly nodePoolId: string } {
  const [clusterId = "", nodePoolId = ""] = id.split("/");
  return { clusterId, nodePoolId };
}

function fullNative(native: Props, groupId: string, keyId: string): Props {
  return {
    ...native,
    scaling: { minReplicas: 1, maxReplicas: 3, createPolicy: "ZonePriority" },
    replicas: 2,
    enableAutoscaling: false,
    instanceChargeType: "PREPAID",
    instanceChargePrepaid: { period: 12, renewFlag: "NOTIFY_AND_AUTO_RENEW" },
    securityGroupIds: [groupId],
    dataDisks: [{ diskType: "CLOUD_PREMIUM", diskSize: 100, fileSystem: "xfs", autoFormatAndMount: true, mountTarget: "/data" }],
    keyIds: [keyId],
    autoRepair: true,
    management: { nameservers: ["10.0.0.53"], hosts: ["10.0.0.9 nine"], kernelArgs: ["net.core.somaxconn=1024"] },
    kubeletArgs: ["max-pods=64"],
    lifecycle: { preInit: "ZWNobyAx", postInit: "ZWNobyAy" },
    upgradeSettings: { autoUpgrade: true, components: ["kubelet"] },
    healthCheckPolicyName: "usual",
    hostNamePattern: "node-{R:1}",
    gpuConfigs: [{ instanceType: "GN7.2XLARGE32", gpuParams: { driver: "535.129.03", cuda: "12.2.0", cudnn: "8.9.4" } }],
    customImage: "img-custom01",
    updateExistedNode: false,
    internetAccessible: { maxBandwidthOut: 10, chargeType: "TRAFFIC_POSTPAID_BY_HOUR" },
    machineType: "NativeCVM",
    runtimeRootDir: "/data/containerd",
  };
}

function attributeChanges(base: Props): Change[] {
  const modify = ["ModifyNodePool"];
  const values = {
    labels: [{ tier: "front", arch: "amd64" }, { tier: "back" }],
    annotations: [{ "example.org/owner": "me" }, { "example.org/owner": "you" }],
    taints: [[{ key: "dedicated", value: "front", effect: "NoSchedule" }], [{ key: "dedicated", value: "front", effect: "NoExecute" }]],
    tags: [{ team: "a", stage: "test" }, { team: "b" }],
    name: ["one", "two"],
  };
  const changes = Object.entries(values).flatMap(([of, [before, after]]): Change[] => [
    { of, from: { ...base, [of]: before }, to: { [of]: after }, does: "update", calls: modify },
    { of: `${of}, put in`, to: { [of]: after }, does: "update", calls: modify },
    { of: `${of}, taken out`, from: { ...base, [of]: before }, to: { [of]: undefined }, does: "update", calls: modify },
  ]);
  return [
    ...changes,
    { of: "unschedulable", to: { unschedulable: true }, does: "update", calls: modify },
    {
      of: "unschedulable, taken out",
      from: { ...base, unschedulable: true },
      to: { unschedulable: undefined },
      does: "update",
      calls: modify,
    },
    { of: "deletionProtection, on", to: { deletionProtection: true }, does: "update", calls: modify, last: { deletionProtection: false } },
    {
      of: "deletionProtection, off",
      from: { ...base, deletionProtection: true },
      to: { deletionProtection: false },
      does: "update",
      calls: modify,
    },
    {
      of: "deletionProtection, taken out",
      from: { ...base, deletionProtection: true },
      to: { deletionProtection: undefined },
      does: "update",
      calls: modify,
    },
    { of: "waitForNodes", to: { waitForNodes: false }, does: "update", calls: [] },
    { of: "waitForNodes, taken out", from: { ...base, waitForNodes: false }, to: { waitForNodes: undefined }, does: "update", calls: [] },
  ];
}

await laws(nodePoolTable);
