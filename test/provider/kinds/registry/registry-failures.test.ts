import { type EndFault, putImage } from "@container-platform/sdk/local";
import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import type { InitFailed } from "../../../support/asking.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import { failureOf, initFailureOf } from "../../stage/runs.ts";
import { sharedStage } from "../../stage/shared-stage.ts";
import { region } from "../../stage/stage.ts";
import { dynamicTest } from "../../../support/shell.ts";

/** When something goes wrong with registries, the error has the platform's words, the state has what exists, and only our own resources are deleted. */

const stage = await sharedStage();

const args = { registryName: "laws-images", deleteBucket: true };
const open = { ...args, publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7/32" }] } };
const requestId = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** The request id in a sentence. */
const requestIdIn = (sentence = ""): string => new RegExp(`request (${requestId})`).exec(sentence)?.[1] ?? "none";

const failed: readonly registry.RegistryStatus[] = [
  "FailedCreated",
  "FailedUpdated",
  "Unhealthy",
  "Bucket-Error",
  "Isolate",
  "DeleteFailed",
];

test.each(failed)("a registry that becomes %s keeps its id in the state, and the next up replaces it", async (end) => {
  await using one = stage.deployment("RegistryInstance");
  stage.faults.add({ resourceType: "registry", endState: end, reason: "the storage was full" });
  const failures: InitFailed[] = [];
  const calls = await stage.calls(async () => failures.push(await initFailureOf(one.up(open))));
  expect(calls.filter(({ effect }) => effect === "write").map(({ action }) => action)).toEqual(["CreateInstance"]);
  const { id } = one;
  expect(id).toMatch(/^tcr-[0-9a-f]{8}$/);
  const sentence = `creating RegistryInstance ${id}: it is ${end}: the storage was full \\(request ${requestId}\\)\\. The next \`pulumi up\` replaces it`;
  expect(failures).toMatchObject([{ id, reasons: [expect.stringMatching(new RegExp(`^${sentence} \\[Provider\\.Failed\\]$`))] }]);
  // The state has what was reached, and no more.
  expect(failures[0]?.properties).toMatchObject({ registryName: "laws-images", registryId: id });
  expect(failures[0]?.properties).not.toHaveProperty("publicAccess");
  expect(calls.map((call) => call.requestId)).toContain(requestIdIn(failures[0]?.message));

  await stage.host.restart();
  expect(await one.preview(open)).toBe("delete-replace");
  const anew = ["DeleteInstance", "CreateInstance", "ManageExternalEndpoint", "CreateSecurityPolicy"];
  expect(await stage.writes(() => one.up(open))).toEqual(anew);
  expect(one.id).not.toBe(id);
  expect(await one.preview(open)).toBe("nothing");
});

test("a protected registry that could not be made is replaced only once the program removes its protection", async () => {
  await using one = stage.deployment("RegistryInstance");
  stage.faults.add({ resourceType: "registry", endState: "FailedCreated", reason: "the storage was full" });
  await initFailureOf(one.up({ ...args, deletionProtection: true }));
  await expect(one.preview({ ...args, deletionProtection: true })).rejects.toThrow(
    `the creation of RegistryInstance ${one.id} failed, and it must be replaced, but deletionProtection is on. Set deletionProtection to false and run \`pulumi up\` first`,
  );
  // The run ends, and marks what it has made.
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => one.up(args))).toEqual(["ModifyInstance", "DeleteInstance", "CreateInstance"]);
});

test("a public endpoint that cannot be opened is reported with the reason, and the next up tries again", async () => {
  await using one = stage.deployment("RegistryInstance");
  stage.faults.add({ resourceType: "registryEndpoint", endState: "Closed", reason: "no address was free" });
  const failures: InitFailed[] = [];
  const calls = await stage.calls(async () => failures.push(await initFailureOf(one.up(open))));
  const sentence = `^creating RegistryInstance ${one.id}: the public endpoint could not be opened: no address was free \\(request ${requestId}\\) \\[Provider\\.Failed\\]$`;
  expect(failures).toMatchObject([{ id: one.id, reasons: [expect.stringMatching(new RegExp(sentence))] }]);
  expect(calls.find((call) => call.requestId === requestIdIn(failures[0]?.message))?.action).toBe("DescribeExternalEndpointStatus");
  const { id } = one;
  expect(await one.preview(open)).toBe("update");
  expect(await stage.writes(() => one.up(open))).toEqual(["ManageExternalEndpoint", "CreateSecurityPolicy"]);
  expect(one.id).toBe(id);
  expect(await one.preview(open)).toBe("nothing");
});

const undeleted: readonly EndFault[] = [
  { resourceType: "registryDeletion", endState: "DeleteFailed", reason: "the domain could not be given back" },
  { resourceType: "registryDeletion", endState: "DeleteBucketFailed", reason: "the bucket is not empty" },
];

test.each(undeleted)("a deletion that ends in $end is an error after the first read, and the next destroy tries again", async (fault) => {
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
});

test("a registry with a namespace of somebody else is not deleted, and the error names the namespace", async () => {
  const one = await stage.deployed("RegistryInstance", args);
  await using ours = await stage.deployed("Namespace", { registryId: one.id, namespaceName: "team", isPublic: false });
  const theirs = { registryId: one.id, namespaceName: "by-hand" };
  await stage.cloud.call(registry.createNamespace, { ...theirs, isPublic: true });
  await ours.destroy();
  const before = await stage.contents();
  const shown: string[] = [];
  expect(await stage.writes(async () => shown.push(await failureOf(one.destroy())))).toEqual([]);
  expect(shown).toEqual([
    `deleting RegistryInstance ${one.id}: it still has namespaces, which would be lost with their images: by-hand. Nothing was deleted. Delete those that nobody needs first; what another program manages is taken out there. Or take the registry out of the stack with \`pulumi state delete\` [Provider.InUse]`,
  ]);
  expect(await stage.contents()).toEqual(before);
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

test("a rule to another region: what is not as it is written, or not there, is said; its images come", async () => {
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
  const refused = (change: object) => failureOf(one.up({ ...rule, ...change }));
  expect(await refused({})).toBe(
    `destinationRegistryId: registry ${far} is in ap-singapore, not in eu-frankfurt: name that in destinationRegion`,
  );
  expect(await refused({ destinationRegion: "na-ashburn" })).toBe(
    `destinationRegistryId: registry ${far} is in ap-singapore, not in na-ashburn: name that in destinationRegion`,
  );
  expect(await refused({ destinationRegion: "na-ashburn", destinationRegistryId: "tcr-none" })).toBe(
    "destinationRegistryId: there is no registry tcr-none in na-ashburn",
  );
  await stage.cloud.call(registry.modifyInstance, { registryId: source, registryType: "standard", deletionProtection: false });
  expect(await refused({ destinationRegion: "ap-singapore" })).toMatch(
    /^destinationRegion: copies to ap-singapore need a premium source, and registry tcr-\w+ is not premium\. Set its registryType to "premium"/,
  );
  await stage.cloud.call(registry.modifyInstance, { registryId: source, registryType: "premium", deletionProtection: false });
  expect(one.state).toBeUndefined();

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
