import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { inAndOut, laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";

/** What each input of a ServiceAccount does when it changes and when it is taken out. */
await laws(async (stage) => {
  const registryId = await makeRegistry(stage, "laws-first");
  const other = await makeRegistry(stage, "laws-second");
  for (const id of [registryId, other]) await makeNamespace(stage, id, "team");
  await makeNamespace(stage, registryId, "shop");
  const pull = { resource: "team", actions: ["reg:PullRepository"] };
  const build = { resource: "shop", actions: ["reg:PushRepository", "reg:PullRepository", "reg:CreateRepository"] };
  // Names are found whole: this one is not to be taken for that of the table.
  await stage.before(
    () => stage.cloud.call(registry.createServiceAccount, { registryId, name: "ci-two", permissions: [{ ...pull, resource: "team/" }] }),
    () => stage.cloud.call(registry.deleteServiceAccount, { registryId, name: "ci-two" }),
  );

  const base = { registryId, name: "ci", permissions: [pull] };
  const both = { ...base, permissions: [pull, build] };
  const set = { description: "for builds", disable: true };
  const ending = { ...base, expiresAt: "2099-01-01T00:00:00Z" };
  const draw = ["ModifyServiceAccountPassword"];
  return {
    type: "ServiceAccount",
    base,
    creates: ["CreateServiceAccount"],
    // As the platform writes it, so that it is found by its id as it was written.
    full: {
      ...base,
      ...set,
      permissions: [pull, build].map((one) => ({ ...one, resource: `${one.resource}/` })),
      expiresAt: "2099-01-01T00:00:00.000Z",
      passwordVersion: "7",
    },
    updates: ["ModifyServiceAccount"],
    notFound: ["password", "passwordVersion"],
    deletes: ["DeleteServiceAccount"],
    changes: [
      { to: { registryId: other }, does: "replace" },
      { to: { name: "build" }, does: "replace" },
      { of: "permissions, one more", to: { permissions: [pull, build] } },
      { of: "permissions, one less", from: both, to: { permissions: [build] } },
      { of: "permissions, other actions", to: { permissions: [{ ...pull, actions: ["reg:PushRepository"] }] } },
      {
        of: "permissions, in another order and spelling",
        from: both,
        to: {
          permissions: [
            { resource: "shop/", actions: build.actions.toReversed() },
            { ...pull, resource: "team/" },
          ],
        },
        does: "nothing",
      },
      ...inAndOut(base, { ...set, expiresAt: "2099-01-01T00:00:00Z" }),
      { from: ending, to: { expiresAt: "2098-07-01T12:00:00.5+02:00" } },
      { of: "expiresAt, in another spelling", from: ending, to: { expiresAt: "2099-01-01T02:00:00.000+02:00" }, does: "nothing" },
      { to: { passwordVersion: "2" }, calls: draw },
      { from: { ...base, passwordVersion: "a" }, to: { passwordVersion: "b" }, calls: draw },
      { from: { ...base, passwordVersion: "a" }, to: { passwordVersion: undefined }, calls: [] },
      {
        of: "all that can be changed at once",
        to: { ...ending, ...set, permissions: [build], passwordVersion: "2" },
        calls: ["ModifyServiceAccount", ...draw],
      },
    ],
    unknowns: [
      ...notKnown("replace", ["registryId", "name"]),
      ...notKnown("update", ["permissions", "description", "disable", "expiresAt", "passwordVersion"]),
      { of: "one of permissions", to: { permissions: [pull, unknown] }, does: "update" },
      { of: "a part of permissions", to: { permissions: [{ ...pull, resource: unknown }] }, does: "update" },
      { of: "one of actions", to: { permissions: [{ ...pull, actions: [unknown] }] }, does: "update" },
    ],
    vanish: () => stage.cloud.call(registry.deleteServiceAccount, { registryId, name: "ci" }),
  };
});
