import * as registry from "@container-platform/sdk/registry";
import { at, unknown } from "../../../support/structs.ts";
import { type Drifts, unnoticed } from "../../every-kind/drift-law.ts";
import { makeRegistry } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type KindCases } from "../kind-cases.ts";
import { idsOfTable } from "../world-ids.ts";

const { update, create, remove } = judging("Token");

async function drifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "drift-tokens");
  const modify = (change: { modifyFlag: 1 | 2; desc?: string; enable?: boolean }) => (id: string) =>
    cloud.call(registry.modifyInstanceToken, { registryId, tokenId: id.split("/")[1] ?? "", ...change });
  const repairs = ["ModifyInstanceToken"];
  return {
    unread: { registryId: "is a part of the id", tokenType: "the id tells it", renewBefore: "is the program's own" },
    cases: [
      {
        input: "desc",
        from: { registryId, desc: "for nodes" },
        byHand: modify({ modifyFlag: 1, desc: "mine" }),
        shows: { desc: "mine" },
        repairs,
      },
      { input: "enabled", from: { registryId }, byHand: modify({ modifyFlag: 2, enable: false }), shows: { enabled: false }, repairs },
      unnoticed("enabled", "and all else with its default", { registryId, tokenType: "longterm", desc: "", enabled: true }),
    ],
  };
}

export const cases: KindCases = {
  drifts,
  creates: { operation: registry.createInstanceToken, takenBackBy: registry.deleteInstanceToken },
  killed: {
    noted: ({ stage, registryId }) => ({
      args: { registryId, desc: "for nodes" },
      count: () => stage.rows("registryTokens"),
      deletes: registry.deleteInstanceToken,
      confirms: registry.modifyInstanceToken,
    }),
  },
  secrets: ({ registryId }) => ({
    args: () => ({ registryId }),
    to: { desc: "changed" },
    secret: (props) => [at(props, "token")],
    inputs: false,
  }),
  site: async ({ cloud, idOf }) => {
    const registryId = idOf("RegistryInstance");
    const make = async (desc?: string) =>
      (await cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm", desc })).tokenId;
    return [`${registryId}/${await make("for builds")}`, `${registryId}/${await make()}`];
  },
  idsIn: idsOfTable("registryTokens", ({ parent, id }) => `${parent}/${id}`),
  program: { one: (called) => `new Token("pull", { registryId, desc: "${called}" });` },
  random: {
    template: {
      needs: { registry: "RegistryInstance" },
      replaces: false,
      args: ({ version }, refer) => ({ registryId: refer("registry", "registryId"), desc: `version ${version}` }),
    },
    renamed: { exempt: "has no name" },
    deleted: (cloud, { id }) => {
      const [registryId = "", tokenId = ""] = id.split("/");
      return cloud.call(registry.deleteInstanceToken, { registryId, tokenId });
    },
    imported: { exempt: "would need a registry that was made by hand, too" },
  },
  judged: {
    "a token enabled again": update({ enabled: false }, { enabled: true }, ["access-opened"]),
    "a new token of a registry that is there": create({ registryId: "tcr-1" }, ["access-opened"], { says: "a new login" }),
    "a new token of a new registry": create({ registryId: unknown }, []),
    "a temp token deleted": remove({ tokenType: "temp" }, ["deletes"], { says: "it lets in until it expires" }),
    "a token disabled": update({ enabled: true }, { enabled: false }, ["access-narrowed"], { undo: "yes" }),
  },
};
