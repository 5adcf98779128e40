import { type EndFault } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { kinds as definitions } from "../../../provider/src/resources/kinds.ts";
import { type KindName, kinds } from "../../../provider/src/resources/reviews.ts";
import { marksOf } from "../../../provider/src/schema/marks.ts";
import { secretsOf } from "../../../provider/src/schema/secrets.ts";
import { stub } from "../../support/deployment.ts";
import { inClear, isSecret, type Props, withoutSecrets } from "../../support/structs.ts";
import { casesOf } from "../kinds/all.ts";
import { password } from "../kinds/password.ts";
import { oneNode } from "../stage/outside.ts";
import { makePlace } from "../stage/place.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Law 6, in a process of its own, which every kind is made, read and deleted in: a secret leaves it marked as one, or not at all. */

const stage = await sharedStage({ provider: "process" });
const place = await makePlace(stage);
const {
  clusterId,
  subnetIds: [subnetId],
} = place;
const native = { ...oneNode(subnetId), password };

const cases = kinds.flatMap((type) => {
  const { secrets } = casesOf[type];
  return secrets ? [{ type, ...secrets(place) }] : [];
});

test("the kinds with a secret among their inputs or outputs are those that have a case", async () => {
  const withSecrets: string[] = [];
  for (const type of kinds) {
    const { inputs, outputs } = (await definitions[type]()).kind;
    if (holdsSecret(inputs) || holdsSecret(outputs)) withSecrets.push(type);
  }
  expect(cases.map(({ type }) => type)).toEqual(withSecrets);
});

function holdsSecret(schema: z.core.$ZodType): boolean {
  const type = unwrapped(schema);
  if (marksOf(schema).secret) return true;
  if (type instanceof z.ZodArray) return holdsSecret(type.element);
  return Object.values(fieldsOf(type)).some(holdsSecret);
}

/** What the class of a resource hands to Pulumi besides its inputs. */
function privateInputs(type: KindName): Props {
  return { __provider: stub(type), __urn: `urn:pulumi:test::secrets::pulumi-nodejs:dynamic/container-platform:${type}::example` };
}

/** What must never be in clear: the password, a kubeconfig, its keys, and the passwords that the platform makes. */
const forbidden = [password, "client-key-data", "client-certificate-data", "PRIVATE KEY", "apiVersion"];

function expectNoSecretIn(value: unknown): void {
  const text = JSON.stringify(withoutSecrets(value));
  for (const word of forbidden) expect(text).not.toContain(word);
}

test.each(cases)("$type: no secret is in clear in check, create, read and update", async ({ type, args: argsOf, to, secret, inputs }) => {
  const args = await argsOf();
  const ours = privateInputs(type);
  const { host } = stage;
  const expectMarked = (props: Props, there = true): void => {
    expectNoSecretIn(props);
    for (const value of secret(props)) expect(there ? isSecret(value) : value === undefined).toBe(true);
    for (const value of secret(inClear(props))) if (typeof value === "string") forbidden.push(value);
  };

  const checked = await host.check({}, { ...args, ...ours });
  expectMarked(checked.inputs, inputs);
  const made = await host.create(inClear(checked.inputs));
  expectMarked(made.outputs);
  const found = await host.read(made.id, inClear(made.outputs));
  expectMarked(found.outputs);
  expectMarked(found.inputs, inputs);
  const again = await host.check(inClear(checked.inputs), { ...args, ...to, ...ours });
  expectMarked(again.inputs, inputs);
  const updated = await host.update(made.id, inClear(made.outputs), inClear(again.inputs));
  expectMarked(updated.outputs);
  expect(inClear(updated.outputs)).toMatchObject({ ...args, ...to });
  await host.delete(made.id, inClear(updated.outputs));
});

/** The outputs that have in them what an input says, and are not secret by themselves. */
const revealing: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  RegistryInstance: ["publicDomain"],
  Namespace: ["imagePrefix"],
  Repository: ["imageName"],
  ServiceAccount: ["username"],
};

/** Inputs of a kind, whether it has secrets or not. */
async function exampleOf(type: KindName): Promise<Props> {
  const { killed } = casesOf[type];
  if ("tagged" in killed) return killed.tagged(place).args;
  if ("keyed" in killed) return (await killed.keyed(place)).args;
  return killed.noted(place).args;
}

test.each(kinds)("%s: outputs that are made of secret inputs are secret, and all others are not", async (type) => {
  // Some examples make a VPC or a registry of their own.
  const { made: before } = stage;
  const args = await exampleOf(type);
  const { kind } = await definitions[type]();
  const ofSchema = secretsOf(kind);
  const told = (props: Props) =>
    Object.keys(kind.outputs.shape).filter((key) => isSecret(props[key]) && !ofSchema.includes(key) && !(key in kind.inputs.shape));
  for (const [veiled, expected] of [
    [Object.keys(args), revealing[type] ?? []],
    [[], []],
  ] as const) {
    const { inputs } = await stage.host.check({}, { ...args, ...privateInputs(type), __veiled: [...veiled] });
    const made = await stage.host.create(inClear(inputs));
    expect(told(made.outputs)).toEqual(expected);
    const found = await stage.host.read(made.id, inClear(made.outputs));
    expect(told(found.outputs)).toEqual(expected);
    await stage.host.delete(made.id, inClear(made.outputs));
  }
  await stage.undoLast(stage.made - before);
});

test.each<[of: string, type: KindName, says: string, fault: EndFault | undefined, args?: Props]>([
  ["a pool whose creation fails", "NodePool", "Abnormal: no stock", { resourceType: "nodePool", endState: "Abnormal", reason: "no stock" }],
  ["a machine that fails to join", "Cluster", "no login", { resourceType: "node", endState: "failed", reason: "no login" }],
  ["a pool that is refused", "NodePool", "subnet-nowhere", undefined, { native: { ...native, subnetIds: ["subnet-nowhere"] } }],
])("no secret is in clear in the failure of %s", async (_, type, says, fault, args) => {
  const one = stage.deployment(type);
  if (fault) stage.faults.add(fault);
  const withSecrets = await cases.find((ofKind) => ofKind.type === type)?.args();
  const error: unknown = await one.up({ ...withSecrets, ...args }).catch((caught: unknown) => caught);
  expect(String(error)).toContain(says);
  expectNoSecretIn([String(error), error]);
  await one.destroy();
});

test("no secret is in the lines that are shown during a creation", async () => {
  stage.world.setTimeScale("realistic");
  await using one = stage.deployment("NodePool");
  const before = stage.host.lines.length;
  const shown = async (): Promise<void> => {
    await expect.poll(() => stage.host.lines.slice(before)).not.toEqual([]);
    stage.world.advance(600_000);
  };
  await Promise.all([one.up({ clusterId, native }), shown()]);
  expectNoSecretIn(stage.host.lines.slice(before));
  stage.world.setTimeScale("instant");
});
