import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a ServiceAccount does when it changes and when it is taken out. */
async function serviceAccountTable(stage: Stage): Promise<Table> {
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
  const described = { ...base, description: "for builds" };
  const disabled = { ...base, disable: true };
  const ending = { ...base, expiresAt: "2099-01-01T00:00:00Z" };
  // While an account is being made, nobody can log in, and its description is a mark by which an orphan is known.
  const create = ["CreateServiceAccount", "ModifyServiceAccount"];
  const modify = ["ModifyServiceAccount"];
  const draw = ["ModifyServiceAccountPassword"];
  const replaced = [...create, "DeleteServiceAccount"];
  return {
    type: "ServiceAccount",
    inputs: ["registryId", "name", "permissions", "description", "disable", "expiresAt", "passwordVersion"],
    base,
    creates: create,
    // As the platform writes it, so that it is found by its id as it was written.
    full: {
      ...described,
      ...disabled,
      permissions: [pull, build].map((one) => ({ ...one, resource: `${one.resource}/` })),
      expiresAt: "2099-01-01T00:00:00.000Z",
      passwordVersion: "7",
    },
    createsFull: create,
    notFound: ["password", "passwordVersion"],
    deletes: ["DeleteServiceAccount"],
    changes: [
      { of: "registryId", to: { registryId: other }, does: "replace", calls: replaced },
      { of: "name", to: { name: "build" }, does: "replace", calls: replaced },
      { of: "permissions, one more", to: { permissions: [pull, build] }, does: "update", calls: modify },
      { of: "permissions, one less", from: both, to: { permissions: [build] }, does: "update", calls: modify },
      {
        of: "permissions, other actions",
        to: { permissions: [{ ...pull, actions: ["reg:PushRepository"] }] },
        does: "update",
        calls: modify,
      },
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
        calls: [],
      },
      { of: "description, put in", to: { description: "for builds" }, does: "update", calls: modify },
      { of: "description, taken out", from: described, to: { description: undefined }, does: "update", calls: modify },
      { of: "disable", to: { disable: true }, does: "update", calls: modify },
      { of: "disable, taken out", from: disabled, to: { disable: undefined }, does: "update", calls: modify },
      { of: "expiresAt, put in", to: { expiresAt: "2099-01-01T00:00:00Z" }, does: "update", calls: modify },
      { of: "expiresAt", from: ending, to: { expiresAt: "2098-07-01T12:00:00.5+02:00" }, does: "update", calls: modify },
      {
        of: "expiresAt, in another spelling",
        from: ending,
        to: { expiresAt: "2099-01-01T02:00:00.000+02:00" },
        does: "nothing",
        calls: [],
      },
      { of: "expiresAt, taken out", from: ending, to: { expiresAt: undefined }, does: "update", calls: modify },
      { of: "passwordVersion, put in", to: { passwordVersion: "2" }, does: "update", calls: draw },
      { of: "passwordVersion", from: { ...base, passwordVersion: "a" }, to: { passwordVersion: "b" }, does: "update", calls: draw },
      {
        of: "passwordVersion, taken out",
        from: { ...base, passwordVersion: "a" },
        to: { passwordVersion: undefined },
        does: "update",
        calls: [],
      },
      {
        of: "all that can be changed at once",
        to: { ...both, ...described, ...disabled, ...ending, permissions: [build], passwordVersion: "2" },
        does: "update",
        calls: [...modify, ...draw],
      },
    ],
    unknowns: [
      { of: "registryId", to: { registryId: unknown }, does: "replace" },
      { of: "name", to: { name: unknown }, does: "replace" },
      { of: "permissions", to: { permissions: unknown }, does: "update" },
      { of: "one of permissions", to: { permissions: [pull, unknown] }, does: "update" },
      { of: "a part of permissions", to: { permissions: [{ ...pull, resource: unknown }] }, does: "update" },
      { of: "one of actions", to: { permissions: [{ ...pull, actions: [unknown] }] }, does: "update" },
      { of: "description", to: { description: unknown }, does: "update" },
      { of: "disable", to: { disable: unknown }, does: "update" },
      { of: "expiresAt", to: { expiresAt: unknown }, does: "update" },
      { of: "passwordVersion", to: { passwordVersion: unknown }, does: "update" },
    ],
    vanish: () => stage.cloud.call(registry.deleteServiceAccount, { registryId, name: "ci" }),
  };
}

await laws(serviceAccountTable);
