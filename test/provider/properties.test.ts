import * as provider from "@container-platform/pulumi";
import { type CustomResource, Output, runtime } from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import { kinds } from "../../provider/src/resources/kinds.ts";
import { type KindName, kinds as names } from "../../provider/src/resources/reviews.ts";

/** A resource of each kind, to which the program gives no input. */
const examples = {
  Vpc: () => provider.Vpc.get("example", "example-1"),
  Ipv6Block: () => provider.Ipv6Block.get("example", "example-1"),
  SecurityGroup: () => provider.SecurityGroup.get("example", "example-1"),
  Subnet: () => provider.Subnet.get("example", "example-1"),
  Cluster: () => provider.Cluster.get("example", "example-1"),
  NodePool: () => provider.NodePool.get("example", "example-1"),
  ClusterEndpoint: () => provider.ClusterEndpoint.get("example", "example-1"),
  UserPermission: () => provider.UserPermission.get("example", "example-1"),
  RegistryInstance: () => provider.RegistryInstance.get("example", "example-1"),
  Namespace: () => provider.Namespace.get("example", "example-1"),
  Repository: () => provider.Repository.get("example", "example-1"),
  ReplicationRule: () => provider.ReplicationRule.get("example", "example-1"),
  Token: () => provider.Token.get("example", "example-1"),
  ServiceAccount: () => provider.ServiceAccount.get("example", "example-1"),
} satisfies Record<KindName, () => CustomResource>;

beforeAll(() =>
  runtime.setMocks({ newResource: ({ inputs }) => ({ id: "example-1", state: { ...inputs, vpcName: "filled-in" } }), call: () => ({}) }),
);

test("every class of resources is looked at", () => {
  const exported = Object.entries(provider).flatMap(([name, one]) => ("kind" in one ? [name] : []));
  expect(Object.keys(examples).sort()).toEqual(exported.sort());
});

test.each(names)("%s: every property is an Output", async (name) => {
  const { kind } = await kinds[name]();
  const made = examples[name]();
  const properties = [kind.inputs, kind.outputs].flatMap(({ shape }) => Object.keys(shape));
  expect(properties.length).toBeGreaterThan(0);
  expect(properties.filter((key) => !Output.isInstance(Reflect.get(made, key)))).toEqual([]);
});

test("an input that was left out has the value that was filled in, or undefined", async () => {
  const made = new provider.Vpc("example", { cidrBlock: "10.0.0.0/16" });
  const values = await new Promise((resolve) => {
    Output.create([made.cidrBlock, made.vpcName, made.dnsServers] as const).apply(resolve);
  });
  expect(values).toEqual(["10.0.0.0/16", "filled-in", undefined]);
});
