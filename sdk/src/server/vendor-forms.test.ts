import { expect, test } from "vitest";
import { z } from "zod";
import { createCluster, describeClusterExtraArgs, describeClusterInstances, describeClusters } from "../catalogue/cluster.ts";
import { createSecurityPolicy, describeServiceAccounts } from "../catalogue/registry.ts";
import { createSecurityGroupPolicies, describeSecurityGroupPolicies } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { World } from "../local/store/world.ts";
import type { JsonObject } from "../operation/codec.ts";
import { connect } from "../transport/connect.ts";
import { publicCalls, region, served, textAt } from "./stage.fixture.ts";

/** What clients of the public API send and read, and the specification's form refuses or tells otherwise. */

async function start(timeScale: "instant" | "realistic" = "instant") {
  const at = await served(World.open(":memory:", { timeScale, seed: "forms" }));
  const { world, url, key } = at;
  const cloudAt = async (address: string) =>
    new Cloud({ transport: await connect(address, { credentials: key }), region, retries: { attempts: 1, pause: 0, longest: 0 } });
  return { world, call: publicCalls(at), neutral: await cloudAt(url), public: await cloudAt(`public:${url}`) };
}

type Call = Awaited<ReturnType<typeof start>>["call"];

async function vpcWith(call: Call, ...subnets: readonly string[]) {
  const vpcId = textAt(await call("vpc", "CreateVpc", { VpcName: "net", CidrBlock: "10.0.0.0/16" }), "Vpc", "VpcId");
  const subnetIds: string[] = [];
  for (const CidrBlock of subnets) {
    const subnet = { VpcId: vpcId, SubnetName: "part", CidrBlock, Zone: `${region}-1` };
    subnetIds.push(textAt(await call("vpc", "CreateSubnet", subnet), "Subnet", "SubnetId"));
  }
  return { vpcId, subnetIds };
}

const clusterIn = (more: JsonObject, others: JsonObject = {}) => ({
  ClusterType: "MANAGED_CLUSTER",
  ClusterCIDRSettings: { ClusterCIDR: "172.20.0.0/16" },
  ClusterBasicSettings: { ClusterName: "one", ...more },
  ...others,
});

async function newCluster(call: Call) {
  const { vpcId, subnetIds } = await vpcWith(call, "10.0.1.0/24");
  const clusterId = textAt(await call("tke", "CreateCluster", clusterIn({ VpcId: vpcId })), "ClusterId");
  return { vpcId, subnetId: subnetIds[0] ?? "", clusterId };
}

const nativePool = (subnetId: string) => ({
  Scaling: { MinReplicas: 0, MaxReplicas: 1 },
  SubnetIds: [subnetId],
  InstanceChargeType: "POSTPAID_BY_HOUR",
  InstanceTypes: ["S5.MEDIUM4"],
  SystemDisk: { DiskType: "CLOUD_PREMIUM", DiskSize: 50 },
});

async function newRegistry(call: Call) {
  const RegistryId = textAt(
    await call("tcr", "CreateInstance", { RegistryName: "images", RegistryType: "premium", TagSpecification: {} }),
    "RegistryId",
  );
  await call("tcr", "CreateNamespace", { RegistryId, NamespaceName: "team", IsPublic: false });
  return RegistryId;
}

test("a cluster without a subnet takes one of its VPC that has room (B4)", async () => {
  const { call, neutral } = await start();
  const { vpcId, subnetIds } = await vpcWith(call, "10.0.0.0/29", "10.0.1.0/24");
  const { ClusterId } = await call("tke", "CreateCluster", clusterIn({ VpcId: vpcId }));
  const { Clusters } = await call("tke", "DescribeClusters", { ClusterIds: [ClusterId ?? ""] });
  expect(Clusters).toMatchObject([{ ClusterNetworkSettings: { VpcId: vpcId, SubnetId: subnetIds[1] } }]);
  const para = { InstanceType: "S5.MEDIUM4", VirtualPrivateCloud: { VpcId: vpcId, SubnetId: subnetIds[1] ?? "" } };
  const nodes = [{ NodeRole: "WORKER", RunInstancesPara: [JSON.stringify(para)] }];
  const made = await call("tke", "CreateCluster", {
    ...clusterIn({}, { RunInstancesForNode: nodes }),
    ClusterCIDRSettings: { ClusterCIDR: "172.21.0.0/16" },
  });
  expect(made, "the place of its first nodes is its own").toEqual({ ClusterId: expect.any(String), RequestId: expect.any(String) });
  const small = await vpcWithSmallSubnet(call);
  expect((await call("tke", "CreateCluster", clusterIn({ VpcId: small })))["Error"]).toMatchObject({
    Code: "InvalidParameter",
    Message: `VPC ${small} has no subnet with 10 available addresses, which a cluster needs`,
  });
  const refusal = neutral.call(createCluster, { vpcId, clusterCidrSettings: { clusterCidr: "172.22.0.0/16" } });
  await expect(refusal).rejects.toMatchObject({ code: "MissingParameter", reason: "SubnetId is required" });
});

async function vpcWithSmallSubnet(call: Call) {
  const vpcId = textAt(await call("vpc", "CreateVpc", { VpcName: "small", CidrBlock: "10.9.0.0/16" }), "Vpc", "VpcId");
  await call("vpc", "CreateSubnet", { VpcId: vpcId, SubnetName: "part", CidrBlock: "10.9.0.0/29", Zone: `${region}-1` });
  return vpcId;
}

test('a cluster that was never changed has the latest operation "" (B6), and the default issuer can be given back (B11)', async () => {
  const { call } = await start();
  const { clusterId: ClusterId } = await newCluster(call);
  const read = () => call("tke", "DescribeClusterAuthenticationOptions", { ClusterId });
  const before = await read();
  expect(before).toMatchObject({ LatestOperationState: "" });
  const Issuer = "https://issuer.example";
  await call("tke", "ModifyClusterAuthenticationOptions", {
    ClusterId,
    ServiceAccounts: { Issuer, JWKSURI: `${Issuer}/keys`, UseTKEDefault: false },
  });
  await call("tke", "ModifyClusterAuthenticationOptions", { ClusterId, ServiceAccounts: { Issuer, JWKSURI: "" } });
  expect(await read()).toMatchObject({ LatestOperationState: "Success", ServiceAccounts: { Issuer, UseTKEDefault: false } });
  expect((await read())["ServiceAccounts"]).not.toHaveProperty("JWKSURI");
  const usual = { Issuer: "https://kubernetes.default.svc.cluster.local", JWKSURI: "" };
  for (let round = 0; round < 2; round++) {
    await call("tke", "ModifyClusterAuthenticationOptions", { ClusterId, ServiceAccounts: usual });
    expect(await read()).toMatchObject({ LatestOperationState: "Success", ServiceAccounts: before["ServiceAccounts"] ?? {} });
  }
});

test("DescribeClusterInstances is refused while a cluster is being created, in both versions (B7)", async () => {
  const { world, call, neutral } = await start("realistic");
  const { clusterId } = await newCluster(call);
  for (const version of ["2018-05-25", "2022-05-01"])
    expect((await call("tke", "DescribeClusterInstances", { ClusterId: clusterId }, version))["Error"]).toMatchObject({
      Code: "ResourceUnavailable.ClusterState",
    });
  expect(await neutral.call(describeClusterInstances, { clusterId })).toMatchObject({ totalCount: 0 });
  world.advance(3_600_000);
  expect(await call("tke", "DescribeClusterInstances", { ClusterId: clusterId })).toMatchObject({ TotalCount: 0 });
});

test("all four lists of arguments are told once one is set (B10)", async () => {
  const { call, neutral } = await start();
  const { clusterId: ClusterId } = await newCluster(call);
  const read = async () => (await call("tke", "DescribeClusterExtraArgs", { ClusterId }))["ClusterExtraArgs"];
  expect(await read()).toEqual({});
  await call("tke", "ModifyClusterExtraArgs", { ClusterId, ClusterExtraArgs: { KubeAPIServer: ["max-requests-inflight=500"] } });
  const set = { KubeAPIServer: ["max-requests-inflight=500"] };
  expect(await read()).toEqual({ ...set, Etcd: [], KubeControllerManager: [], KubeScheduler: [] });
  expect((await neutral.call(describeClusterExtraArgs, { clusterId: ClusterId })).clusterExtraArgs).toEqual({
    kubeApiServer: set.KubeAPIServer,
  });
});

test("a pool's scripts are told decoded (B9), and a pool that is gone has a code of the operation's own list (C1)", async () => {
  const { call, public: cloud } = await start();
  const { clusterId: ClusterId, subnetId } = await newCluster(call);
  const script = "#!/bin/sh\necho größer\n";
  const PreInit = Buffer.from(script).toString("base64");
  const Native = { ...nativePool(subnetId), Lifecycle: { PreInit, PostInit: "" }, MachineType: "" };
  const made = await call("tke", "CreateNodePool", { ClusterId, Name: "pool", Type: "Native", Native }, "2022-05-01");
  const NodePoolId = textAt(made, "NodePoolId");
  const told = z
    .array(z.object({ Native: z.object({ Lifecycle: z.json() }) }))
    .parse((await call("tke", "DescribeNodePools", { ClusterId }, "2022-05-01"))["NodePools"]);
  expect(told[0]?.Native.Lifecycle).toEqual({ PreInit: script, PostInit: "" });
  await call("tke", "DeleteNodePool", { ClusterId, NodePoolId }, "2022-05-01");
  expect((await call("tke", "DescribeClusterNodePoolDetail", { ClusterId, NodePoolId }))["Error"]).toMatchObject({
    Code: "InternalError.DbRecordNotFound",
  });
  await expect(cloud.call(describeClusterInstances, { clusterId: "cls-none0000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("an IP allowlist takes what the vendor's example sends (B13) and host bits (B14), but no /0", async () => {
  const { call, neutral } = await start();
  const RegistryId = await newRegistry(call);
  await call("tcr", "ManageExternalEndpoint", { RegistryId, Operation: "Create" });
  const added = await call("tcr", "CreateMultipleSecurityPolicy", {
    RegistryId,
    SecurityGroupPolicySet: [{ PolicyIndex: 0, PolicyVersion: "1", CidrBlock: "10.0.0.1/24", Description: "" }],
  });
  expect(added).toMatchObject({ RegistryId });
  const read = await call("tcr", "DescribeSecurityPolicies", { RegistryId });
  expect(read["SecurityPolicySet"]).toMatchObject([{ CidrBlock: "10.0.0.1/24" }]);
  for (const CidrBlock of ["0.0.0.0/0", "10.0.0.1/0"])
    expect(await call("tcr", "CreateSecurityPolicy", { RegistryId, CidrBlock, Description: "" })).toMatchObject({
      Error: { Code: "InvalidParameter", Message: expect.stringContaining("lets everyone in") },
    });
  const bits = neutral.call(createSecurityPolicy, { registryId: RegistryId, cidrBlock: "10.1.0.1/24", description: "" });
  await expect(bits).rejects.toMatchObject({ reason: expect.stringContaining("bits behind its prefix") });
});

test("lists of a registry take pages of 200 (B15), and service accounts have their permissions (B17) and tags (C3)", async () => {
  const { call, neutral } = await start();
  const RegistryId = await newRegistry(call);
  for (const action of ["DescribeNamespaces", "DescribeRepositories", "DescribeInstanceToken"])
    expect(await call("tcr", action, { RegistryId, Limit: 200 }), action).toHaveProperty("TotalCount");
  expect(await call("tcr", "DescribeNamespaces", { RegistryId, Limit: 201 })).toHaveProperty("Error");
  const Permissions = [{ Resource: "team", Actions: ["tcr:PullRepository"] }];
  await call("tcr", "CreateServiceAccount", { RegistryId, Name: "bot", Permissions, Duration: 10, ExpiresAt: 0 });
  const listed = await call("tcr", "DescribeServiceAccounts", {
    RegistryId,
    Filters: [{ Name: "ServiceAccountName", Values: ["tcr$bot"] }],
  });
  expect(listed["ServiceAccounts"]).toMatchObject([{ Name: "tcr$bot", Permissions }]);
  expect((await neutral.call(describeServiceAccounts, { registryId: RegistryId })).serviceAccounts).toMatchObject([{ permissions: [] }]);
  const Resource = `qcs::tcr:${region}:uin/:instance/${RegistryId}#bot`;
  const tags = [{ TagKey: "team", TagValue: "a" }];
  expect(await call("tag", "ModifyResourceTags", { Resource, ReplaceTags: tags })).not.toHaveProperty("Error");
  expect((await call("tag", "GetResources", { ResourceList: [Resource] }))["ResourceTagMappingList"]).toMatchObject([{ Tags: tags }]);
  expect((await call("tag", "ModifyResourceTags", { Resource: `${Resource}2`, ReplaceTags: tags }))["Error"]).toMatchObject({
    Code: "ResourceNotFound",
  });
});

test("a rule tells what it has not as empty (B1), can be sent as it was read (B2), and is read as before", async () => {
  const { call, public: cloud } = await start();
  const group = await call("vpc", "CreateSecurityGroup", { GroupName: "guard", GroupDescription: "" });
  const SecurityGroupId = textAt(group, "SecurityGroup", "SecurityGroupId");
  const none = { ServiceTemplate: {}, AddressTemplate: {}, SecurityGroupId: "", Ipv6CidrBlock: "" };
  const rule = { ...none, Protocol: "TCP", Port: "443", CidrBlock: "10.0.0.0/8", Action: "ACCEPT" };
  const added = await call("vpc", "CreateSecurityGroupPolicies", { SecurityGroupId, SecurityGroupPolicySet: { Ingress: [rule] } });
  expect(added).not.toHaveProperty("Error");
  const told = await call("vpc", "DescribeSecurityGroupPolicies", { SecurityGroupId });
  const set = z.object({ Ingress: z.array(z.record(z.string(), z.json())) }).parse(told["SecurityGroupPolicySet"]);
  const templates = {
    ServiceTemplate: { ServiceId: "", ServiceGroupId: "" },
    AddressTemplate: { AddressId: "", AddressGroupId: "" },
  };
  const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
  expect(set.Ingress).toMatchObject([{ ...rule, ...templates, PolicyIndex: 0, ModifyTime: expect.stringMatching(time) }]);
  const { securityGroupPolicySet } = await cloud.call(describeSecurityGroupPolicies, { securityGroupId: SecurityGroupId });
  const { ingress: [read] = [] } = securityGroupPolicySet;
  expect(read).toEqual({
    policyIndex: 0,
    protocol: "TCP",
    port: "443",
    cidrBlock: "10.0.0.0/8",
    action: "ACCEPT",
    policyDescription: "",
    modifyTime: expect.any(String),
  });
  const [{ PolicyIndex: _, ...again } = {}] = set.Ingress;
  const deleted = await call("vpc", "DeleteSecurityGroupPolicies", { SecurityGroupId, SecurityGroupPolicySet: { Ingress: [again] } });
  expect(deleted).toEqual({ RequestId: expect.any(String) });
  expect(await call("vpc", "DescribeSecurityGroupPolicies", { SecurityGroupId })).not.toHaveProperty("SecurityGroupPolicySet.Ingress.0");
});

/** Rules such as `TCP 10.0.0.0/8 443 DROP`. */
const rulesIn = (text: string) =>
  text.split(", ").map((one) => {
    const [Protocol = "", range = "", Port = "ALL", Action = "ACCEPT"] = one.split(" ");
    return { Protocol, Port, [range.includes(":") ? "Ipv6CidrBlock" : "CidrBlock"]: range, Action };
  });

async function guarded(call: Call, Ingress: string, Egress: string) {
  const group = await call("vpc", "CreateSecurityGroup", { GroupName: "guard", GroupDescription: "" });
  const SecurityGroupId = textAt(group, "SecurityGroup", "SecurityGroupId");
  const SecurityGroupPolicySet = { Ingress: rulesIn(Ingress), Egress: rulesIn(Egress) };
  await call("vpc", "ModifySecurityGroupPolicies", { SecurityGroupId, SecurityGroupPolicySet });
  return { SecurityGroupId };
}

const some = (count: number) => Array<object>(count).fill({});
const set = (ingress: number, egress: number) => ({ SecurityGroupPolicySet: { Ingress: some(ingress), Egress: some(egress) } });
const refusal = (message: string) => ({ Error: { Message: expect.stringContaining(message) } });
const ofRules = ["vpc", "DescribeSecurityGroupPolicies"] as const;

test.each([
  [...ofRules, "direction", "INBOUND", set(2, 0)],
  [...ofRules, "direction", "OUTBOUND", set(0, 1)],
  [...ofRules, "direction", "ALL", set(2, 1)],
  [...ofRules, "direction", "IN", refusal('filter direction has "IN"; it takes ALL, INBOUND, OUTBOUND')],
  [...ofRules, "direction", "ingress", refusal('the public API has no Filters[].Values[] "ingress"; give "INBOUND"')],
  [...ofRules, "poly", "ALL", set(2, 1)],
  [...ofRules, "poly", "REJECT", refusal('filter poly has "REJECT"; it takes ALL, ACCEPT, DROP')],
  [...ofRules, "protocol-type", "SCTP", refusal("it takes TCP, UDP, ICMP, ICMPV6, GRE, ALL")],
  [...ofRules, "port", "44", set(1, 0)],
  [...ofRules, "port", "ALL", set(2, 1)],
  ["vpc", "DescribeSubnets", "is-default", "FALSE", { TotalCount: 1 }],
  ["vpc", "DescribeSubnets", "is-default", "no", refusal('filter is-default has "no"; it takes true, false, TRUE, FALSE')],
  ["vpc", "DescribeSubnets", "cidr-block", "10.0.1.0", { TotalCount: 1 }],
  ["vpc", "DescribeRouteTables", "association.main", "TRUE", { TotalCount: 1 }],
  ["tke", "DescribeClusterInstances", "nodepool-instance-type", "NONE", refusal("it takes ALL, MANUALLY_ADDED, AUTOSCALING_ADDED")],
  ["tke", "DescribeClusterNodePools", "Tags", "team:a", { TotalCount: 0 }],
] as const)("%s %s by %s %s", async (product, action, Name, value, told) => {
  const { call } = await start();
  const { clusterId: ClusterId } = await newCluster(call);
  const group = await guarded(call, "TCP 10.0.0.0/8 8443, TCP 10.0.0.0/8", "TCP 10.0.0.0/8 22 DROP");
  const owner = action === "DescribeSecurityGroupPolicies" ? group : product === "tke" ? { ClusterId } : {};
  expect(await call(product, action, { ...owner, Filters: [{ Name, Values: [value] }] })).toMatchObject(told);
});

test("a rule takes ICMPV6 in either spelling, single addresses, told as sent, and 0.0.0.0/n for 0.0.0.0/0", async () => {
  const { call, neutral } = await start();
  const kept = "ICMPv6 2001:db8:7::/48, TCP 10.0.2.1, TCP 10.0.2.2/32, TCP 10.0.0.0/8";
  const group = await guarded(call, `ICMPV6 2001:db8::/48, TCP 2001:DB8::1, ${kept}, UDP 0.0.0.0, TCP 0.0.0.0/8`, "TCP 10.0.0.0/8");
  const ingress = [{ protocol: "ALL", cidrBlock: "0.0.0.0/8", action: "ACCEPT" }];
  // The specification's form keeps the prefix.
  await neutral.call(createSecurityGroupPolicies, { securityGroupId: group.SecurityGroupId, securityGroupPolicySet: { ingress } });
  const told = `ICMPv6 2001:db8::/48, TCP 2001:db8::1, ${kept}, UDP 0.0.0.0/0, TCP 0.0.0.0/0, ALL 0.0.0.0/8`;
  const answer = await call("vpc", "DescribeSecurityGroupPolicies", group);
  expect(answer).toMatchObject({ SecurityGroupPolicySet: { Ingress: rulesIn(told) } });
  const again = { ...group, SecurityGroupPolicySet: { Ingress: rulesIn("TCP 10.0.2.1/32") } };
  expect(await call("vpc", "CreateSecurityGroupPolicies", again)).toMatchObject(refusal("there would be two ingress rules"));
});

test("a VPC-CNI cluster tells a subnet that its call named, and takes settings of first nodes without disks", async () => {
  const { call, neutral } = await start();
  const { vpcId: VpcId, subnetIds } = await vpcWith(call, "10.0.1.0/24");
  const [SubnetId = ""] = subnetIds;
  const pods = { ClusterCIDRSettings: { EniSubnetIds: subnetIds }, ClusterAdvancedSettings: { NetworkType: "VPC-CNI" } };
  const noDisks = { InstanceDataDiskMountSettings: [{ InstanceType: "S5.MEDIUM4", Zone: `${region}-1` }] };
  for (const named of [{}, { SubnetId }]) {
    const made = textAt(await call("tke", "CreateCluster", clusterIn({ VpcId, ...named }, { ...pods, ...noDisks })), "ClusterId");
    const { Clusters } = await call("tke", "DescribeClusters", { ClusterIds: [made] });
    expect(Clusters).toMatchObject([{ ClusterNetworkSettings: { SubnetId: "", ...named } }]);
    const { clusters } = await neutral.call(describeClusters, { clusterIds: [made] });
    expect(clusters[0]?.clusterNetworkSettings.subnetId).toBe(SubnetId);
  }
});

test("0 replicas of a pool with a minimum are not set", async () => {
  const { call } = await start();
  const { clusterId, subnetId } = await newCluster(call);
  const pools = (action: string, body: JsonObject = {}) => call("tke", action, { ClusterId: clusterId, ...body }, "2022-05-01");
  const Native = { ...nativePool(subnetId), Scaling: { MinReplicas: 1, MaxReplicas: 3 }, Replicas: 0 };
  const NodePoolId = textAt(await pools("CreateNodePool", { Name: "pool", Type: "Native", Native }), "NodePoolId");
  expect(await pools("DescribeNodePools")).toMatchObject({ NodePools: [{ Native: { Replicas: 1 } }] });
  for (const Replicas of [2, 0]) await pools("ModifyNodePool", { NodePoolId, Native: { Replicas, AutoRepair: true } });
  expect(await pools("DescribeNodePools")).toMatchObject({ NodePools: [{ Native: { Replicas: 2, AutoRepair: true } }] });
  await pools("ModifyNodePool", { NodePoolId, Native: { Scaling: { MinReplicas: 0 }, Replicas: 0 } });
  expect(await pools("DescribeNodePools")).toMatchObject({ NodePools: [{ Native: { Replicas: 0 } }] });
});
