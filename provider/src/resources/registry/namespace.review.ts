import { always, notUndone, partlyUndone, risky } from "../../review/judge/judgement.ts";
import type { Reviewed } from "../../review/judge/reviewed.ts";
import type { InputOf } from "../../review/plan/definition.ts";

/** What the reviewer knows of a Namespace. */
export const review: Reviewed<InputOf<"Namespace">> = {
  seconds: { create: 3, update: 3, delete: 3 },
  ending: {
    loses: () => "its rules of scanning and retention",
    unreachable: () => ["pulls and pushes of its images"],
    undo: partlyUndone("a namespace can be made again, but its images have to be pushed anew"),
    refused: "the platform refuses to delete it while images are in it",
  },
  changes: {
    isPublic: ({ after }) =>
      after === true
        ? [
            {
              code: "access-opened",
              verdict: "needs-approval",
              sentence: "everybody who reaches the registry may pull its images, without logging in",
            },
          ]
        : [
            {
              code: "access-narrowed",
              verdict: "needs-approval",
              sentence: "its images can be pulled only by those who log in",
              unreachable: "its images, for whoever pulls without logging in",
            },
          ],
    autoScan: risky(false, "safeguard-weakened", "images are no longer scanned when they are pushed"),
    severity: always("access-changed", "which images can be pulled changes, by the severity of what is found in them", {
      unreachable: "images with vulnerabilities of the new severity or above",
    }),
    cveWhitelist: always("safeguard-weakened", "which vulnerabilities do not count changes"),
    retentionRule: always("irreversible", "which images are kept changes: others are deleted", {
      undo: notUndone("images that the rule has deleted do not come back"),
    }),
  },
  opens: ({ isPublic }) =>
    isPublic === true
      ? { property: "isPublic", sentence: "everybody who reaches the registry may pull its images, without logging in" }
      : undefined,
};
