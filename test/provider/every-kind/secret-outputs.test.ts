import { afterAll, expect, test } from "vitest";
import { kinds as definitions } from "../../../provider/src/resources/kinds.ts";
import { type KindName, kinds } from "../../../provider/src/resources/reviews.ts";
import { secretsOf } from "../../../provider/src/schema/secrets.ts";
import { stub } from "../../support/deployment.ts";
import { inClear, isSecret, type Props } from "../../support/structs.ts";
import { casesOf } from "../kinds/all.ts";
import { isExempt } from "../kinds/kind-cases.ts";
import { makePlace } from "../stage/place.ts";
import { Stage } from "../stage/stage.ts";

// Some cases make a VPC or a registry for what they make: so the stage is not shared.
const stage = await Stage.open();
const place = await makePlace(stage);
afterAll(() => stage[Symbol.asyncDispose]());

/** The outputs that have in them what an input says, and are not secret by themselves. */
const revealing: Readonly<Record<KindName, readonly string[]>> = {
  Vpc: [],
  Ipv6Block: [],
  SecurityGroup: [],
  Subnet: [],
  Cluster: [],
  NodePool: [],
  ClusterEndpoint: [],
  UserPermission: [],
  RegistryInstance: ["publicDomain"],
  Namespace: ["imagePrefix"],
  Repository: ["imageName"],
  ReplicationRule: [],
  Token: [],
  ServiceAccount: ["username"],
};

async function argsOf(type: KindName): Promise<Props> {
  const { killed, secrets } = casesOf[type];
  if ("tagged" in killed) return killed.tagged(place).args;
  if ("keyed" in killed) return (await killed.keyed(place)).args;
  if (isExempt(secrets)) throw new Error(`${type} has no example`);
  return secrets(place).args();
}

test.each(kinds)("%s: outputs that are made of secret inputs are secret, and all others are not", async (type) => {
  const args = await argsOf(type);
  const { kind } = await definitions[type]();
  const ofSchema = secretsOf(kind);
  const told = (props: Props) =>
    Object.keys(kind.outputs.shape).filter((key) => isSecret(props[key]) && !ofSchema.includes(key) && !(key in kind.inputs.shape));
  const urn = `urn:pulumi:test::revealing::pulumi-nodejs:dynamic/container-platform:${type}::example`;
  const given = { __provider: stub(type), __urn: urn };
  const { host } = stage;

  for (const [veiled, expected] of [
    [Object.keys(args), revealing[type]],
    [[], []],
  ] as const) {
    const { inputs } = await host.check({}, { ...args, ...given, __veiled: [...veiled] });
    const made = await host.create(inClear(inputs));
    expect(told(made.outputs)).toEqual(expected);
    const found = await host.read(made.id, inClear(made.outputs));
    expect(told(found.outputs)).toEqual(expected);
    await host.delete(made.id, inClear(made.outputs));
  }
});
