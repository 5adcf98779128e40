import { expect, test } from "vitest";
import { unknown } from "../schema/values.ts";
import { received, struct, withSecretsOf } from "./properties.ts";

const signature = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value });
const output = (rest: object) => ({ [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...rest });

test("secrets, outputs and values that are not known come in clear at any depth, with what they are of", () => {
  const urn = "urn:pulumi:dev::shop::container-platform:index:Vpc::net";
  const ofNetwork = "urn:pulumi:dev::shop::container-platform:index:Network$container-platform:index:Vpc::net";
  const { props, secrets, sources } = received(
    struct({
      vpcId: output({ dependencies: [urn] }),
      ready: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
      native: { password: secret("Pa55-word"), subnetIds: [output({ value: "subnet-1", dependencies: [urn, "other"] }), "subnet-2"] },
      labels: secret({ team: "a" }),
      token: output({ value: "t", secret: true }),
      zone: output({ dependencies: ["urn:pulumi:dev::shop::container-platform:index:Network::net", ofNetwork] }),
    }),
  );
  expect(props).toEqual({
    vpcId: unknown,
    ready: unknown,
    native: { password: "Pa55-word", subnetIds: ["subnet-1", "subnet-2"] },
    labels: { team: "a" },
    token: "t",
    zone: unknown,
  });
  expect(secrets.toSorted()).toEqual(["labels", "native", "token"]);
  expect(sources).toEqual({ vpcId: urn, zone: ofNetwork });
});

test("a resource stands for its id, which may not be known yet; a component for its URN", () => {
  const urn = "urn:pulumi:dev::shop::container-platform:index:Vpc::net";
  const resource = (rest: object) => ({ [signature]: "5cf8f73096256a8f31e491e813e4eb8e", urn, ...rest });
  const given = { vpcId: resource({ id: "vpc-1" }), subnetIds: [resource({ id: "" })], network: resource({}) };
  expect(received(struct(given)).props).toEqual({ vpcId: "vpc-1", subnetIds: [unknown], network: urn });
});

test("what was given as a secret is one in what is returned: a value in an object, and a list as a whole", () => {
  const given = { tags: { a: secret("x"), b: "y" }, names: ["one", secret("two")], plain: "z" };
  const returned = withSecretsOf(given, { tags: { a: "x", b: "y", c: "w" }, names: ["two", "one"], plain: "z", more: 1 });
  expect(returned).toEqual({ tags: { a: secret("x"), b: "y", c: "w" }, names: secret(["two", "one"]), plain: "z", more: 1 });
});
