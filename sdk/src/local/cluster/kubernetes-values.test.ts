import { expect, test } from "vitest";
import { createNodePool } from "../../catalogue/cluster.ts";
import { catalogue } from "../../catalogue/every-operation.ts";
import type { Json, JsonObject } from "../../operation/codec.ts";
import { fieldsIn } from "../../operation/fields.ts";
import { clusterStage, codeOf, nodesStage } from "./stage.fixture.ts";

const at = await clusterStage();
const invalid = "not a label!";

/** A value that Kubernetes never takes, for each kind of field; the other fields of its object are valid. */
const wrong: Readonly<Record<string, readonly [value: Json, place: string][]>> = {
  Labels: [
    [[{ Name: invalid, Value: "x" }], ".0.Name"],
    [
      [
        { Name: "a", Value: "" },
        { Name: "b", Value: "v".repeat(64) },
      ],
      ".1.Value",
    ],
  ],
  Annotations: [[[{ Name: invalid, Value: "any value!" }], ".0.Name"]],
  Taints: [
    [[{ Key: invalid, Value: "x", Effect: "NoSchedule" }], ".0.Key"],
    [[{ Key: "a", Value: invalid, Effect: "NoSchedule" }], ".0.Value"],
    [["x", "y"].map((Value) => ({ Key: "a", Value, Effect: "NoSchedule" })), " has a taint of key"],
  ],
  KernelArgs: [[["vm.swappiness=1", "quiet"], ".1"]],
};

/** A value in lists and objects, so that it is at a path such as `Native.Management.KernelArgs` or `Overrides[].Labels`. */
function within(path: string, value: Json): JsonObject {
  const [name = "", ...rest] = path.split(".");
  const field = name.replace("[]", "");
  const inner = rest.length > 0 ? within(rest.join("."), value) : value;
  return { [field]: name.endsWith("[]") ? [inner] : inner };
}

const takers = catalogue.flatMap((operation) =>
  operation.product === "cluster" && operation.effect === "write"
    ? fieldsIn(operation.input).flatMap(({ name, path }) =>
        (wrong[name] ?? []).map(([value, place]) => ({ operation, path, body: within(path, value), place })),
      )
    : [],
);

test("the operations that take values of Kubernetes", () => {
  const paths = Map.groupBy(takers, ({ operation }) => operation.action);
  const found = [...paths].map(([action, all]) => `${action}: ${[...new Set(all.map(({ path }) => path))].join(", ")}`);
  expect(found.toSorted()).toMatchInlineSnapshot(`
    [
      "AddExistedInstances: InstanceAdvancedSettings.Taints, InstanceAdvancedSettings.Labels, InstanceAdvancedSettingsOverrides[].Taints, InstanceAdvancedSettingsOverrides[].Labels",
      "CreateCluster: ClusterAdvancedSettings.SecurityModeConfig.Labels, RunInstancesForNode[].InstanceAdvancedSettingsOverrides[].Taints, RunInstancesForNode[].InstanceAdvancedSettingsOverrides[].Labels, InstanceAdvancedSettings.Taints, InstanceAdvancedSettings.Labels, ExistedInstancesForNode[].ExistedInstancesPara.InstanceAdvancedSettings.Taints, ExistedInstancesForNode[].ExistedInstancesPara.InstanceAdvancedSettings.Labels, ExistedInstancesForNode[].InstanceAdvancedSettingsOverride.Taints, ExistedInstancesForNode[].InstanceAdvancedSettingsOverride.Labels",
      "CreateClusterNodePool: InstanceAdvancedSettings.Taints, InstanceAdvancedSettings.Labels, Labels, Taints, Annotations",
      "CreateExternalNodePool: Labels, Taints, InstanceAdvancedSettings.Taints, InstanceAdvancedSettings.Labels",
      "CreateNodePool: Native.Management.KernelArgs, Labels, Taints, Annotations",
      "ModifyClusterAttribute: SecurityModeConfig.Labels",
      "ModifyClusterNodePool: Labels, Taints, Annotations",
      "ModifyNodePool: Native.Management.KernelArgs, Labels, Taints, Annotations",
      "ScaleOutClusterMaster: RunInstancesForNode[].InstanceAdvancedSettingsOverrides[].Taints, RunInstancesForNode[].InstanceAdvancedSettingsOverrides[].Labels, InstanceAdvancedSettings.Taints, InstanceAdvancedSettings.Labels, ExistedInstancesForNode[].ExistedInstancesPara.InstanceAdvancedSettings.Taints, ExistedInstancesForNode[].ExistedInstancesPara.InstanceAdvancedSettings.Labels, ExistedInstancesForNode[].InstanceAdvancedSettingsOverride.Taints, ExistedInstancesForNode[].InstanceAdvancedSettingsOverride.Labels",
      "UpgradeClusterInstances: ResetParam.InstanceAdvancedSettings.Taints, ResetParam.InstanceAdvancedSettings.Labels",
    ]
  `);
});

test.each(takers)("$operation.action refuses $path $place", async ({ operation, path, body, place }) => {
  const { product, action, version, errors } = operation;
  const known: readonly string[] = errors;
  const code = known.includes("InvalidParameter.Param") ? "InvalidParameter.Param" : "InvalidParameter";
  const sent = at.platform.send({ product, action, version, region: at.region, body: { ...body, ClusterId: at.clusterId } });
  await expect(sent).rejects.toMatchObject({ code, reason: expect.stringContaining(`${path.replaceAll("[]", ".0")}${place}`) });
});

test("the message has the path, the value and what is accepted", async () => {
  const pool = { clusterId: at.clusterId, name: "p", type: "Native" as const, native: at.settings };
  const create = (given: object) => at.call(createNodePool, { ...pool, ...given });
  const key = "a key of 1 to 63 letters, digits, -, _ and ., which begin and end with a letter or digit";
  await expect(create({ labels: [{ name: invalid, value: "x" }] })).rejects.toMatchObject({
    reason: `Labels.0.Name is "not a label!"; it takes ${key}, with or without a DNS subdomain and / in front, such as example.com/team`,
  });
  const taint = { key: "a", value: "x", effect: "NoSchedule" };
  await expect(create({ taints: [taint, { ...taint, value: "y" }] })).rejects.toMatchObject({
    reason: "Taints has a taint of key a and effect NoSchedule twice; a node has each pair once",
  });
});

test.each(["PreInit", "PostInit"])("%s is base64, and is told as it was given", async (part) => {
  const { clusterId, nodePoolId, ...stage } = await nodesStage();
  const modify = (text: string) => {
    const body = { ClusterId: clusterId, NodePoolId: nodePoolId, Native: { Lifecycle: { [part]: text } } };
    return stage.platform.send({ product: "cluster", action: "ModifyNodePool", version: "2022-05-01", region: stage.region, body });
  };
  for (const text of ["echo 1", "ZWNobyA"]) expect(await codeOf(modify(text))).toBe("InvalidParameter");
  await modify("ZWNobyAx");
  const { lifecycle } = (await stage.poolOf(clusterId, nodePoolId))?.native ?? {};
  expect(Object.values(lifecycle ?? {})).toEqual(["ZWNobyAx"]);
});

test("valid values are accepted, and told in the order that they were given", async () => {
  const given = {
    labels: ["b", "example.com/a"].map((name) => ({ name, value: "" })),
    annotations: [{ name: "Example.com/B", value: "any value!" }],
    taints: (["NoExecute", "NoSchedule"] as const).map((effect) => ({ key: "z", value: "", effect })),
  };
  const native = {
    ...at.settings,
    subnetIds: [await at.subnet(1), at.subnetId],
    securityGroupIds: [await at.group(), await at.group()].toSorted().toReversed(),
    management: { kernelArgs: ["vm.swappiness=1", "kernel.modprobe="] },
  };
  const { nodePoolId } = await at.call(createNodePool, { clusterId: at.clusterId, name: "p", type: "Native", native, ...given });
  expect(await at.poolOf(at.clusterId, nodePoolId)).toMatchObject({ ...given, native });
});
