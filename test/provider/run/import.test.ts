import * as cluster from "@container-platform/sdk/cluster";
import * as vpc from "@container-platform/sdk/vpc";
import { afterEach, expect } from "vitest";
import { unknown } from "../../support/structs.ts";
import { makeCluster, makeGroup, makeNetwork, makePool, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { dynamicTest as test } from "../../support/shell.ts";

const stage = await sharedStage();
const { nextRun, said, warnings } = runsOf(stage);
afterEach(async () => {
  await stage.undoAll();
  stage.host.lines.length = 0;
});

test("an existing resource is imported: the preview warns of each difference, up removes it, and nothing is left to do", async () => {
  const id = await makeVpc(stage, "10.9.0.0/16");
  const args = { cidrBlock: "10.9.0.0/16", vpcName: "new", dnsServers: ["10.9.0.2"], tags: { team: "platform" } };
  const imported = stage.deployment("Vpc", "example", { __adopt: id });

  expect(await stage.writes(() => imported.preview(args))).toEqual([]);
  await expect.poll(warnings).toEqual([
    `importing ${id} changes it to match the program:
  vpcName: "before" becomes "new"
  dnsServers: ["192.0.2.53","192.0.2.54"] becomes ["10.9.0.2"]
  tags: nothing becomes {"team":"platform"}`,
  ]);
  expect(await stage.writes(() => imported.up(args))).toEqual([
    // Its owner tag comes first.
    "ModifyResourceTags",
    "ModifyVpcAttribute",
    "ModifyVpcAttribute",
    "ModifyResourceTags",
  ]);
  expect(warnings()).toHaveLength(1);
  expect(imported.id).toBe(id);
  expect(imported.state?.outputs).not.toHaveProperty("__adopt");

  await imported.refresh();
  expect(await stage.calls(() => imported.preview(args))).toEqual([]);
  expect(await imported.preview(args)).toBe("nothing");
});

test("an import that would need a change that is impossible is refused before any write, with both values", async () => {
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  const [subnetId, ...others] = subnetIds;
  const args = { vpcId, subnetId, eniSubnetIds: others, isDualStack: false, networkType: "VPC-CNI", clusterVersion: "1.20.0" };
  const imported = stage.deployment("Cluster", "example", { __adopt: clusterId });
  const refused = await imported.preview(args).catch((error: unknown) => error);
  expect(String(refused)).toBe(
    `Error: clusterVersion: a cluster is never downgraded: it is 1.34.1, which is newer than 1.20.0
eniSubnetIds: ${JSON.stringify(subnetIds)} on ${clusterId} cannot be changed to ${JSON.stringify(others)}
isDualStack: true on ${clusterId} cannot be changed to false`,
  );
  expect(await stage.writes(() => expect(imported.up(args)).rejects.toThrow("isDualStack"))).toEqual([]);
  expect(warnings()).toEqual([]);
  expect(await said("Vpc", { cidrBlock: "10.0.0.0/16" }, { __adopt: "vpc-none" })).toBe(
    "import: Vpc vpc-none not found in eu-frankfurt.\n  - If it was deleted, remove `import` to create another one.\n  - If it is in another region, set container-platform:region, or give the resource a Provider of that region.",
  );
});

test.each([
  ["Vpc", "foo", "vpc-3f8a0c1e"],
  ["Vpc", "", "vpc-3f8a0c1e. Remove the option to create a new one"],
  ["Vpc", "subnet-3f8a0c1e", "vpc-3f8a0c1e"],
  ["NodePool", "np-1", "cls-3f8a0c1e/np-3f8a0c1e"],
  ["ClusterEndpoint", "cls-1", "cls-3f8a0c1e/public or cls-3f8a0c1e/internal"],
] as const)("import of a %s by %j is refused with what its ids look like, without a call", async (type, id, looks) => {
  await nextRun();
  const says = `import: "${id}" is not a valid ${type} ID; expected a value such as ${looks}`;
  expect(await stage.calls(async () => expect(await said(type, {}, { __adopt: id })).toContain(says))).toEqual([]);
});

test("an import whose change fails is completed by the next update, although the platform had no value before", async () => {
  const vpcId = await makeVpc(stage, "10.9.0.0/16");
  const block = await stage.deployed("Ipv6Block", { vpcId }, "block");
  const id = await makeSubnet(stage, vpcId, "10.9.1.0/24");
  const ipv6SubnetCidrBlock = String(block.state?.outputs["ipv6CidrBlock"]).replace("/56", "/64");
  const args = { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.9.1.0/24", subnetName: "before", ipv6SubnetCidrBlock };
  await nextRun();
  const imported = stage.deployment("Subnet", "part", { __adopt: id });
  stage.faults.add({ operation: vpc.assignIpv6SubnetCidrBlock, when: "before", code: "AuthFailure.UnauthorizedOperation" });
  await expect(imported.up(args)).rejects.toThrow("AuthFailure.UnauthorizedOperation");
  await nextRun();
  expect(await stage.writes(() => imported.up(args))).toEqual(["AssignIpv6SubnetCidrBlock"]);
});

test("differences are shown by property, nested ones too, without secrets", async () => {
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  const nodePoolId = await makePool(stage, clusterId, subnetIds[0]);
  const pool = stage.deployment("NodePool", "pool", { __adopt: `${clusterId}/${nodePoolId}`, __veiled: ["name"] });
  const args = {
    clusterId,
    name: "hush-hush",
    native: { ...oneNode(subnetIds[0]), systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 80 }, password: "hush!Hush1" },
  };
  await pool.preview(args);
  await expect.poll(warnings).toEqual([
    `importing ${clusterId}/${nodePoolId} changes it to match the program:
  name: [secret] becomes [secret]
  native.systemDisk.diskSize: 50 becomes 80
  native.password: nothing becomes "[secret]"`,
  ]);
  await pool.up(args);
  expect(stage.host.lines.map(({ message }) => message).join("\n")).not.toMatch(/hush/i);
  expect(await pool.preview(args)).toBe("nothing");
});

test("rules are compared one by one, and unknown values are not compared", async () => {
  const id = await makeGroup(stage);
  const rules = [
    { protocol: "TCP", port: "443", cidrBlock: "10.0.0.0/8", action: "ACCEPT" },
    { protocol: "ICMP", cidrBlock: "10.0.0.0/8", action: "ACCEPT" },
  ];
  await stage.cloud.call(vpc.createSecurityGroupPolicies, { securityGroupId: id, securityGroupPolicySet: { ingress: rules } });
  const group = stage.deployment("SecurityGroup", "example", { __adopt: id });
  const [first, second] = rules;
  const desired = { groupName: "before", groupDescription: "", ingress: [first, { ...second, action: "DROP" }] };
  await group.preview({ ...desired, groupName: unknown, ingress: unknown });
  expect(warnings()).toEqual([]);
  await group.preview({ ...desired, ingress: [{ ...first, protocol: "tcp" }, second] });
  expect(warnings()).toEqual([]);
  await group.up(desired);
  await expect.poll(warnings).toEqual([`importing ${id} changes it to match the program:\n  ingress[1].action: "ACCEPT" becomes "DROP"`]);
  expect(await group.preview(desired)).toBe("nothing");
});

test("a resource that is still being made can be imported once it exists", async () => {
  const { vpcId, subnetIds } = await makeNetwork(stage);
  stage.world.setTimeScale("realistic");
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  const args = { vpcId, subnetId: subnetIds[0], eniSubnetIds: subnetIds, isDualStack: true, clusterName: "before" };
  const imported = stage.deployment("Cluster", "example", { __adopt: clusterId });
  await expect(imported.preview(args)).rejects.toThrow(`import: ${clusterId} is Creating. Import it when it is ready`);
  stage.world.setTimeScale("instant");
  stage.world.advance(3_600_000);
  await stage.cloud.call(cluster.describeClusters, { clusterIds: [clusterId] });
  await nextRun();
  await imported.preview(args);
  expect(warnings()).toEqual([]);
});
