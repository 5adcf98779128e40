import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { type Drifts, setByHand, unnoticed } from "../../every-kind/drift-law.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type KindCases } from "../kind-cases.ts";
import { idsOfTable } from "../world-ids.ts";

const { update, remove } = judging("Repository");

async function drifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "drift-repositories");
  const place = { registryId, namespaceName: "team" };
  await makeNamespace(stage, registryId, place.namespaceName);
  let names = 0;
  const texts = { briefDescription: "The shop", description: "What customers see" };
  const base = () => ({ ...place, repositoryName: `web-${names++}`, ...texts });
  const modify = (change: object) => (id: string) =>
    cloud.call(registry.modifyRepository, { ...place, repositoryName: id.split("/")[2] ?? "", ...texts, ...change });
  const changed = setByHand(modify, ["ModifyRepository"]);
  const part = "is a part of the id";
  return {
    unread: { registryId: part, namespaceName: part, repositoryName: part, forceDelete: "is for the deletion" },
    cases: [
      changed(base(), { briefDescription: "Mine" }),
      changed(base(), { description: "Mine" }),
      changed(base(), { briefDescription: "", description: "" }, { input: "description", how: "and briefDescription, both emptied" }),
      unnoticed("description", "and all else with its default", { ...base(), briefDescription: "", description: "", forceDelete: false }),
    ],
  };
}

export const cases: KindCases = {
  drifts,
  creates: { operation: registry.createRepository },
  killed: {
    keyed: ({ stage, registryId }) => {
      const web = { registryId, namespaceName: "team", repositoryName: "web" };
      return {
        args: web,
        id: `${registryId}/team/web`,
        count: () => stage.rows("repositories"),
        // As a push does.
        byHand: () => stage.cloud.call(registry.createRepository, web),
        undo: () => stage.cloud.call(registry.deleteRepository, web),
      };
    },
  },
  site: async ({ cloud, idOf }) => {
    const place = { registryId: idOf("RegistryInstance"), namespaceName: "team", repositoryName: "tools/web" };
    await cloud.call(registry.createRepository, { ...place, description: "The shop" });
    return [Object.values(place).join("/")];
  },
  idsIn: idsOfTable("repositories"),
  program: {
    one: (called) => `new Repository("web", { registryId, namespaceName, repositoryName: "web", description: "${called}" });`,
  },
  random: {
    template: {
      needs: { namespace: "Namespace" },
      replaces: true,
      args: ({ version, place }, refer) => ({
        registryId: refer("namespace", "registryId"),
        namespaceName: refer("namespace", "namespaceName"),
        repositoryName: `place-${place}`,
        description: `version ${version}`,
      }),
    },
    renamed: { exempt: "its name cannot be changed" },
    deleted: { exempt: "is deleted with its namespace by hand" },
    imported: { exempt: "would need a registry that was made by hand, too" },
  },
  judged: {
    "images deleted with their repository": update({ forceDelete: false }, { forceDelete: true }, ["safeguard-weakened"]),
    "a safeguard that is not known yet": update({ forceDelete: false }, { forceDelete: unknown }, ["undecided"], {
      says: "known only after apply",
    }),
    "a repository deleted, with its images": remove({ forceDelete: true }, ["deletes"], { undo: "partly", says: "all images in it" }),
  },
};
