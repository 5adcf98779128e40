import * as registry from "@container-platform/sdk/registry";
import { type Drifts, setByHand, unnoticed } from "../../every-kind/drift-law.ts";
import { alter, makeNamespace, makeRegistry } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";

/** Each input of a ServiceAccount, changed behind the program's back. */
export async function serviceAccountDrifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "drift-accounts");
  for (const name of ["team", "shop"]) await makeNamespace(stage, registryId, name);
  let names = 0;
  const pull = { resource: "team/", actions: ["reg:PullRepository"] };
  const push = { resource: "shop/", actions: ["reg:PushRepository", "reg:PullRepository"] };
  const base = () => ({ registryId, name: `ci-${names++}`, permissions: [pull] });
  const modify = (change: object) => (id: string) =>
    cloud.call(registry.modifyServiceAccount, { registryId, name: id.split("/")[1] ?? "", ...change });
  const inTheWorld = (id: string, parts: Readonly<Record<string, unknown>>) =>
    alter(stage, "serviceAccounts", id.replace("/", "/reg$"), parts);
  const strange = { ...pull, actions: ["reg:PullRepository", "reg:Everything"] };
  const changed = setByHand(modify, ["ModifyServiceAccount"]);
  const end = "2099-01-01T00:00:00Z";
  return {
    unread: {
      registryId: "is a part of the id",
      name: "is a part of the id",
      passwordVersion: "is the program's own count of what it had drawn anew; the password itself is not told",
    },
    cases: [
      changed(base(), { permissions: [pull, push] }, { byHand: modify({ permissions: [push, pull] }) }),
      changed({ ...base(), permissions: [{ ...pull, resource: "team" }, push] }, { permissions: [push] }, { how: "one taken away" }),
      changed(
        base(),
        { permissions: [strange] },
        { how: "an action that no program can write", byHand: (id) => inTheWorld(id, { permissions: [strange] }) },
      ),
      unnoticed(
        "permissions",
        "in another order",
        { ...base(), permissions: [{ ...pull, resource: "team" }, push] },
        modify({ permissions: [{ ...push, actions: push.actions.toReversed() }, pull] }),
      ),
      changed({ ...base(), description: "for builds" }, { description: "mine" }),
      changed(base(), { disable: true }),
      changed(
        { ...base(), expiresAt: end },
        { expiresAt: "2098-12-31T23:59:59.999Z" },
        { byHand: modify({ expiresAt: Date.parse(end) - 1 }) },
      ),
      changed({ ...base(), expiresAt: end }, { expiresAt: undefined }, { how: "never any more", byHand: modify({ expiresAt: -1 }) }),
      changed(
        base(),
        { expiresAt: "2099-01-01T00:00:00.000Z" },
        { how: "put in, by days", byHand: (id) => inTheWorld(id, { expiresAt: Date.parse(end) }) },
      ),
      unnoticed("disable", "and all else with its default", { ...base(), description: "", disable: false, passwordVersion: "1" }),
    ],
  };
}
