import type { Props } from "../../support/structs.ts";
import type { Drift } from "../every-kind/drift-law.ts";
import { retag } from "../stage/outside.ts";
import type { Stage } from "../stage/stage.ts";

/** Tags of a kind that the tag product knows, changed behind the program's back. `base`: inputs of a resource of its own, without tags. */
export function tagDrifts(stage: Stage, kind: Parameters<typeof retag>[1], base: () => Props): Drift[] {
  const repairs = ["ModifyResourceTags"];
  const byHand = (tags: Parameters<typeof retag>[3]) => (id: string) => retag(stage, kind, id, tags);
  return [
    {
      input: "tags",
      from: { ...base(), tags: { team: "a", stage: "test" } },
      byHand: byHand({ team: "b", stage: undefined, owner: "me" }),
      shows: { tags: { team: "b", owner: "me" } },
      repairs,
    },
    {
      input: "tags",
      how: "put on where there were none",
      from: base(),
      byHand: byHand({ owner: "me" }),
      shows: { tags: { owner: "me" } },
      repairs,
    },
    {
      input: "tags",
      how: "taken off",
      from: { ...base(), tags: { team: "a" } },
      byHand: byHand({ team: undefined }),
      shows: { tags: undefined },
      repairs,
    },
  ];
}
