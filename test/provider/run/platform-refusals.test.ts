import * as cluster from "@container-platform/sdk/cluster";
import * as vpc from "@container-platform/sdk/vpc";
import { carve } from "@container-platform/sdk";
import { type CallFault } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { makeCluster, makeGroup, makeInstance, makeNetwork, makeSubnet, makeVpc } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { refusalsOf } from "./platform-refusals.ts";

/** Refusals that only the platform can decide. The error has the code of the table, the sentence, the request id, and what to do. */

const stage = await sharedStage();

const {
  vpcId,
  subnetIds: [subnetId, second],
} = await makeNetwork(stage);
const bare = await makeVpc(stage, "10.2.0.0/16");
const bareSubnet = await makeSubnet(stage, bare, "10.2.1.0/24");
const groupId = await makeGroup(stage);
const clusterId = await makeCluster(stage, vpcId, [subnetId]);

const subnet = { vpcId, cidrBlock: "10.0.20.0/24", zone: "eu-frankfurt-1" };
const native = {
  subnetIds: [subnetId],
  instanceTypes: ["SA5.MEDIUM4"],
  systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
  replicas: 1,
};
const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };

test.each(refusalsOf({ bare, bareSubnet }))("$of: $code", async ({ type, args, code, says, todo = "" }) => {
  const resource = stage.deployment(type);
  const before = await stage.contents();
  const messages: string[] = [];
  const calls = await stage.calls(() => resource.up(args).catch((error: unknown) => messages.push(messageOf(error))));
  const { requestId = "none" } = calls.findLast((call) => call.code === code) ?? {};
  expect(messages).toEqual([expect.stringContaining(`${code}, request ${requestId})`)]);
  expect(messages).toEqual([expect.stringContaining(says)]);
  expect(messages).toEqual([expect.stringContaining(todo)]);
  expect(messages).not.toEqual([expect.stringContaining("\n")]);
  expect(resource.state).toBeUndefined();
  expect(await stage.contents()).toEqual(before);
});

test("a subnet whose /64 somebody else takes meanwhile is kept in the state, and corrected by the next up", async () => {
  const block = (await stage.cloud.call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet[0]?.ipv6CidrBlock ?? "";
  await using resource = stage.deployment("Subnet");
  stage.faults.add({
    operation: vpc.assignIpv6SubnetCidrBlock,
    when: "before",
    code: "InvalidParameter.SubnetConflict",
    reason: "another has it",
  });
  await expect(resource.up({ ...subnet, ipv6SubnetCidrBlock: carve(block, 64, 8) })).rejects.toThrow(
    "InvalidParameter.SubnetConflict, request ",
  );
  const { id } = resource;
  expect(await stage.writes(() => resource.up({ ...subnet, ipv6SubnetCidrBlock: carve(block, 64, 9) }))).toEqual([
    "AssignIpv6SubnetCidrBlock",
  ]);
  expect(resource.id).toBe(id);
});

test("an endpoint without a node, and with none to come, is refused without a writing call", async () => {
  const resource = stage.deployment("ClusterEndpoint");
  const writes = await stage.writes(async () => {
    await expect(resource.up({ clusterId, isExtranet: true, securityGroup: groupId })).rejects.toThrow(
      `creating ClusterEndpoint: ${clusterId} has no running node and none is coming; an endpoint needs one: give the cluster a NodePool with at least one node. If the program has one, name it in nodePoolIds, so that it is made first`,
    );
  });
  expect(writes).toEqual([]);
});

test("the 21st cluster of a region is refused with LimitExceeded", async () => {
  const made: string[] = [];
  for (let index = 1; index < 20; index++)
    made.push(
      (
        await stage.cloud.call(cluster.createCluster, {
          vpcId,
          subnetId: second,
          clusterCidrSettings: { clusterCidr: `172.${index + 15}.0.0/20`, ignoreClusterCidrConflict: true },
        })
      ).clusterId,
    );
  await expect(stage.deployment("Cluster").up({ ...gr, clusterCidr: "192.168.0.0/20" })).rejects.toThrow(
    /LimitExceeded, request .*A limit of the platform is reached/,
  );
  for (const id of made) await stage.cloud.call(cluster.deleteCluster, { clusterId: id, instanceDeleteMode: "terminate" });
});

test("deletion protection is never removed silently", async () => {
  await using resource = stage.deployment("Cluster");
  await resource.up({ ...gr, deletionProtection: true });
  const writes = await stage.writes(async () => {
    await expect(resource.destroy()).rejects.toThrow(
      /OperationDenied.ClusterInDeletionProtection, request .*Set deletionProtection to false and run `pulumi up` first/,
    );
  });
  expect(writes).toEqual(["DeleteCluster: OperationDenied.ClusterInDeletionProtection"]);
  for (const args of [
    { ...gr, deletionProtection: true, subnetId: second },
    { ...gr, subnetId: second },
  ])
    await expect(resource.preview(args)).rejects.toThrow(
      "a change of subnetId makes a new Cluster in place of " +
        resource.id +
        ", but deletionProtection is on: set deletionProtection to false and run `pulumi up` first",
    );
  await resource.up(gr);
});

const inUse = [
  ["Vpc", { cidrBlock: "10.3.0.0/16" }, (id: string) => makeSubnet(stage, id, "10.3.1.0/24")],
  ["Subnet", subnet, (id: string) => makeInstance(stage, vpcId, id)],
  [
    "SecurityGroup",
    {},
    (id: string) => {
      const empty = {
        ...native,
        replicas: 0,
        scaling: { minReplicas: 0, maxReplicas: 0 },
        instanceChargeType: "POSTPAID_BY_HOUR" as const,
      };
      const asked = { clusterId, name: "user", type: "Native" as const, native: { ...empty, securityGroupIds: [id] } };
      return stage.before(
        () => stage.cloud.call(cluster.createNodePool, asked),
        ({ nodePoolId }) => stage.cloud.call(cluster.deleteNodePool, { clusterId, nodePoolId }),
      );
    },
  ],
] as const;

test.each(inUse)("the deletion of a %s ends where nobody is known to remove what uses it, and names that", async (type, args, use) => {
  const resource = stage.deployment(type, "example", { __timeouts: { delete: "1s" } });
  await resource.up(args);
  await use(resource.id);
  await expect(resource.destroy()).rejects.toThrow(
    new RegExp(`deleting ${type} ${resource.id}: .*ResourceInUse, request .* is in the way, .*Then run it again$`),
  );
  await stage.undoLast(1);
  await resource.destroy();
});

test("the deletion of an IPv6 block ends where nobody is known to remove what uses it, and names that", async () => {
  const resource = stage.deployment("Ipv6Block", "example", { __timeouts: { delete: "1s" } });
  await resource.up({ vpcId: bare });
  const part = carve(String(resource.state?.outputs["ipv6CidrBlock"]), 64, 0);
  const blocks = { vpcId: bare, ipv6SubnetCidrBlocks: [{ subnetId: bareSubnet, ipv6SubnetCidrBlock: part }] };
  await stage.cloud.call(vpc.assignIpv6SubnetCidrBlock, blocks);
  await expect(resource.destroy()).rejects.toThrow(
    new RegExp(`: .*${bareSubnet} \\(ResourceInUse, request .* is in the way, .*Then run it again$`),
  );
  await stage.cloud.call(vpc.unassignIpv6SubnetCidrBlock, blocks);
  await resource.destroy();
});

const answered: readonly (readonly [code: NonNullable<CallFault["code"]>, todo: string])[] = [
  ["UnauthorizedOperation.AccessMgmtNoAuth", "The account needs the permission for this operation"],
  ["AuthFailure.UnauthorizedOperation", "The account needs the permission for this operation"],
  ["ResourceNotFound", "If the program gives this id as text, check it"],
];

test.each(answered)("%s is reported with what to do", async (code, todo) => {
  stage.faults.add({ operation: vpc.createVpc, when: "before", code, reason: "not you" });
  await expect(stage.deployment("Vpc").up({ cidrBlock: "10.5.0.0/16" })).rejects.toThrow(
    new RegExp(`creating Vpc: not you .*${code}, request .*${todo}`),
  );
});

test("a call that is refused because there were too many is tried again", async () => {
  for (const nth of [1, 1]) stage.faults.add({ operation: vpc.createVpc, nth, when: "before", code: "RequestLimitExceeded" });
  await using resource = stage.deployment("Vpc");
  expect(await stage.writes(() => resource.up({ cidrBlock: "10.5.0.0/16" }))).toEqual([
    "CreateVpc: RequestLimitExceeded",
    "CreateVpc: RequestLimitExceeded",
    "CreateVpc",
  ]);
});

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
