import { Cloud, type Reply } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { createInstance, createInstanceToken, describeInstances, describeInstanceToken } from "@container-platform/sdk/registry";
import {
  createSecurityGroup,
  createSubnet,
  createVpc,
  describeSecurityGroupPolicies,
  describeSubnets,
  describeVpcs,
} from "@container-platform/sdk/vpc";
import { expect, onTestFinished, test, vi } from "vitest";
import { Deployment } from "../../support/deployment.ts";
import { ProviderHere } from "../../support/provider-here.ts";
import { region } from "../stage/stage.ts";
import { type Answers, ToldOtherwise } from "../stage/told-otherwise.ts";

/** A creation that is answered with the id of something that somebody else has: that is not written to, and never becomes the stack's. */

function start() {
  const world = World.open(":memory:", { timeScale: "instant" });
  const answers: Answers = {};
  const host = new ProviderHere(world, region, { transport: ToldOtherwise.reached(world, answers) });
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    world.close();
    vi.restoreAllMocks();
  });
  return { host, answers, cloud: new Cloud({ transport: new LocalPlatform(world), region }) };
}

/** From the first answer to an action on, a minute has passed: whatever the platform shows late would be there. */
function lateFrom(answers: Answers, action: string): void {
  const now = performance.now.bind(performance);
  let late = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + late);
  answers[action] = (body) => {
    late = 61_000;
    return body;
  };
}

test("a registry that has no tags, and another name than the one that was asked for, is somebody else's", async () => {
  const { host, answers, cloud } = start();
  const { registryId } = await cloud.call(createInstance, { registryName: "theirs", registryType: "basic" });
  answers["CreateInstance"] = (body) => ({ ...body, RegistryId: registryId });
  lateFrom(answers, "DescribeInstances");
  const registry = new Deployment(host, "RegistryInstance", "images");
  const args = { registryName: "acme-images", deleteBucket: true };
  await expect(registry.up(args)).rejects.toThrow(`the platform has answered that it created ${registryId}, which has no tag`);
  expect(registry.state).toBeUndefined();
  delete answers["CreateInstance"];
  await host.restart("SIGINT");
  await registry.up(args);
  expect(registry.id).not.toBe(registryId);
  await host.restart("SIGINT");
  await registry.destroy();
  expect((await cloud.call(describeInstances, {})).registries.map(({ registryName }) => registryName)).toEqual(["theirs"]);
});

test("the firewall of somebody else's security group is left as it is", async () => {
  const { host, answers, cloud } = start();
  const theirs = (await cloud.call(createSecurityGroup, { groupName: "theirs", groupDescription: "" })).securityGroup.securityGroupId;
  answers["CreateSecurityGroup"] = (body) => ({
    ...body,
    SecurityGroup: { ...Object(body["SecurityGroup"]), SecurityGroupId: theirs, TagSet: [] },
  });
  lateFrom(answers, "DescribeSecurityGroups");
  const group = new Deployment(host, "SecurityGroup", "web");
  const args = { ingress: [{ protocol: "TCP", port: "22", cidrBlock: "0.0.0.0/0", action: "ACCEPT" }] };
  await expect(group.up(args)).rejects.toThrow("that is somebody else's, and was left as it is");
  const { securityGroupPolicySet } = await cloud.call(describeSecurityGroupPolicies, { securityGroupId: theirs });
  expect(securityGroupPolicySet.ingress).toEqual([]);
});

test("somebody else's subnet gets no IPv6 range", async () => {
  const { host, answers, cloud } = start();
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16" })).vpc;
  const block = new Deployment(host, "Ipv6Block", "block");
  await block.up({ vpcId });
  const zone = `${region}-1`;
  const place = { vpcId, subnetName: "theirs", cidrBlock: "10.0.0.0/24", zone };
  const theirs = (await cloud.call(createSubnet, place)).subnet.subnetId;
  answers["CreateSubnet"] = (body) => ({ ...body, Subnet: { ...Object(body["Subnet"]), SubnetId: theirs, TagSet: [] } });
  lateFrom(answers, "DescribeSubnets");
  const subnet = new Deployment(host, "Subnet", "part");
  const ipv6SubnetCidrBlock = String(block.state?.outputs["ipv6CidrBlock"]).replace("/56", "/64");
  await expect(subnet.up({ vpcId, cidrBlock: "10.0.1.0/24", zone, ipv6SubnetCidrBlock })).rejects.toThrow("and was left as it is");
  const { subnetSet } = await cloud.call(describeSubnets, { subnetIds: [theirs] });
  expect(subnetSet.map((one) => one.ipv6SubnetCidrBlock)).toEqual([undefined]);
});

test("somebody else's token keeps its description, and the one that was made is deleted", async () => {
  const { host, answers, cloud } = start();
  const registry = new Deployment(host, "RegistryInstance", "images");
  await registry.up({ registryName: "acme-images" });
  const registryId = registry.id;
  const { tokenId } = await cloud.call(createInstanceToken, { registryId, tokenType: "longterm", desc: "theirs" });
  answers["CreateInstanceToken"] = (body) => ({ ...body, TokenId: tokenId });
  const token = new Deployment(host, "Token", "ci");
  await expect(token.up({ registryId, desc: "ci" })).rejects.toThrow(
    `the platform has answered that it created ${registryId}/${tokenId}, whose desc is "theirs": that is somebody else's, and was left as it is`,
  );
  expect(token.state).toBeUndefined();
  const { tokens } = await cloud.call(describeInstanceToken, { registryId });
  expect(tokens.map(({ id, desc }) => [id, desc])).toEqual([[tokenId, "theirs"]]);
});

test("an id that nobody could look at stays unproven: it is neither changed nor deleted until its tags are seen", async () => {
  const { host, answers, cloud } = start();
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "theirs", cidrBlock: "172.16.0.0/16" })).vpc;
  answers["CreateVpc"] = (body) => {
    answers["DescribeVpcs"] = () => ({});
    return { ...body, Vpc: { ...Object(body["Vpc"]), VpcId: vpcId } };
  };
  const vpc = new Deployment(host, "Vpc", "net");
  await expect(vpc.up({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow("the answer is not what DescribeVpcs answers");
  expect(vpc.id).toBe(vpcId);
  await host.restart("SIGINT");
  lateFrom(answers, "DescribeVpcs");
  await expect(vpc.up({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow(
    `the platform has answered that it created ${vpcId}, which has no tag container-platform/owner: that is somebody else's, and was left as it is`,
  );
  await host.restart("SIGINT");
  await vpc.destroy();
  expect(host.lines.map(({ message }) => message).join("\n")).toContain(`${vpcId} is not deleted: it has no tag container-platform/owner`);
  const { vpcSet } = await cloud.call(describeVpcs, { vpcIds: [vpcId] });
  expect(vpcSet.map(({ vpcName, tagSet }) => [vpcName, tagSet])).toEqual([["theirs", []]]);
});

test("what was made, and could not be looked at, is gone on with", async () => {
  const { host, answers, cloud } = start();
  answers["CreateVpc"] = (body) => {
    answers["DescribeVpcs"] = () => ({});
    return body;
  };
  const vpc = new Deployment(host, "Vpc", "net");
  await expect(vpc.up({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow("the answer is not what DescribeVpcs answers");
  delete answers["DescribeVpcs"];
  await host.restart("SIGINT");
  await vpc.up({ cidrBlock: "10.0.0.0/16" });
  await host.restart("SIGINT");
  await vpc.destroy();
  expect((await cloud.call(describeVpcs, {})).totalCount).toBe(0);
});

/** A registry, whose tokens cannot be listed once one has been made. `made` changes the answer to that creation. */
async function registryWithoutLooks(made: (body: Reply["body"]) => Reply["body"]) {
  const { host, answers, cloud } = start();
  const registry = new Deployment(host, "RegistryInstance", "images");
  await registry.up({ registryName: "acme-images" });
  answers["CreateInstanceToken"] = (body) => {
    answers["DescribeInstanceToken"] = () => ({});
    return made(body);
  };
  const descriptions = async () =>
    (await cloud.call(describeInstanceToken, { registryId: registry.id })).tokens.map(({ id, desc }) => [id, desc]);
  return { host, answers, cloud, registryId: registry.id, token: new Deployment(host, "Token", "ci"), descriptions };
}

const unlisted = "the answer is not what DescribeInstanceToken answers";

test("a token that was made, and could not be looked at, is gone on with: none is made in its place", async () => {
  const { host, answers, registryId, token, descriptions } = await registryWithoutLooks((body) => body);
  await expect(token.up({ registryId, desc: "ci" })).rejects.toThrow(unlisted);
  const [, tokenId] = token.id.split("/");
  expect(await descriptions()).toEqual([[tokenId, expect.stringMatching(/^being made by Pulumi /)]]);
  delete answers["DescribeInstanceToken"];
  await host.restart("SIGINT");
  await token.up({ registryId, desc: "ci" });
  expect(await descriptions()).toEqual([[tokenId, "ci"]]);
  await token.destroy();
  expect(await descriptions()).toEqual([]);
});

test("a token that was made, and could not be looked at, is deleted with its stack", async () => {
  const { host, answers, registryId, token, descriptions } = await registryWithoutLooks((body) => body);
  await expect(token.up({ registryId, desc: "ci" })).rejects.toThrow(unlisted);
  delete answers["DescribeInstanceToken"];
  await host.restart("SIGINT");
  await token.destroy();
  expect(await descriptions()).toEqual([]);
});

test("somebody else's token that nobody could look at stays unproven: it is neither changed nor deleted", async () => {
  let theirs = "";
  const { host, answers, cloud, registryId, token, descriptions } = await registryWithoutLooks((body) => ({ ...body, TokenId: theirs }));
  const { CreateInstanceToken: answer } = answers;
  delete answers["CreateInstanceToken"];
  theirs = (await cloud.call(createInstanceToken, { registryId, tokenType: "longterm", desc: "theirs" })).tokenId;
  if (answer) answers["CreateInstanceToken"] = answer;
  await expect(token.up({ registryId, desc: "ci" })).rejects.toThrow(unlisted);
  delete answers["DescribeInstanceToken"];
  await host.restart("SIGINT");
  await expect(token.up({ registryId, desc: "ci" })).rejects.toThrow(
    `the platform has answered that it created ${registryId}/${theirs}, whose desc is "theirs": that is somebody else's, and was left as it is. Take it out of the state`,
  );
  await host.restart("SIGINT");
  await token.destroy();
  expect(host.lines.map(({ message }) => message).join("\n")).toContain(`${registryId}/${theirs} is not deleted: its desc is another one`);
  expect(await descriptions()).toContainEqual([theirs, "theirs"]);
});
