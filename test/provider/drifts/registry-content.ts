import * as registry from "@container-platform/sdk/registry";
import type { Drifts } from "../drift.ts";
import { makeNamespace, makeRegistry } from "../outside.ts";
import type { Stage } from "../stage.ts";

export async function repositoryDrifts(stage: Stage): Promise<Drifts> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "drift-repositories");
  const place = { registryId, namespaceName: "team" };
  await makeNamespace(stage, registryId, place.namespaceName);
  let names = 0;
  const base = () => ({ ...place, repositoryName: `web-${names++}`, briefDescription: "The shop", description: "What customers see" });
  const modify = (briefDescription: string, description: string) => (id: string) =>
    cloud.call(registry.modifyRepository, { ...place, repositoryName: id.split("/")[2] ?? "", briefDescription, description });
  const repairs = ["ModifyRepository"];
  const part = "is a part of the id";
  return {
    type: "Repository",
    unread: { registryId: part, namespaceName: part, repositoryName: part, forceDelete: "is for the deletion" },
    cases: [
      {
        input: "briefDescription",
        from: base(),
        byHand: modify("Mine", "What customers see"),
        shows: { briefDescription: "Mine" },
        repairs,
      },
      { input: "description", from: base(), byHand: modify("The shop", "Mine"), shows: { description: "Mine" }, repairs },
      {
        input: "description",
        how: "and briefDescription, both emptied",
        from: base(),
        byHand: modify("", ""),
        shows: { briefDescription: "", description: "" },
        repairs,
      },
      {
        input: "description",
        how: "and all else with its default",
        from: { ...base(), briefDescription: "", description: "", forceDelete: false },
      },
    ],
  };
}
