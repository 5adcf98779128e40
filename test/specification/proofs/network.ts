import * as audit from "@container-platform/sdk/audit";
import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import * as vpc from "@container-platform/sdk/vpc";
import { complaintOf, putInstance, putKeyPair, putRouteTable } from "@container-platform/sdk/local";
import { expect } from "vitest";
import { inSection, type Proof } from "../proof.ts";
import {
  type Body,
  clusterIn,
  clusterWithNodes,
  codeOf,
  groupIn,
  nativeSettings,
  networkIn,
  refuses,
  type Stage,
  subnetIn,
  vpcIn,
} from "../proof-stage.ts";

const resources = inSection("Resources and their fields / Network resources");
const operations = inSection("Endpoints / Network, zone and audit operations");
const states = inSection("States and transitions / State values");
const errors = inSection("Errors");
const limits = inSection("Limits");

async function describedVpc({ cloud }: Stage, vpcId: string) {
  return (await cloud.call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet[0];
}

export const networkProofs: readonly Proof[] = [
  {
    title: "a VPC is created with a name and a CIDR block, gets a /56 once, and is returned with its fields",
    shows: [
      ...resources("VPC"),
      ...operations("CreateVpc (vpc)", "DescribeVpcs (vpc)", "AssignIpv6CidrBlock (vpc)"),
      ...limits("IPv6 per VPC"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const made = await stage.send("vpc", "CreateVpc", { VpcName: "net ä€😀", CidrBlock: "10.0.0.0/16" });
      expect(made).toMatchObject({
        Vpc: { VpcId: expect.stringMatching(/^vpc-/), VpcName: "net ä€😀", CidrBlock: "10.0.0.0/16", EnableRouteVpcPublishIpv6: false },
      });
      const [listed] = (await cloud.call(vpc.describeVpcs, {})).vpcSet;
      const vpcId = listed?.vpcId ?? "";
      expect([listed?.vpcName, listed?.cidrBlock, listed?.ipv6CidrBlock]).toEqual(["net ä€😀", "10.0.0.0/16", undefined]);
      const { ipv6CidrBlock } = await cloud.call(vpc.assignIpv6CidrBlock, { vpcId });
      expect(ipv6CidrBlock).toMatch(/\/56$/);
      expect((await describedVpc(stage, vpcId))?.ipv6CidrBlock).toBe(ipv6CidrBlock);
      await refuses(cloud.call(vpc.assignIpv6CidrBlock, { vpcId }), "LimitExceeded.CidrBlock");
    },
  },
  {
    title: "an allow-listed account can enable CIDR route publishing, which does not assign an IPv6 block",
    shows: operations("CreateVpc (vpc)"),
    run: async (stage) => {
      const { cloud } = stage;
      const made = await cloud.call(vpc.createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16", enableRouteVpcPublishIpv6: true });
      expect([made.vpc.enableRouteVpcPublishIpv6, made.vpc.ipv6CidrBlock]).toEqual([true, undefined]);
    },
  },
  {
    title: "names of VPCs and subnets have 1 to 60 characters",
    shows: [...limits("VpcName, SubnetName length"), ...resources("VPC", "Subnet")],
    run: async (stage) => {
      const { cloud, region } = stage;
      const make = (vpcName: string, cidrBlock: string) => cloud.call(vpc.createVpc, { vpcName, cidrBlock });
      await refuses(make("", "10.1.0.0/16"), "InvalidParameterValue.Empty");
      await refuses(make("n".repeat(61), "10.1.0.0/16"), "InvalidParameterValue.TooLong");
      await make("n".repeat(60), "10.1.0.0/16");
      const { vpcId } = (await make("n", "10.0.0.0/16")).vpc;
      const part = (subnetName: string, third: number) =>
        cloud.call(vpc.createSubnet, { vpcId, subnetName, cidrBlock: `10.0.${third}.0/24`, zone: `${region}-1` });
      await refuses(part("", 0), "InvalidParameterValue.Empty");
      await refuses(part("s".repeat(61), 0), "InvalidParameterValue.TooLong");
      await part("s".repeat(60), 0);
      await part("s", 1);
    },
  },
  {
    title: "a subnet is inside the CIDR block of its VPC, in a zone, and returns its free addresses",
    shows: [...resources("Subnet"), ...operations("CreateSubnet (vpc)", "DescribeSubnets (vpc)")],
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const vpcId = await vpcIn(stage);
      const Zone = `${region}-1`;
      const made = await stage.send("vpc", "CreateSubnet", { VpcId: vpcId, SubnetName: "part", CidrBlock: "10.0.0.0/28", Zone });
      expect(made).toMatchObject({ Subnet: { SubnetId: expect.stringMatching(/^subnet-/), VpcId: vpcId, CidrBlock: "10.0.0.0/28" } });
      const outside = cloud.call(vpc.createSubnet, { vpcId, subnetName: "part", cidrBlock: "10.1.0.0/24", zone: Zone });
      await refuses(outside, "InvalidParameterValue.SubnetRange");
      const list = async (...values: string[]) =>
        (await cloud.call(vpc.describeSubnets, { filters: [{ name: "vpc-id", values }] })).subnetSet;
      const [listed] = await list(vpcId);
      expect(listed).toMatchObject({ vpcId, subnetName: "part", zone: Zone, cidrBlock: "10.0.0.0/28", availableIpAddressCount: 13 });
      await putInstance(world, { region, vpcId, subnetId: listed?.subnetId ?? "" });
      expect((await list(vpcId))[0]?.availableIpAddressCount).toBe(12);
      expect(await list("vpc-00000000")).toEqual([]);
      const wrong = cloud.call(vpc.describeSubnets, { filters: [{ name: "VpcId", values: [vpcId] }] });
      await refuses(wrong, "InvalidParameter");
    },
  },
  {
    title: "a subnet has one IPv6 CIDR block, a /64 inside the /56 of the VPC",
    shows: [
      ...resources("Subnet"),
      ...operations("AssignIpv6SubnetCidrBlock (vpc)"),
      ...limits("IPv6 per VPC"),
      ...operations("paragraph 1"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const { vpcId, subnetId } = await networkIn(stage);
      const assign = (ipv6SubnetCidrBlock: string, of = subnetId) =>
        cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId: of, ipv6SubnetCidrBlock }] });
      await refuses(assign("2001:db8::/64"), "InvalidParameterValue.SubnetRange");
      const { ipv6CidrBlock } = await cloud.call(vpc.assignIpv6CidrBlock, { vpcId });
      const base = ipv6CidrBlock.replace(/\/56$/, "");
      await refuses(assign(`${base}/60`), "InvalidParameterValue.SubnetRange");
      await refuses(assign("2001:db8:ffff::/64"), "InvalidParameterValue.SubnetRange");
      const { ipv6SubnetCidrBlockSet } = await assign(`${base}/64`);
      expect(ipv6SubnetCidrBlockSet).toMatchObject([{ subnetId, ipv6SubnetCidrBlock: `${base}/64` }]);
      await refuses(assign(`${base}/64`), "LimitExceeded.SubnetCidrBlock");
      await refuses(assign(`${base}/64`, await subnetIn(stage, vpcId, 1)), "InvalidParameter.SubnetConflict");
    },
  },
  {
    title: "a dual-stack cluster is created in the order VPC, IPv6 block, subnet, /64, cluster, and not without the /64",
    shows: operations("paragraph 1"),
    run: async (stage) => {
      const { cloud } = stage;
      const { vpcId, subnetId } = await networkIn(stage);
      const create = () =>
        cloud.call(cluster.createCluster, {
          vpcId,
          subnetId,
          clusterCidrSettings: { eniSubnetIds: [subnetId], serviceCidr: "192.168.0.0/17" },
          clusterAdvancedSettings: { networkType: "VPC-CNI", isDualStack: true },
        });
      await refuses(create(), "InvalidParameter");
      const { ipv6CidrBlock } = await cloud.call(vpc.assignIpv6CidrBlock, { vpcId });
      await refuses(create(), "InvalidParameter");
      const ipv6SubnetCidrBlock = ipv6CidrBlock.replace(/\/56$/, "/64");
      await cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ipv6SubnetCidrBlock }] });
      const { clusterId } = await create();
      const [made] = (await cloud.call(cluster.describeClusters, { clusterIds: [clusterId] })).clusters;
      expect(made?.clusterNetworkSettings).toMatchObject({ isDualStack: true, ipv6ServiceCidr: expect.stringMatching(/^fd/) });
    },
  },
  {
    title: "CIDR blocks of VPCs do not overlap, and CIDR blocks of subnets in a VPC do not overlap",
    shows: [...errors("InvalidParameter.VpcCidrConflict", "InvalidParameter.SubnetConflict"), ...limits("VPC CIDR")],
    run: async (stage) => {
      await vpcIn(stage, "10.32.0.0/16");
      const vpcId = await vpcIn(stage);
      await vpcIn(stage, "10.48.0.0/16");
      for (const range of ["10.0.0.0/16", "10.0.128.0/17", "10.0.0.0/12"])
        await refuses(vpcIn(stage, range), "InvalidParameter.VpcCidrConflict", `10.0.0.0/16 of ${vpcId}`);
      await vpcIn(stage, "10.16.0.0/16");
      await stage.cloudIn("ap-singapore").call(vpc.createVpc, { vpcName: "elsewhere", cidrBlock: "10.0.0.0/16" });
      const subnetId = await subnetIn(stage, vpcId, 2);
      for (const third of [4, 5]) await subnetIn(stage, vpcId, third);
      for (const prefix of [24, 25, 23]) await refuses(subnetIn(stage, vpcId, 2, prefix), "InvalidParameter.SubnetConflict", subnetId);
      await refuses(subnetIn(stage, vpcId, 0, 20), "InvalidParameter.SubnetConflict");
      await subnetIn(stage, vpcId, 1);
    },
  },
  {
    title: "the CIDR block of a VPC cannot be changed; subnets can be added to a VPC with a cluster",
    shows: limits("VPC CIDR"),
    run: async (stage) => {
      const { vpcId } = await clusterIn(stage);
      const change = stage.send("vpc", "ModifyVpcAttribute", { VpcId: vpcId, CidrBlock: "10.0.0.0/15" });
      await refuses(change, "InvalidParameter", "CidrBlock");
      expect((await describedVpc(stage, vpcId))?.cidrBlock).toBe("10.0.0.0/16");
      await subnetIn(stage, vpcId, 7);
    },
  },
  {
    title: "subnets are deleted before their VPC; subnets, other route tables and used security groups block its deletion",
    shows: [...operations("DeleteSubnet / DeleteVpc (vpc)"), ...errors("ResourceInUse")],
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const { vpcId, subnetId } = await networkIn(stage);
      const drop = () => cloud.call(vpc.deleteVpc, { vpcId });
      await refuses(drop(), "ResourceInUse", subnetId);
      const securityGroupId = await groupIn(stage);
      const instanceId = await putInstance(world, { region, vpcId, subnetId, securityGroupIds: [securityGroupId] });
      for (const id of [subnetId, instanceId, securityGroupId]) await refuses(drop(), "ResourceInUse", id);
      await refuses(cloud.call(vpc.deleteSubnet, { subnetId }), "ResourceInUse");
      const other = await vpcIn(stage, "10.1.0.0/16");
      const table = await putRouteTable(world, { region, vpcId: other, name: "own" });
      await refuses(cloud.call(vpc.deleteVpc, { vpcId: other }), "ResourceInUse", table);
      const empty = await vpcIn(stage, "10.2.0.0/16");
      const part = (await cloud.call(vpc.createSubnet, { vpcId: empty, subnetName: "s", cidrBlock: "10.2.0.0/24", zone: `${region}-1` }))
        .subnet.subnetId;
      await cloud.call(vpc.deleteSubnet, { subnetId: part });
      await cloud.call(vpc.deleteVpc, { vpcId: empty });
      await refuses(cloud.call(vpc.deleteVpc, { vpcId: empty }), "ResourceNotFound");
    },
  },
  {
    title: "a new security group is without rules, and allows traffic only after a rule accepts it",
    shows: [...resources("Security group"), ...operations("CreateSecurityGroup (vpc)")],
    run: async (stage) => {
      const made = await stage.send("vpc", "CreateSecurityGroup", { GroupName: "guard", GroupDescription: "front" });
      expect(made).toMatchObject({
        SecurityGroup: { SecurityGroupId: expect.stringMatching(/^sg-/), GroupName: "guard", GroupDescription: "front" },
      });
      const [group] = (await stage.cloud.call(vpc.describeSecurityGroups, {})).securityGroupSet;
      const { securityGroupPolicySet } = await stage.cloud.call(vpc.describeSecurityGroupPolicies, {
        securityGroupId: group?.securityGroupId ?? "",
      });
      expect(securityGroupPolicySet).toMatchObject({ egress: [], ingress: [] });
    },
  },
  {
    title: "the security group of a public endpoint controls access: a new group denies all clients, and a rule allows its clients",
    shows: resources("Security group", "Security group policy set"),
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const { clusterId } = await clusterWithNodes(stage);
      const securityGroup = await groupIn(stage);
      await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
      stage.pass(1.5);
      const { kubeconfig } = await cloud.call(cluster.describeClusterKubeconfig, { clusterId, isExtranet: true });
      const met = () => ["203.0.113.7", "203.0.113.8"].map((clientIp) => complaintOf(world, { region, kubeconfig, clientIp }));
      const rule = { protocol: "TCP", port: "443", cidrBlock: "203.0.113.7/32", action: "ACCEPT" };
      const add = (set: object) =>
        cloud.call(vpc.createSecurityGroupPolicies, { securityGroupId: securityGroup, securityGroupPolicySet: set });
      expect(met()).toEqual(["timeout", "timeout"]);
      await add({ egress: [rule] });
      await add({ ingress: [{ ...rule, port: "80" }] });
      expect(met()).toEqual(["timeout", "timeout"]);
      await add({ ingress: [rule] });
      expect(met()).toEqual([undefined, "timeout"]);
      await add({ ingress: [{ ...rule, policyIndex: 0, cidrBlock: "203.0.113.0/24", action: "DROP" }] });
      expect(met()).toEqual(["timeout", "timeout"]);
    },
  },
  {
    title: "a call sets rules of one direction; both directions together return Coexist",
    shows: [
      ...resources("Security group policy set"),
      ...operations("CreateSecurityGroupPolicies (vpc)"),
      ...errors("InvalidParameter.Coexist"),
    ],
    run: async (stage) => {
      const SecurityGroupId = await groupIn(stage);
      const all = { Protocol: "ALL", Port: "ALL", CidrBlock: "10.0.0.0/8", Action: "ACCEPT", PolicyDescription: "inside" };
      const add = (SecurityGroupPolicySet: Body) =>
        stage.send("vpc", "CreateSecurityGroupPolicies", { SecurityGroupId, SecurityGroupPolicySet });
      await refuses(add({ Egress: [all], Ingress: [all] }), "InvalidParameter.Coexist");
      await refuses(add({}), "MissingParameter");
      const web = { Protocol: "TCP", Port: "443", CidrBlock: "203.0.113.0/24", Action: "DROP", PolicyDescription: "nobody of there" };
      const none = { Egress: [], Ingress: [] };
      const told = async () => (await stage.send("vpc", "DescribeSecurityGroupPolicies", { SecurityGroupId }))["SecurityGroupPolicySet"];
      expect(await told()).toMatchObject(none);
      await add({ Egress: [all] });
      expect(await told()).toMatchObject({ ...none, Egress: [all] });
      await add({ Ingress: [web, all] });
      expect(await told()).toMatchObject({ Egress: [all], Ingress: [web, all] });
    },
  },
  {
    title: "only AVAILABLE zones accept subnets",
    shows: [
      ...resources("Zone"),
      ...states("Zone, ZoneState"),
      ...operations("DescribeZones (compute)"),
      ...errors("InvalidZone.ZoneNotAvailable"),
    ],
    run: async (stage) => {
      const { cloud, region } = stage;
      const { ZoneSet } = await stage.send("compute", "DescribeZones", {});
      expect(ZoneSet).toMatchObject(
        [1, 2, 3, 4].map((number) => ({ Zone: `${region}-${number}`, ZoneState: number === 4 ? "UNAVAILABLE" : "AVAILABLE" })),
      );
      const elsewhere = await stage.cloudIn("ap-singapore").call(compute.describeZones, {});
      expect(elsewhere.zoneSet.map(({ zone }) => zone)).toContain("ap-singapore-1");
      const vpcId = await vpcIn(stage);
      const make = (zone: string) => cloud.call(vpc.createSubnet, { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/24", zone });
      for (const zone of [`${region}-4`, `${region}-9`, "ap-singapore-1", ""])
        await refuses(make(zone), "InvalidZone.ZoneNotAvailable", `take ${region}-1, ${region}-2, ${region}-3`);
      await make(`${region}-3`);
    },
  },
  {
    title: "key pairs are listed with the IDs that LoginSettings accepts",
    shows: operations("DescribeKeyPairs (compute)"),
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const place = await clusterIn(stage);
      await putKeyPair(world, { region, name: "ops" });
      const { keyPairSet } = await cloud.call(compute.describeKeyPairs, {});
      expect(keyPairSet).toMatchObject([{ keyId: expect.stringMatching(/^skey-/), keyName: "ops" }]);
      const { vpcId, subnetId } = place;
      const instanceId = await putInstance(world, { region, vpcId, subnetId });
      const keyIds = keyPairSet.map(({ keyId }) => keyId);
      const add = (given: string[]) =>
        cloud.call(cluster.addExistedInstances, {
          clusterId: place.clusterId,
          instanceIds: [instanceId],
          loginSettings: { keyIds: given },
        });
      await refuses(add(["skey-00000000"]), "ResourceNotFound");
      await add(keyIds);
      const pool = (given: string[]) =>
        cloud.call(cluster.createNodePool, {
          clusterId: place.clusterId,
          name: "workers",
          type: "Native",
          native: { ...nativeSettings(subnetId), keyIds: given },
        });
      await refuses(pool(["skey-00000000"]), "ResourceNotFound");
      await pool(keyIds);
    },
  },
  {
    title: "events record the caller, time, resource and result of each call, and are found by name and time",
    shows: [
      ...operations("LookUpEvents (audit)"),
      ...inSection("Events")("rule 3"),
      ...limits("LookUpEvents window"),
      ...inSection("What the service does")("rule 4"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const now = Math.floor(stage.world.now() / 1000);
      const { vpc: made, requestId } = await cloud.call(vpc.createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16" });
      await codeOf(cloud.call(vpc.createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16" }));
      stage.pass(60.9);
      await cloud.call(vpc.deleteVpc, { vpcId: made.vpcId });
      const look = (startTime: number, endTime: number, AttributeValue: string, maxResults?: number) =>
        cloud.call(audit.lookUpEvents, {
          startTime,
          endTime,
          lookupAttributes: [{ attributeKey: "ResourceName", attributeValue: AttributeValue }],
          maxResults,
        });
      const { events, totalCount, listOver } = await look(now, now + 60, made.vpcId);
      expect(events).toMatchObject([
        { eventName: "DeleteVpc", errorCode: 0, apiErrorCode: "" },
        {
          ...{ eventName: "CreateVpc", username: "root", eventTime: "2026-01-31T12:00:00Z", requestId, eventRegion: stage.region },
          ...{ eventSource: "vpc", resources: { resourceType: "vpc", resourceName: `net,${made.vpcId}` }, errorCode: 0, apiErrorCode: "" },
          accountId: Number(stage.world.account),
        },
      ]);
      expect([totalCount, listOver]).toEqual([2, true]);
      const recorded = { EventName: "CreateVpc", RequestID: requestId, ReadOnly: false };
      expect(JSON.parse(events[1]?.cloudAuditEvent ?? "")).toMatchObject(recorded);
      expect((await look(now, now + 60, "net")).events).toMatchObject([
        { eventName: "CreateVpc", errorCode: 1, apiErrorCode: "InvalidParameter.VpcCidrConflict" },
        { eventName: "CreateVpc", errorCode: 0 },
      ]);
      expect((await look(now, now + 59, made.vpcId)).events.map(({ eventName }) => eventName)).toEqual(["CreateVpc"]);
      for (const [from, until] of [
        [1, 60],
        [60, 61],
      ] as const)
        expect((await look(now + from, now + until, made.vpcId)).events.map(({ eventName }) => eventName)).toEqual(["DeleteVpc"]);
      expect((await look(now + 61, now + 70, made.vpcId)).events).toEqual([]);
      expect((await look(now, now + 60, "vpc-00000000")).events).toEqual([]);
      const first = await look(now, now + 60, made.vpcId, 1);
      expect(first).toMatchObject({ listOver: false, events: [{ eventName: "DeleteVpc" }], nextToken: expect.any(String) });
      for (const [start, end] of [
        [now, now],
        [now + 1, now],
      ] as const)
        await refuses(look(start, end, "net"), "InvalidParameterValue.Time");
      await refuses(stage.send("audit", "LookUpEvents", { EndTime: now }), "MissingParameter");
      await refuses(stage.send("audit", "LookUpEvents", { StartTime: now }), "MissingParameter");
      await refuses(stage.send("audit", "LookUpEvents", { StartTime: "now", EndTime: now }), "InvalidParameter");
    },
  },
];
