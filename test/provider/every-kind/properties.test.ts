import * as provider from "@container-platform/pulumi";
import { Output, runtime } from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";

/** Each class, and a resource that the program gives no input. */
const classes = [
  [provider.Vpc.kind, () => provider.Vpc.get("example", "example-1")],
  [provider.Ipv6Block.kind, () => provider.Ipv6Block.get("example", "example-1")],
  [provider.SecurityGroup.kind, () => provider.SecurityGroup.get("example", "example-1")],
  [provider.Subnet.kind, () => provider.Subnet.get("example", "example-1")],
  [provider.Cluster.kind, () => provider.Cluster.get("example", "example-1")],
  [provider.NodePool.kind, () => provider.NodePool.get("example", "example-1")],
  [provider.ClusterEndpoint.kind, () => provider.ClusterEndpoint.get("example", "example-1")],
  [provider.UserPermission.kind, () => provider.UserPermission.get("example", "example-1")],
  [provider.RegistryInstance.kind, () => provider.RegistryInstance.get("example", "example-1")],
  [provider.Namespace.kind, () => provider.Namespace.get("example", "example-1")],
  [provider.Repository.kind, () => provider.Repository.get("example", "example-1")],
  [provider.ReplicationRule.kind, () => provider.ReplicationRule.get("example", "example-1")],
  [provider.Token.kind, () => provider.Token.get("example", "example-1")],
  [provider.ServiceAccount.kind, () => provider.ServiceAccount.get("example", "example-1")],
] as const;

beforeAll(() =>
  runtime.setMocks({ newResource: ({ inputs }) => ({ id: "example-1", state: { ...inputs, vpcName: "filled-in" } }), call: () => ({}) }),
);

test("every class of resources is looked at", () => {
  const exported = Object.entries(provider).flatMap(([name, one]) => ("kind" in one ? [name] : []));
  expect(classes.map(([{ type }]) => type).sort()).toEqual(exported.sort());
});

test.each(classes.map(([kind, make]) => ({ type: kind.type, kind, make })))("$type: every property is an Output", ({ kind, make }) => {
  const made = make();
  const properties = [kind.inputs, kind.outputs].flatMap(({ shape }) => Object.keys(shape));
  expect(properties.filter((key) => !Output.isInstance(Reflect.get(made, key)))).toEqual([]);
});

test("an input that was left out has the value that was filled in, or undefined", async () => {
  const made = new provider.Vpc("example", { cidrBlock: "10.0.0.0/16" });
  const values = await new Promise((resolve) => {
    Output.create([made.cidrBlock, made.vpcName, made.dnsServers] as const).apply(resolve);
  });
  expect(values).toEqual(["10.0.0.0/16", "filled-in", undefined]);
});
