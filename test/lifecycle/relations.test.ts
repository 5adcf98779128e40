import { Cluster, NodePool, Platform, Repository, SecurityGroup, Subnet, UserPermission, Vpc } from "@container-platform/pulumi";
import { all, ComponentResource, type CustomResourceOptions, output, runtime, secret } from "@pulumi/pulumi";
import { afterEach, expect, test, vi } from "vitest";
import { childrenOf } from "../../provider/src/components/children.ts";
import { oneNode } from "../provider/stage/outside.ts";
import type { Props } from "../support/structs.ts";

/** A resource of a program tells its provider what Pulumi keeps to itself: which resources its arguments are of, and what its options name. */

afterEach(() => vi.unstubAllEnvs());

/** The inputs that resources hand over from now on, by name. Each has the ID that is made of its name. */
async function handedOver(idOf: (name: string) => string): Promise<ReadonlyMap<string, Props>> {
  const told = new Map<string, Props>();
  await runtime.setMocks({
    newResource: ({ name, inputs }: { readonly name: string; readonly inputs: Props }) => {
      told.set(name, inputs);
      return { id: idOf(name), state: inputs };
    },
    call: () => ({}),
  });
  return told;
}

/** Those of them that are Pulumi's own, and have one of these names. */
function ownOf(told: ReadonlyMap<string, Props>, name: string, keys: RegExp): Props {
  return Object.fromEntries(Object.entries(told.get(name) ?? {}).filter(([key]) => keys.test(key)));
}

const urnOf = (type: string, name: string) => `urn:pulumi:stack::project::pulumi-nodejs:dynamic/container-platform:${type}::${name}`;

test("what arguments are outputs of, at any depth, and the options that concern others", async () => {
  const told = await handedOver((name) => `${name}-00000001`);
  const zone = "eu-frankfurt-1";
  const net = new Vpc("net", { cidrBlock: "10.0.0.0/16" }, { deleteBeforeReplace: false, retainOnDelete: true });
  const { vpcId } = net;
  const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone }, { deletedWith: net });
  const group = new SecurityGroup("group", {}, { dependsOn: [net], deleteBeforeReplace: true, retainOnDelete: false });
  const cluster = new Cluster("platform", { vpcId: "vpc-00000001", subnetId, eniSubnetIds: ["subnet-00000001", subnetId] });
  const native = { ...oneNode(subnetId), securityGroupIds: [group.securityGroupId] };
  const pool = new NodePool("workers", { clusterId: cluster.clusterId, native }, { parent: cluster });
  const { clusterId } = cluster;
  const last = new UserPermission(
    "last",
    { targetUin: "100000000002", clusterId, roleName: "svc:ro", roleType: "cluster" },
    { dependsOn: pool },
  );
  const component = new ComponentResource("test:index:Group", "component");
  const repository = { registryId: "tcr-00000001", namespaceName: "team", repositoryName: "web" };
  new Vpc("with", { cidrBlock: "10.1.0.0/16" }, { deletedWith: component });
  const after = new Repository("after", repository, { dependsOn: component });
  const child = new Repository("child", repository, { parent: net });
  // Of two resources, none is the one that the value comes from.
  const ofBoth = all([vpcId, subnetId]).apply(([id]) => id);
  const both = new Subnet("both", { vpcId: ofBoth, cidrBlock: "10.0.16.0/20", zone });
  await Promise.all([last, after, child, both].map(({ urn }) => new Promise((resolve) => void urn.apply(resolve))));
  const relations = (name: string) => ownOf(told, name, /^__(of|after|first|kept|with)$/);
  const [netUrn, nodesUrn, clusterUrn] = [urnOf("Vpc", "net"), urnOf("Subnet", "nodes"), urnOf("Cluster", "platform")];
  expect(relations("net")).toEqual({ __first: false, __kept: true });
  expect(relations("nodes")).toEqual({ __of: { vpcId: netUrn }, __with: netUrn });
  expect(relations("group")).toEqual({ __after: [netUrn], __first: true });
  expect(relations("with")).toEqual({ __with: "urn:pulumi:stack::project::test:index:Group::component" });
  // What a component waits for is not told.
  expect(relations("after")).toMatchObject({ __after: [""] });
  expect([relations("child"), relations("both")]).toEqual([{ __after: [netUrn], __of: {} }, { __of: {} }]);
  expect(relations("platform")).toMatchObject({ __of: { subnetId: nodesUrn, "eniSubnetIds.1": nodesUrn } });
  expect(relations("workers")).toMatchObject({ __of: { clusterId: clusterUrn, "native.subnetIds.0": nodesUrn } });
  expect(relations("last")).toMatchObject({ __of: { clusterId: clusterUrn }, __after: [expect.stringMatching(/NodePool::workers$/)] });
});

test("what is given as a secret, at any depth, the time-outs, and the ID of an existing resource", async () => {
  const told = await handedOver(() => "vpc-00000001");
  const [cidrBlock, plain] = ["10.0.0.0/16", output(["10.0.0.2"])];
  const hidden = { vpcName: secret("x"), tags: { a: Promise.resolve("y"), b: secret("z") } };
  const made = new Vpc("made", { cidrBlock, dnsServers: plain, ...hidden }, { customTimeouts: { create: "5m" } });
  const open = new Vpc("open", { cidrBlock, dnsServers: plain });
  const imported = new Vpc("imported", { cidrBlock }, { import: "vpc-00000002" });
  const read = Vpc.get("read", "vpc-00000001");
  const ids = await Promise.all([made, open, imported, read].map(({ vpcId }) => new Promise((resolve) => void vpcId.apply(resolve))));
  expect(ids).toEqual(["vpc-00000001", "vpc-00000001", "vpc-00000002", "vpc-00000001"]);
  const handed = (name: string) => ownOf(told, name, /^__(veiled|timeouts|adopt|get)$/);
  expect(handed("made")).toEqual({ __veiled: ["vpcName", "tags"], __timeouts: { create: "5m" } });
  expect([handed("open"), handed("imported"), handed("read")]).toEqual([{}, { __adopt: "vpc-00000002" }, { __get: true }]);
});

test("a transform that changes one node pool of a platform in place changes no other", async () => {
  const told = await handedOver((name) => name);
  vi.stubEnv("CONTAINER_PLATFORM_REGION", "eu-frankfurt");
  vi.stubEnv("CONTAINER_PLATFORM_ENDPOINT", "local::memory:");
  const pool = { instanceTypes: ["SA5.MEDIUM4"] };
  const platform = new Platform("prod", {
    network: { zones: ["eu-frankfurt-1"], dualStack: false },
    nodePools: { apps: pool, gpu: pool },
    transform: {
      nodePool: ({ native }, _, name) => {
        if (name === "prod-gpu" && "securityGroupIds" in native && Array.isArray(native.securityGroupIds))
          native.securityGroupIds.push("sg-5d20b7c4");
      },
    },
  });
  const pools = Object.values(platform.nodePools);
  await Promise.all(pools.map(({ urn }) => new Promise((resolve) => void urn.apply(resolve))));
  const groups = ["prod-apps", "prod-gpu"].map((name) => (told.get(name)?.["native"] as Props)["securityGroupIds"]);
  expect(groups).toEqual([[expect.anything()], [expect.anything(), "sg-5d20b7c4"]]);
});

test("a transform of a component's child gets aliases only if the child has some", async () => {
  await handedOver((name) => name);
  const seen: CustomResourceOptions["aliases"][] = [];
  const transform = { vpc: (_: object, { aliases }: CustomResourceOptions) => void seen.push(aliases) };
  const args = { cidrBlock: "10.0.0.0/16" };
  childrenOf(new ComponentResource("test:Parent", "one"), { transform }).make("vpc", { name: "one", args });
  childrenOf(new ComponentResource("test:Parent", "two"), { transform, childAliases: { vpc: "old" } }).make("vpc", { name: "two", args });
  expect(seen).toEqual([undefined, [expect.objectContaining({ name: "old" })]]);
});
