import * as provider from "@container-platform/pulumi";
import { Output, runtime } from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";

const { Vpc, Ipv6Block, SecurityGroup, Subnet, Cluster, NodePool, ClusterEndpoint, UserPermission, RegistryInstance, Namespace, Token } =
  provider;
/** Each class, and how one is made of which the program gives no input. */
const classes = [
  [Vpc.kind, () => Vpc.get("thing", "thing-1")],
  [Ipv6Block.kind, () => Ipv6Block.get("thing", "thing-1")],
  [SecurityGroup.kind, () => SecurityGroup.get("thing", "thing-1")],
  [Subnet.kind, () => Subnet.get("thing", "thing-1")],
  [Cluster.kind, () => Cluster.get("thing", "thing-1")],
  [NodePool.kind, () => NodePool.get("thing", "thing-1")],
  [ClusterEndpoint.kind, () => ClusterEndpoint.get("thing", "thing-1")],
  [UserPermission.kind, () => UserPermission.get("thing", "thing-1")],
  [RegistryInstance.kind, () => RegistryInstance.get("thing", "thing-1")],
  [Namespace.kind, () => Namespace.get("thing", "thing-1")],
  [Token.kind, () => Token.get("thing", "thing-1")],
] as const;

beforeAll(() =>
  runtime.setMocks({ newResource: ({ inputs }) => ({ id: "thing-1", state: { ...inputs, vpcName: "filled-in" } }), call: () => ({}) }),
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
  const made = new Vpc("thing", { cidrBlock: "10.0.0.0/16" });
  const values = await new Promise((resolve) => {
    Output.create([made.cidrBlock, made.vpcName, made.dnsServers] as const).apply(resolve);
  });
  expect(values).toEqual(["10.0.0.0/16", "filled-in", undefined]);
});
