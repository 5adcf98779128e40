import { type EndFault, putInstance } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { stub } from "../../support/deployment.ts";
import { inClear, isSecret, type Props, withoutSecrets } from "../../support/structs.ts";
import { makeCluster, makeGroup, makeNamespace, makeNetwork, makePool, makeRegistry } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { region } from "../stage/stage.ts";

/** Law 6, in the provider's process: a secret leaves it marked as one, or not at all. */

const stage = await sharedStage();

const {
  vpcId,
  subnetIds: [subnetId],
} = await makeNetwork(stage);
const groupId = await makeGroup(stage);
const clusterId = await makeCluster(stage, vpcId, [subnetId]);
await makePool(stage, clusterId, subnetId);
const registryId = await makeRegistry(stage, "secret-images");
await makeNamespace(stage, registryId, "team");

const password = "correct-horse-battery";
const native = {
  subnetIds: [subnetId],
  instanceTypes: ["SA5.MEDIUM4"],
  systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
  replicas: 1,
  password,
};

/** A cluster that takes in a machine, which goes with it. */
async function clusterWithMachine(): Promise<Props> {
  const machine = await putInstance(stage.world, { region, vpcId, subnetId, imageId: "img-custom01" });
  const existingInstances = [{ instanceIds: [machine], loginSettings: { password } }];
  return { vpcId, subnetId, clusterCidr: "172.16.0.0/16", existingInstances };
}

interface Case {
  readonly type: string;
  readonly args: () => Props | Promise<Props>;
  /** A change in place. */
  readonly to: Props;
  /** The secrets in inputs or outputs. */
  readonly secret: (props: Props) => readonly unknown[];
  readonly inputs: boolean;
}

const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined), value);

const cases: readonly Case[] = [
  {
    type: "NodePool",
    args: () => ({ clusterId, native }),
    to: { native: { ...native, autoRepair: true } },
    secret: (props) => [at(props, "native", "password")],
    inputs: true,
  },
  {
    type: "Cluster",
    args: clusterWithMachine,
    to: { clusterDescription: "changed" },
    secret: (props) => [at(props, "existingInstances", 0, "loginSettings", "password")],
    inputs: true,
  },
  {
    type: "ClusterEndpoint",
    args: () => ({ clusterId, isExtranet: true, securityGroup: groupId }),
    to: { allowedCidrBlocks: ["203.0.113.7"] },
    secret: (props) => [at(props, "kubeconfig")],
    inputs: false,
  },
  {
    type: "ServiceAccount",
    args: () => ({ registryId, name: "ci", permissions: [{ resource: "team", actions: ["reg:PullRepository"] }] }),
    to: { passwordVersion: "2" },
    secret: (props) => [at(props, "password")],
    inputs: false,
  },
  {
    type: "Token",
    args: () => ({ registryId }),
    to: { desc: "changed" },
    secret: (props) => [at(props, "token")],
    inputs: false,
  },
];

/** What must never be in clear: the password, a kubeconfig, its keys, and the passwords that the platform makes. */
const forbidden = [password, "client-key-data", "client-certificate-data", "PRIVATE KEY", "apiVersion"];

function expectNoSecretIn(value: unknown): void {
  const text = JSON.stringify(withoutSecrets(value));
  for (const word of forbidden) expect(text).not.toContain(word);
}

test.each(cases)("$type: no secret is in clear in check, create, read and update", async ({ type, args: argsOf, to, secret, inputs }) => {
  const args = await argsOf();
  const urn = `urn:pulumi:test::secrets::pulumi-nodejs:dynamic/container-platform:${type}::example`;
  const privateInputs = { __provider: stub(type), __urn: urn };
  const { host } = stage;
  const expectMarked = (props: Props, there = true): void => {
    expectNoSecretIn(props);
    for (const value of secret(props)) expect(there ? isSecret(value) : value === undefined).toBe(true);
    for (const value of secret(inClear(props))) if (typeof value === "string") forbidden.push(value);
  };

  const checked = await host.check({}, { ...args, ...privateInputs });
  expectMarked(checked.inputs, inputs);
  const made = await host.create(inClear(checked.inputs));
  expectMarked(made.outputs);
  const found = await host.read(made.id, inClear(made.outputs));
  expectMarked(found.outputs);
  expectMarked(found.inputs, inputs);
  const again = await host.check(inClear(checked.inputs), { ...args, ...to, ...privateInputs });
  expectMarked(again.inputs, inputs);
  const updated = await host.update(made.id, inClear(made.outputs), inClear(again.inputs));
  expectMarked(updated.outputs);
  expect(inClear(updated.outputs)).toMatchObject({ ...args, ...to });
  await host.delete(made.id, inClear(updated.outputs));
});

interface Failing {
  readonly of: string;
  readonly type: string;
  readonly args: () => Props | Promise<Props>;
  readonly fault?: EndFault;
  readonly says: string;
}

const failing: readonly Failing[] = [
  {
    of: "a pool whose creation fails",
    type: "NodePool",
    args: () => ({ clusterId, native }),
    fault: { thing: "nodePool", end: "Abnormal", reason: "no stock" },
    says: "Abnormal: no stock",
  },
  {
    of: "a pool that is refused",
    type: "NodePool",
    args: () => ({ clusterId, native: { ...native, subnetIds: ["subnet-nowhere"] } }),
    says: "subnet-nowhere",
  },
  {
    of: "a machine that fails to join",
    type: "Cluster",
    args: clusterWithMachine,
    fault: { thing: "node", end: "failed", reason: "no login" },
    says: "no login",
  },
];

test.each(failing)("no secret is in clear in the failure of $of", async ({ type, args, fault, says }) => {
  const one = stage.deployment(type);
  if (fault) stage.faults.add(fault);
  const error: unknown = await one.up(await args()).catch((caught: unknown) => caught);
  expect(String(error)).toContain(says);
  expectNoSecretIn([String(error), error]);
  await one.destroy();
});

test("no secret is in the lines that are shown during a creation", async () => {
  stage.world.setPace("realistic");
  await using one = stage.deployment("NodePool");
  const before = stage.host.lines.length;
  const shown = async (): Promise<void> => {
    await expect.poll(() => stage.host.lines.slice(before)).not.toEqual([]);
    stage.world.advance(600_000);
  };
  await Promise.all([one.up({ clusterId, native }), shown()]);
  expectNoSecretIn(stage.host.lines.slice(before));
  stage.world.setPace("instant");
});
