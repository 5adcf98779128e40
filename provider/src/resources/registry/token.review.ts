import { notUndone, type ReviewOf, risky, textOr, undone } from "../../review/assess/reviewed.ts";

export const review: ReviewOf<"Token"> = {
  seconds: { create: 2, update: 2, delete: 2 },
  ending: {
    loses: ({ before }) =>
      before?.["tokenType"] === "temp"
        ? "nothing on the platform, which deletes no temp token: it lets in until it expires, or its registry is gone"
        : "its password, which the platform returns only once",
    unreachable: ({ before }) => (before?.["tokenType"] === "temp" ? [] : ["whoever logs in to the registry with this token"]),
    undo: notUndone("the password cannot be restored; clients that use it need a new one"),
  },
  changes: {
    desc: "harmless",
    renewBefore: "harmless",
    enabled: (changed) => [
      ...risky(true, "access-opened", "one can log in with the token again, and do everything in the registry")(changed),
      ...risky(false, "access-narrowed", "nobody can log in with the token any more", {
        unreachable: "whoever logs in to the registry with this token",
        undo: undone("the token can be enabled again"),
      })(changed),
    ],
  },
  opens: {
    decidedBy: () => ({}),
    // In a registry that is new itself, there is nothing yet that somebody gets at.
    opening: ({ registryId, enabled }, isThere) =>
      isThere(registryId) && enabled !== false
        ? { property: "registryId", sentence: `a new login, which may do everything in ${textOr(registryId, "its registry")}` }
        : undefined,
  },
};
