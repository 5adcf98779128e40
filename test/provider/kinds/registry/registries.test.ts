import * as registry from "@container-platform/sdk/registry";
import { type EndFault, putImage } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { makeNamespace, makeNetwork, makeRegistry, makeSubnet, makeVpc } from "../../stage/outside.ts";
import { failureOf, faster, runsOf } from "../../stage/runs.ts";
import { sharedStage } from "../../stage/shared-stage.ts";
import { region } from "../../stage/stage.ts";
import { dynamicTest } from "../../../support/shell.ts";
import { severities } from "../../../support/host.ts";
import type { Props } from "../../../support/structs.ts";

/** Registries beyond the laws: failing deletions and copies, what outlives a deletion, and the fewest calls that change a whitelist. */

const stage = await sharedStage();

const args = { registryName: "laws-images", deleteBucket: true };
const requestId = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const requestIdIn = (sentence = ""): string => new RegExp(`request (${requestId})`).exec(sentence)?.[1] ?? "none";

test("a registry has a private domain in the VPCs that resolve it", async () => {
  const [vpcId, other] = [await makeVpc(stage, "10.2.0.0/16"), await makeVpc(stage, "10.3.0.0/16")];
  const nameless = { vpcId: other, subnetId: await makeSubnet(stage, other, "10.3.0.0/24"), dns: false };
  const internalAccess = [{ vpcId, subnetId: await makeSubnet(stage, vpcId, "10.2.0.0/24") }, nameless];
  const one = await stage.deployed("RegistryInstance", { ...args, internalAccess });
  expect(one.state?.outputs["internalDomains"]).toEqual({ [vpcId]: expect.stringContaining("laws-images") });
  await one.destroy();
  await stage.undoLast(4);
});

const undeleted: readonly EndFault[] = [
  { resourceType: "registryDeletion", endState: "DeleteFailed", reason: "the domain could not be given back" },
  { resourceType: "registryDeletion", endState: "DeleteBucketFailed", reason: "the bucket is not empty" },
];

test.each(undeleted)(
  "a deletion that ends in $endState is an error after the first read, and the next destroy tries again",
  async (fault) => {
    const one = await stage.deployed("RegistryInstance", args);
    const { id } = one;
    stage.faults.add(fault);
    const shown: string[] = [];
    const calls = await stage.calls(async () => shown.push(await failureOf(one.destroy())));
    expect(shown).toEqual([
      expect.stringMatching(
        new RegExp(
          `^deleting RegistryInstance ${id}: it is ${fault.endState}: ${fault.reason} \\(request ${requestId}\\)\\. The next \`pulumi destroy\` or \`up\` tries again \\[Provider\\.Failed\\]$`,
        ),
      ),
    ]);
    // Before them, whose it is: its tags are read with all of it, unless that was just read.
    expect(calls.map(({ action }) => action).slice(-4)).toEqual([
      "DescribeNamespaces",
      "DeleteInstance",
      "DescribeInstances",
      "DescribeInstanceStatus",
    ]);
    expect(calls.at(-1)?.requestId).toBe(requestIdIn(shown[0]));
    expect(one.id).toBe(id);
    await stage.host.restart();
    expect(await stage.writes(() => one.destroy())).toEqual(["DeleteInstance"]);
  },
);

test("a registry with a namespace of somebody else is not deleted, and the error names the namespace", async () => {
  const one = await stage.deployed("RegistryInstance", args);
  await using ours = await stage.deployed("Namespace", { registryId: one.id, namespaceName: "team", isPublic: false });
  const theirs = { registryId: one.id, namespaceName: "by-hand" };
  await stage.cloud.call(registry.createNamespace, { ...theirs, isPublic: true });
  await ours.destroy();
  const before = await stage.contents();
  const shown: string[] = [];
  expect(await stage.writes(() => faster(20, async () => shown.push(await failureOf(one.destroy()))))).toEqual([]);
  expect(shown).toEqual([
    `deleting RegistryInstance ${one.id}: not deleted: it still has namespaces, which would be deleted with their images: by-hand. Delete them first, in the program that declares them. To keep the registry without managing it, run \`pulumi state delete\` [Provider.InUse]`,
  ]);
  expect(await stage.contents()).toEqual(before);
  await stage.host.restart();
  expect(await one.refresh()).toBe(true);

  await stage.cloud.call(registry.deleteNamespace, theirs);
  expect(await stage.writes(() => one.destroy())).toEqual(["DeleteInstance"]);
});

test("a namespace with images is not deleted, and the error names its repositories", async () => {
  const registryId = await makeRegistry(stage, "laws-first");
  const one = await stage.deployed("Namespace", { registryId, namespaceName: "team", isPublic: false });
  const image = { region, registryId, namespace: "team" };
  for (const version of ["v1", "v2"]) await putImage(stage.world, { ...image, repository: "app", version });
  await putImage(stage.world, { ...image, repository: "tools/builder", version: "v1" });
  const before = await stage.contents();
  expect(await failureOf(one.destroy())).toMatch(
    new RegExp(
      `^deleting Namespace ${registryId}/team: namespace team cannot be deleted while it has repositories: app \\(images: 2\\), tools/builder \\(images: 1\\) \\(DeleteNamespace: FailedOperation\\.PreconditionFailed, request ${requestId}\\)`,
    ),
  );
  expect(await stage.contents()).toEqual(before);

  for (const repositoryName of ["app", "tools/builder"])
    await stage.cloud.call(registry.deleteRepository, { registryId, namespaceName: "team", repositoryName });
  expect(await stage.writes(() => one.destroy())).toEqual(["DeleteNamespace"]);
  await stage.undoLast(1);
});

dynamicTest("a repository with images is not deleted unless that is asked for, and how to ask is said", async () => {
  const registryId = await makeRegistry(stage, "laws-repositories");
  await makeNamespace(stage, registryId, "team");
  const place = { registryId, namespaceName: "team", repositoryName: "web" };
  const one = await stage.deployed("Repository", place);
  expect(one.state?.outputs["imageName"]).toEqual({
    public: "laws-repositories.registry.container-platform.internal/team/web",
    vpc: "laws-repositories-vpc.registry.container-platform.internal/team/web",
  });
  for (const version of ["v1", "v2"]) await putImage(stage.world, { region, registryId, namespace: "team", repository: "web", version });
  const before = await stage.contents();
  expect(await failureOf(one.destroy())).toMatch(
    new RegExp(
      `^deleting Repository ${registryId}/team/web: repository web has images \\(v1, v2\\).+ \\(DeleteRepository: FailedOperation\\.PreconditionFailed, request ${requestId}\\)\\. Delete its images first; or, to lose them, set forceDelete to true and run \`pulumi up\`, then delete the repository$`,
    ),
  );
  expect(await stage.contents()).toEqual(before);

  // Its replacement is there before it goes, and is not given its images.
  await expect(one.up({ ...place, repositoryName: "shop" })).rejects.toThrow("repository web has images");
  expect(await stage.contents()).toEqual({ ...before, repositories: 2 });
  await one.destroy();
  await stage.host.restart();
  const imported = await stage.deployed("Repository", place, "imported", { __adopt: `${registryId}/team/web` });
  await stage.host.restart();
  await imported.up({ ...place, forceDelete: true });
  expect(await stage.writes(() => imported.destroy())).toEqual(["DeleteRepository"]);
  await stage.undoLast(2);
});

test("the images of a rule to another region come", async () => {
  const away = stage.cloudIn("ap-singapore");
  const source = await makeRegistry(stage, "laws-source");
  const far = await makeRegistry(stage, "laws-far", away);
  for (const [id, cloud] of [[source, stage.cloud] as const, [far, away] as const]) await makeNamespace(stage, id, "team", cloud);
  const rule = {
    sourceRegistryId: source,
    ruleName: "far",
    destinationRegistryId: far,
    destNamespace: "team",
    filters: [{ type: "name", value: "**" }],
  };
  const one = stage.deployment("ReplicationRule");
  await one.up({ ...rule, destinationRegion: "ap-singapore" });
  const place = { namespaceName: "team", repositoryName: "web" };
  await putImage(stage.world, { region, registryId: source, namespace: "team", repository: "web", version: "v1" });
  const copied = await away.call(registry.describeImages, { registryId: far, ...place });
  expect(copied.imageInfoList.map(({ imageVersion }) => imageVersion)).toEqual(["v1"]);
  await one.destroy();
  await stage.cloud.call(registry.deleteRepository, { registryId: source, ...place });
  await away.call(registry.deleteRepository, { registryId: far, ...place });
  await stage.undoLast(4);
});

const { vpcId, subnetIds } = await makeNetwork(stage);

const said = (id: string) =>
  stage.host.lines
    .filter(({ message }) => message.startsWith(`${id}: `) && message.includes("billed"))
    .map(({ severity, message }) => ({ severity, message }));

test("a bucket that a replacement leaves is named in the preview, unless it goes along", async () => {
  const registry = await stage.deployed("RegistryInstance", { registryName: "kept-images" });
  const { id } = registry;
  expect(await registry.preview({ registryName: "other-images" })).toBe("replace");
  const message = `${id}: its storage bucket with all layers is kept and billed after the deletion. To delete it too, set deleteBucket: true and run \`pulumi up\` first`;
  await expect.poll(() => said(id)).toEqual([{ severity: severities.info, message }]);
  await registry.up({ registryName: "kept-images", deleteBucket: true });
  await registry.destroy();
  expect(said(id)).toHaveLength(1);
});

test("what a deletion has left is named", async () => {
  const cluster = stage.deployment("Cluster");
  const disks = [{ resourceType: "CBS", deleteMode: "retain" }];
  await cluster.up({
    vpcId,
    subnetId: subnetIds[0],
    clusterCidr: "172.16.0.0/16",
    instanceDeleteMode: "retain",
    resourceDeleteOptions: disks,
  });
  const { id } = cluster;
  await cluster.destroy();
  const stays = (what: string, input: string) => ({
    severity: severities.warning,
    message: `${id}: ${what} was kept and is still billed. Delete it in the console (${input} would have deleted it) [Provider.SideEffect]`,
  });
  await expect
    .poll(() => said(id))
    .toEqual([
      stays("what there is of its nodes, as machines without a cluster,", 'instanceDeleteMode: "terminate"'),
      stays("what there is of disks of its workloads", 'deleteMode: "terminate" for CBS in resourceDeleteOptions'),
    ]);
});

interface Entry {
  readonly cidrBlock: string;
  readonly description: string;
}

const twenty: readonly Entry[] = Array.from({ length: 20 }, (_, index) => ({
  cidrBlock: `203.0.113.${index}/32`,
  description: `site ${index}`,
}));
const admitting = (whitelist: readonly Partial<Entry>[]): Props => ({
  registryName: "laws-images",
  deleteBucket: true,
  publicAccess: { whitelist },
});

async function letIn(registryId: string): Promise<string[]> {
  const { securityPolicySet } = await stage.cloud.call(registry.describeSecurityPolicies, { registryId });
  return describeValue(securityPolicySet);
}

function describeValue(entries: readonly Entry[]): string[] {
  return entries.map(({ cidrBlock, description }) => `${cidrBlock} ${description}`).toSorted();
}

/** The calls that read or change the whitelist, in order, with the code where one was refused. */
async function policyCalls(work: () => Promise<unknown>): Promise<readonly string[]> {
  const calls = await stage.calls(work);
  return calls
    .filter(({ action }) => /SecurityPolic(y|ies)$/.test(action))
    .map(({ action, code }) => (code === "" ? action : `${action}: ${code}`));
}

test("the whitelist is read again before each entry that is removed", async () => {
  await using one = await stage.deployed("RegistryInstance", admitting(twenty));
  const desired = twenty.filter((_, index) => ![2, 3, 17].includes(index));
  const calls = await policyCalls(() => one.up(admitting(desired)));
  const removals = calls.flatMap((action, at) => (action === "DeleteSecurityPolicy" ? [at] : []));
  expect(removals).toHaveLength(3);
  expect(removals.map((at) => calls[at - 1])).toEqual(Array.from({ length: 3 }, () => "DescribeSecurityPolicies"));
  expect(await letIn(one.id)).toEqual(describeValue(desired));
});

test("when somebody else was quicker, the whitelist is read again, and only the right entries are removed", async () => {
  await using one = await stage.deployed("RegistryInstance", admitting(twenty));
  for (let times = 0; times < 2; times++)
    stage.faults.add({ operation: registry.deleteSecurityPolicy, when: "before", code: "UnsupportedOperation.VersionMismatch" });
  const desired = twenty.slice(2);
  const refused = "DeleteSecurityPolicy: UnsupportedOperation.VersionMismatch";
  const calls = await policyCalls(() => one.up(admitting(desired)));
  expect(calls.slice(calls.indexOf(refused), calls.lastIndexOf("DeleteSecurityPolicy") + 1)).toEqual([
    refused,
    "DescribeSecurityPolicies",
    refused,
    "DescribeSecurityPolicies",
    "DeleteSecurityPolicy",
    "DescribeSecurityPolicies",
    "DeleteSecurityPolicy",
  ]);
  expect(await letIn(one.id)).toEqual(describeValue(desired));
});

test("a whitelist that was changed by hand has exactly the desired entries afterwards", async () => {
  await using one = await stage.deployed("RegistryInstance", admitting(twenty));
  // Without the first entry, all others have moved up by one.
  await stage.cloud.call(registry.deleteSecurityPolicy, { registryId: one.id, cidrBlock: "203.0.113.0/32" });
  await stage.cloud.call(registry.createSecurityPolicy, { registryId: one.id, cidrBlock: "192.0.2.1/32", description: "guest" });
  await stage.host.restart();
  const desired = twenty
    .with(5, { cidrBlock: "203.0.113.5/32", description: "moved" })
    .with(19, { cidrBlock: "198.51.100.19/32", description: "site 19" });
  const twice = ["Create", "Delete"].flatMap((does) => [`${does}SecurityPolicy`, `${does}SecurityPolicy`]);
  expect((await stage.writes(() => one.up(admitting(desired)))).toSorted()).toEqual([...twice, "ModifySecurityPolicy"]);
  expect(await letIn(one.id)).toEqual(describeValue(desired));
});

test("a range wider than a site is warned of, and a site is not", async () => {
  await runsOf(stage).nextRun();
  const one = stage.deployment("RegistryInstance");
  for (const cidrBlock of ["203.0.113.0/24", "203.0.113.7", "2001:db8::/48"]) await one.preview(admitting([{ cidrBlock }]));
  await one.preview(admitting([{ cidrBlock: "203.0.112.0/23" }, { cidrBlock: "203.0.113.7" }]));
  await one.preview(admitting([{ cidrBlock: "2001:db8::/47" }]));
  await one.preview(admitting([{ cidrBlock: "0.0.0.0/1" }, { cidrBlock: "128.0.0.0/1" }]));
  const advice = "gives access to more than a /24 (IPv6: a /48). List the ranges that need access, best single addresses";
  await expect
    .poll(runsOf(stage).warnings)
    .toEqual([
      `publicAccess.whitelist: 203.0.112.0/23 ${advice}`,
      `publicAccess.whitelist: 2001:db8::/47 ${advice}`,
      "publicAccess.whitelist: 0.0.0.0/1, 128.0.0.0/1 give access to everyone. List the ranges that need access, best single addresses",
    ]);
});
