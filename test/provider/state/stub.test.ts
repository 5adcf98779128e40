import {
  Cluster,
  ClusterEndpoint,
  Ipv6Block,
  Namespace,
  NodePool,
  RegistryInstance,
  SecurityGroup,
  Subnet,
  Token,
  UserPermission,
  Vpc,
} from "@container-platform/pulumi";
import { get } from "@container-platform/pulumi/host";
import { type Output, runtime } from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { z } from "zod";
import { Host } from "../../support/host.ts";

const native = { subnetIds: ["subnet-1"], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 } };

/** The texts that states hold, byte for byte. They must never change: a resource whose text has changed could no longer be managed. */
const stubs: readonly (readonly [type: string, stub: string, make: () => { readonly urn: Output<string> }])[] = [
  [
    "Vpc",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("Vpc")',
    () => new Vpc("example", { cidrBlock: "10.0.0.0/16" }),
  ],
  [
    "Ipv6Block",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("Ipv6Block")',
    () => new Ipv6Block("example", { vpcId: "vpc-1" }),
  ],
  [
    "Subnet",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("Subnet")',
    () => new Subnet("example", { vpcId: "vpc-1", cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" }),
  ],
  [
    "SecurityGroup",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("SecurityGroup")',
    () => new SecurityGroup("example", {}),
  ],
  [
    "Cluster",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("Cluster")',
    () => new Cluster("example", { vpcId: "vpc-1", subnetId: "subnet-1", clusterCidr: "172.16.0.0/16" }),
  ],
  [
    "NodePool",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("NodePool")',
    () => new NodePool("example", { clusterId: "cls-1", native }),
  ],
  [
    "ClusterEndpoint",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("ClusterEndpoint")',
    () => new ClusterEndpoint("example", { clusterId: "cls-1", isExtranet: true, securityGroup: "sg-1" }),
  ],
  [
    "UserPermission",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("UserPermission")',
    () => new UserPermission("example", { targetUin: "100000000002", clusterId: "cls-1", roleName: "svc:ro", roleType: "cluster" }),
  ],
  [
    "RegistryInstance",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("RegistryInstance")',
    () => new RegistryInstance("example", { registryName: "acme-images" }),
  ],
  [
    "Namespace",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("Namespace")',
    () => new Namespace("example", { registryId: "tcr-1", namespaceName: "team", isPublic: false }),
  ],
  [
    "Token",
    'exports.handler=()=>require("@container-platform/pulumi/host").get("Token")',
    () => new Token("example", { registryId: "tcr-1" }),
  ],
];

const privateInputs = z.looseObject({ __provider: z.string(), __urn: z.string() });

test.each(stubs)("the class %s hands this text to Pulumi", async (type, stub, make) => {
  const handed: unknown[] = [];
  await runtime.setMocks({
    newResource: (made) => {
      const { __provider, __urn } = privateInputs.parse(made.inputs);
      handed.push({ type: made.type, name: made.name, stub: __provider, urn: __urn });
      return { id: "example", state: made.inputs };
    },
    call: () => ({}),
  });
  const made = make();
  const urn = await new Promise((resolve) => {
    made.urn.apply(resolve);
  });
  const token = `pulumi-nodejs:dynamic/container-platform:${type}`;
  expect(handed).toEqual([{ type: token, name: "example", stub, urn }]);
  expect(get(type)).toHaveProperty("check");
});

test("a kind of resource that this version does not have is refused with what to do", async () => {
  expect(() => get("Volcano")).toThrow("this version of @container-platform/pulumi has no Volcano; it has ");
  await using host = await Host.start({ config: {} });
  const news = { __provider: 'exports.handler=()=>require("@container-platform/pulumi/host").get("Volcano")' };
  await expect(host.check({}, news)).rejects.toThrow(
    /^this version of .* has no Volcano; it has .*: install the version that made the stack$/,
  );
});
