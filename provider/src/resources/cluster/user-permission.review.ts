import { undone } from "../../review/judge/judgement.ts";
import { type ReviewOf, textOr } from "../../review/judge/reviewed.ts";

/** What the reviewer knows about a UserPermission. */
export const review: ReviewOf<"UserPermission"> = {
  seconds: { create: 3, update: 3, delete: 3 },
  ending: {
    unreachable: ({ before }) => [`what this permission allows ${textOr(before?.["targetUin"], "the sub-account")} to do in the cluster`],
    undo: undone("the same permission can be granted again"),
  },
  changes: {},
  opens: {
    decidedBy: ({ roleName }) => ({ roleName }),
    opening: ({ roleName, targetUin }) =>
      roleName === "svc:admin"
        ? { property: "roleName", sentence: `${textOr(targetUin, "a user")} may do everything in the cluster (svc:admin)` }
        : undefined,
  },
  replacement: ({ before = {}, inputs, replaceKeys }) => {
    if (!replaceKeys.includes("roleName") || replaceKeys.includes("clusterId")) return undefined;
    const [old, now] = [textOr(before["roleName"], ""), textOr(inputs["roleName"], "")];
    const [from, to] = [ranks.indexOf(old), ranks.indexOf(now)];
    const all = now === "svc:admin" ? ", which may do everything in the cluster" : "";
    return {
      property: "roleName",
      code: from < 0 || to < 0 ? "access-changed" : to > from ? "access-opened" : "access-narrowed",
      sentence: `${textOr(inputs["targetUin"], "a user")} gets ${now || "another role"}${all}, instead of ${old}`,
      undo: undone("the old role can be granted again"),
    };
  },
  // Grants of a user in a region.
  limit: {
    what: "permissions of a user in a region",
    limit: 100,
    per: ({ inputs, before, region }) => `${textOr(inputs["targetUin"] ?? before?.["targetUin"], "a user")} in ${region ?? "the region"}`,
  },
};

/** The preset roles, from the one that allows least to the one that allows most. */
const ranks = ["svc:ns:ro", "svc:ro", "svc:ns:dev", "svc:dev", "svc:ops", "svc:admin"];
