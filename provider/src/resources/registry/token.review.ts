import { notUndone, risky, undone } from "../../review/judge/judgement.ts";
import type { Reviewed } from "../../review/judge/reviewed.ts";
import type { InputOf } from "../../review/plan/definition.ts";

/** What the reviewer knows of a Token. */
export const review: Reviewed<InputOf<"Token">> = {
  seconds: { create: 2, update: 2, delete: 2 },
  ending: {
    loses: () => "its password, which the platform tells once only",
    unreachable: () => ["whoever logs in to the registry with this token"],
    undo: notUndone("a token's password does not come back: what uses it needs the new one"),
  },
  changes: {
    enabled: risky(false, "access-narrowed", "nobody can log in with the token any more", {
      unreachable: "whoever logs in to the registry with this token",
      undo: undone("the token can be enabled again"),
    }),
  },
};
