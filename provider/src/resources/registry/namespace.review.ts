import { always, notUndone, partlyUndone, risky } from "../../review/judge/judgement.ts";
import type { Reviewed } from "../../review/judge/reviewed.ts";
import type { InputOf } from "../../review/plan/definition.ts";

/** What the reviewer knows about a Namespace. */
export const review: Reviewed<InputOf<"Namespace">> = {
  seconds: { create: 3, update: 3, delete: 3 },
  ending: {
    loses: () => "its settings for scanning and retention",
    unreachable: () => ["pulls and pushes of its images"],
    undo: partlyUndone("a namespace can be created again, but its images have to be pushed again"),
    refused: "the platform refuses to delete it while images are in it",
  },
  changes: {
    isPublic: ({ after }) =>
      after === true
        ? [
            {
              code: "access-opened",
              verdict: "needs-approval",
              sentence: "everybody who can reach the registry may pull its images without logging in",
            },
          ]
        : [
            {
              code: "access-narrowed",
              verdict: "needs-approval",
              sentence: "its images can be pulled only after logging in",
              unreachable: "its images, for clients that do not log in",
            },
          ],
    autoScan: risky(false, "safeguard-weakened", "images are no longer scanned when they are pushed"),
    severity: always("access-changed", "the severity of vulnerabilities from which images cannot be pulled changes", {
      unreachable: "images with vulnerabilities of the new severity or above",
    }),
    cveWhitelist: always("safeguard-weakened", "the list of ignored vulnerabilities changes"),
    retentionRule: always("irreversible", "the rule for which images are kept changes: it deletes all others", {
      undo: notUndone("images that the rule has deleted cannot be restored"),
    }),
  },
  opens: ({ isPublic }) =>
    isPublic === true
      ? { property: "isPublic", sentence: "everybody who can reach the registry may pull its images without logging in" }
      : undefined,
};
