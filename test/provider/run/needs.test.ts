import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import { unknown } from "../../support/structs.ts";
import { dynamicTest } from "../../support/shell.ts";
import { makeNamespace, makeRegistry } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What a resource needs has to be there, or be made before it by the program: or the preview refuses it. */

const stage = await sharedStage();
const { actions, nextRun, said } = runsOf(stage);
const registryId = await makeRegistry(stage, "acme-here");
const near = await makeRegistry(stage, "acme-near");
const far = await makeRegistry(stage, "acme-far", stage.cloudIn("ap-singapore"));
await makeNamespace(stage, registryId, "team");
await makeNamespace(stage, near, "copies");

const repository = { registryId, repositoryName: "web" };
const account = { registryId, name: "ci" };
const allowed = (...names: readonly unknown[]) => ({
  permissions: names.map((resource) => ({ resource, actions: ["reg:PullRepository"] })),
});
const rule = { sourceRegistryId: registryId, ruleName: "copy", filters: [{ type: "name", value: "**" }] };
const remedy =
  "Use an existing one. If this program creates it, pass the output namespaceName of that Namespace, so that Pulumi creates it first";
const lacks = (path: string, of: string, name: string) => `${path}: namespace ${name} not found in registry ${of}. ${remedy}`;

test("a namespace that is none is refused, of a repository, an account and a copy", async () => {
  expect(await said("Repository", { ...repository, namespaceName: "none" })).toBe(lacks("namespaceName", registryId, "none"));
  expect(await said("ServiceAccount", { ...account, ...allowed("team", "none/") })).toBe(
    lacks("permissions[1].resource", registryId, "none"),
  );
  expect(await said("ReplicationRule", { ...rule, destinationRegistryId: near, destNamespace: "team" })).toBe(
    lacks("destNamespace", near, "team"),
  );
  for (const [type, args] of [
    ["Repository", { ...repository, namespaceName: "team" }],
    ["Repository", { ...repository, namespaceName: unknown }],
    ["ServiceAccount", { ...account, ...allowed("team/") }],
    ["ReplicationRule", { ...rule, destinationRegistryId: near, destNamespace: "copies" }],
    ["ReplicationRule", { ...rule, destinationRegistryId: far, destinationRegion: "ap-singapore", destNamespace: "none" }],
  ] as const)
    expect(await said(type, args), type).toBe("create");
});

dynamicTest("one that the program makes serves if it is made first, whatever is known yet, and whoever has waited for it", async () => {
  await nextRun();
  const team = urnOf("Namespace", "ops");
  expect(await said("Namespace", { registryId, namespaceName: "ops", isPublic: false }, {}, "ops")).toBe("create");
  const asked = { ...repository, namespaceName: "ops" };
  expect(await said("Repository", asked)).toBe(lacks("namespaceName", registryId, "ops"));
  expect(await said("Repository", asked, { __after: [team] })).toBe("create");
  expect(await said("Repository", { ...asked, registryId: near }, { __after: [team] })).toBe(lacks("namespaceName", near, "ops"));
  expect(await said("ServiceAccount", { ...account, ...allowed("ops") }, { __of: { "permissions.0.resource": team } })).toBe("create");
  const waits = { __after: [urnOf("ServiceAccount", "example")] };
  expect(await said("Repository", { ...asked, repositoryName: "late" }, waits, "late")).toBe("create");
  const elsewhere = { __of: { namespaceName: urnOf("Namespace", "with-another-provider") } };
  expect(await said("Repository", { ...asked, registryId: near, repositoryName: "there" }, elsewhere, "there")).toBe("create");
  // What is of no kind of these packages may wait for it.
  const grouped = { __after: ["urn:pulumi:test::laws::acme:index:Group::group"] };
  expect(await said("Repository", { ...asked, repositoryName: "grouped" }, grouped, "grouped")).toBe("create");

  const images = urnOf("RegistryInstance", "images");
  const inNew = { __of: { registryId: images } };
  expect(await said("RegistryInstance", { registryName: "acme-new" }, {}, "images")).toBe("create");
  const unborn = { registryId: unknown, repositoryName: "web", namespaceName: "team" };
  expect(await said("Repository", unborn, inNew)).toBe(lacks("namespaceName", '"images"', "team"));
  expect(await said("Namespace", { registryId: unknown, namespaceName: "team", isPublic: false }, inNew, "team")).toBe("create");
  expect(await said("Repository", unborn, { ...inNew, __after: [urnOf("Namespace", "team")] })).toBe("create");
});

test("only what is new or has changed is looked at; a change of permissions names all their namespaces anew", async () => {
  await nextRun();
  await using one = stage.deployment("ServiceAccount", "ci");
  await using made = stage.deployment("Namespace", "gone");
  await made.up({ registryId, namespaceName: "gone", isPublic: false });
  await one.up({ ...account, ...allowed("gone", "team") });
  await stage.cloud.call(registry.deleteNamespace, { registryId, namespaceName: "gone" });
  await nextRun();
  expect(await actions(() => one.preview({ ...account, ...allowed("gone", "team") }))).toEqual([]);
  expect(await one.preview({ ...account, ...allowed("team", "gone"), description: "other" })).toBe("update");
  await expect(one.preview({ ...account, ...allowed("gone", "none") })).rejects.toThrow(
    lacks("permissions[1].resource", registryId, "none"),
  );
  await nextRun();
  await expect(one.preview({ ...account, ...allowed("gone") })).rejects.toThrow(lacks("permissions[0].resource", registryId, "gone"));
});

const away = { destinationRegistryId: far, destinationRegion: "ap-singapore", destNamespace: "copies" };
const premium = (of: string) =>
  `copies to ap-singapore need a premium source, and registry ${of} is not premium. Set its registryType to "premium". If this program does, pass the output registryId of that RegistryInstance, so that Pulumi updates it first`;

dynamicTest("copies to another region take a premium registry, as the program has it, whichever comes first", async () => {
  await nextRun();
  await using plain = stage.deployment("RegistryInstance", "plain");
  const asked = { registryName: "acme-plain", deleteBucket: true };
  await plain.up(asked);
  const copy = { ...rule, ...away, sourceRegistryId: plain.id };
  const here = { ...rule, sourceRegistryId: plain.id, destinationRegistryId: near, destNamespace: "copies" };
  await nextRun();
  expect(await said("ReplicationRule", copy)).toBe(`destinationRegion: ${premium(plain.id)}`);
  for (const near of [here, { ...here, destinationRegion: "eu-frankfurt" }]) expect(await said("ReplicationRule", near)).toBe("create");

  // With the program's registry: made premium before, or at the same time.
  await nextRun();
  expect(await plain.preview({ ...asked, registryType: "premium" })).toBe("update");
  expect(await said("ReplicationRule", copy)).toBe(`destinationRegion: ${premium(plain.id)}`);
  expect(await said("ReplicationRule", copy, { __of: { sourceRegistryId: urnOf("RegistryInstance", "plain") } })).toBe("create");
  await plain.up({ ...asked, registryType: "premium" });
  await nextRun();
  expect(await plain.preview(asked)).toBe("update");
  expect(await said("ReplicationRule", copy)).toBe(`destinationRegion: ${premium(plain.id)}`);
  await nextRun();
  expect(await said("ReplicationRule", copy)).toBe("create");
  await expect(plain.preview(asked)).rejects.toThrow(`destinationRegion of "example": ${premium(plain.id)}`);
  await nextRun();
});
