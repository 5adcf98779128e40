import * as vpc from "@container-platform/sdk/vpc";
import { cidrSubnet } from "@container-platform/sdk";
import { type CallFault } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { makeCluster, makeGroup, makeNetwork, makeSubnet, makeVpc } from "../stage/outside.ts";
import { failureOf, faster } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Refusals that only the platform can decide. The error has the code of the table, the sentence, the request id, and what to do. */

const stage = await sharedStage();

const { vpcId, subnetIds } = await makeNetwork(stage);
const [subnetId, second] = subnetIds;
const bare = await makeVpc(stage, "10.2.0.0/16");
const bareSubnet = await makeSubnet(stage, bare, "10.2.1.0/24");

test("a dual-stack cluster in a subnet without a /64 is refused with the platform's sentence on one line, and nothing is left", async () => {
  const resource = stage.deployment("Cluster");
  const before = await stage.contents();
  let message = "";
  const calls = await stage.calls(async () => {
    message = await failureOf(resource.up({ vpcId: bare, subnetId: bareSubnet, isDualStack: true, eniSubnetIds: [bareSubnet] }));
  });
  const { requestId = "none" } = calls.findLast(({ code }) => code === "InvalidParameter") ?? {};
  expect(message).toContain(`InvalidParameter, request ${requestId})`);
  expect(message).toContain(bareSubnet);
  expect(message).not.toContain("\n");
  expect(resource.state).toBeUndefined();
  expect(await stage.contents()).toEqual(before);
});

test("a subnet whose /64 somebody else takes meanwhile is kept in the state, and corrected by the next up", async () => {
  const block = (await stage.cloud.call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet[0]?.ipv6CidrBlock ?? "";
  await using resource = stage.deployment("Subnet");
  const code = "InvalidParameter.SubnetConflict";
  stage.faults.add({ operation: vpc.assignIpv6SubnetCidrBlock, when: "before", code, reason: "another has it" });
  const args = (part: number) => ({
    vpcId,
    cidrBlock: "10.0.20.0/24",
    zone: "eu-frankfurt-1",
    ipv6SubnetCidrBlock: cidrSubnet(block, 64, part),
  });
  await expect(resource.up(args(8))).rejects.toThrow(`${code}, request `);
  const { id } = resource;
  expect(await stage.writes(() => resource.up(args(9)))).toEqual(["AssignIpv6SubnetCidrBlock"]);
  expect(resource.id).toBe(id);
});

test("an endpoint without a node, and with none to come for some time, is refused without a writing call", async () => {
  const clusterId = await makeCluster(stage, vpcId, [subnetId]);
  const securityGroup = await makeGroup(stage);
  const resource = stage.deployment("ClusterEndpoint");
  const lacks = `${clusterId} has no running node and none is coming; an endpoint needs one: give the cluster a NodePool with at least one node. If the program has one, name it in nodePoolIds, so that it is made first`;
  const writes = await stage.writes(async () => {
    const failure = await faster(40, () => failureOf(resource.up({ clusterId, isExtranet: true, securityGroup })));
    expect(failure).toBe(`creating ClusterEndpoint: ${lacks} [Provider.UnmetRequirement]`);
  });
  expect(stage.host.lines.some(({ ephemeral, message }) => ephemeral && message.startsWith(lacks))).toBe(true);
  expect(writes).toEqual([]);
  await stage.undoLast(2);
});

test("deletion protection is never removed silently", async () => {
  const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };
  await using resource = await stage.deployed("Cluster", { ...gr, deletionProtection: true });
  const writes = await stage.writes(async () => {
    await expect(resource.destroy()).rejects.toThrow(
      /OperationDenied.ClusterInDeletionProtection, request .*Set deletionProtection to false and run `pulumi up` first/,
    );
  });
  expect(writes).toEqual(["DeleteCluster: OperationDenied.ClusterInDeletionProtection"]);
  for (const deletionProtection of [true, undefined])
    await expect(resource.preview({ ...gr, subnetId: second, deletionProtection })).rejects.toThrow(
      `changing subnetId replaces Cluster ${resource.id}, but deletionProtection is on. Set deletionProtection to false and run \`pulumi up\` first`,
    );
  await resource.up(gr);
});

const answered: readonly (readonly [code: NonNullable<CallFault["code"]>, todo: string])[] = [
  ["UnauthorizedOperation.AccessMgmtNoAuth", "The account lacks permission for this operation"],
  ["AuthFailure.UnauthorizedOperation", "The account lacks permission for this operation"],
  ["ResourceNotFound", "Check the ID. If it was a resource of this stack"],
  ["LimitExceeded", "A quota is exhausted. Delete unused resources or request a higher quota"],
];

test.each(answered)("%s is reported with what to do", async (code, todo) => {
  stage.faults.add({ operation: vpc.createVpc, when: "before", code, reason: "not you" });
  await expect(stage.deployment("Vpc").up({ cidrBlock: "10.5.0.0/16" })).rejects.toThrow(
    new RegExp(`creating Vpc: not you .*${code}, request .*${todo}`),
  );
});
