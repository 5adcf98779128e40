import * as cluster from "@container-platform/sdk/cluster";
import { nativeIn } from "../../../../sdk/src/local/cluster/native.fixture.ts";
import { type Props, unknown } from "../../../support/structs.ts";
import { eachWay, inAndOut, laws, notKnown, type Change } from "../../every-kind/change-laws.ts";
import { makeCluster, makeGroup, makeKeyPair, makeNetwork } from "../../stage/outside.ts";
import { nativeChanges, nativeUnknowns, scalingChanges } from "./node-pool-native.ts";

/** What each input of a NodePool does when it changes and when it is taken out. */
await laws(async (stage) => {
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const [groupId, otherGroupId, keyId] = [await makeGroup(stage), await makeGroup(stage), await makeKeyPair(stage)];
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  const other = await makeCluster(stage, vpcId, subnetIds);

  const native = { ...nativeIn(subnetIds[0]), scaling: { minReplicas: 1, maxReplicas: 1 } };
  const base = { clusterId, native };
  const place = { base, native, subnetIds, groupId, otherGroupId, keyId };
  return {
    type: "NodePool",
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
    updates: ["ModifyNodePool"],
    deletes: ["DeleteNodePool"],
    changes: [
      { to: { clusterId: other }, does: "replace" },
      { of: "type, to its default", to: { type: "Native" }, does: "nothing" },
      ...attributeChanges(base),
      ...nativeChanges(place),
      ...scalingChanges(place),
    ],
    unknowns: [
      ...notKnown("replace", ["clusterId", "type", "native"]),
      ...notKnown("update", ["name", "labels", "annotations", "taints", "unschedulable", "deletionProtection", "waitForNodes", "tags"]),
      { of: "one of labels", to: { labels: { tier: unknown } }, does: "update" },
      { of: "a value of taints", to: { taints: [{ key: "dedicated", value: unknown, effect: "NoSchedule" }] }, does: "update" },
      { of: "an effect of taints", to: { taints: [{ key: "dedicated", value: "", effect: unknown }] }, does: "update" },
      ...nativeUnknowns(place),
    ],
    vanish: (id) => stage.cloud.call(cluster.deleteNodePool, { clusterId, nodePoolId: id.split("/")[1] ?? "" }),
  };
});

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
  const values: Record<string, readonly [before: unknown, after: unknown]> = {
    labels: [{ tier: "front", arch: "amd64" }, { tier: "back" }],
    annotations: [{ "example.org/owner": "me" }, { "example.org/owner": "you" }],
    taints: [[{ key: "dedicated", value: "front", effect: "NoSchedule" }], [{ key: "dedicated", value: "front", effect: "NoExecute" }]],
    tags: [{ team: "a", stage: "test" }, { team: "b" }],
    name: ["one", "two"],
  };
  const taints = ["a", "b"].map((key) => ({ key, value: "", effect: "NoSchedule" }));
  return [
    { of: "taints, another order", from: { ...base, taints }, to: { taints: taints.toReversed() }, does: "nothing" },
    ...eachWay(base, values),
    ...inAndOut(base, { unschedulable: true }),
    { to: { deletionProtection: true }, last: { deletionProtection: false } },
    { from: { ...base, deletionProtection: true }, to: { deletionProtection: false } },
    { from: { ...base, deletionProtection: true }, to: { deletionProtection: undefined } },
    ...inAndOut(base, { waitForNodes: false }, { calls: [] }),
  ];
}
