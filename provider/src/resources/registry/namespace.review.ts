import { always, type Changed, type Judgement, notUndone, partlyUndone, type ReviewOf, risky } from "../../review/assess/reviewed.ts";

const everybody = "everybody who can reach the registry may pull its images without logging in";

export const review: ReviewOf<"Namespace"> = {
  seconds: { create: 3, update: 3, delete: 3 },
  ending: {
    loses: () => "its settings for scanning and retention",
    unreachable: () => ["pulls and pushes of its images"],
    undo: partlyUndone("a namespace can be created again, but its images have to be pushed again"),
    refused: "the platform refuses to delete it while images are in it",
    whileThere: ({ inputs: own }, { kind, inputs: { registryId, namespaceName } }) =>
      kind === "Repository" && registryId === own["registryId"] && namespaceName === own["namespaceName"] ? "refuses" : undefined,
  },
  changes: {
    tags: "harmless",
    isPublic: published,
    autoScan: risky(false, "safeguard-weakened", "images are no longer scanned when they are pushed"),
    severity: always("access-changed", "the severity of vulnerabilities from which images cannot be pulled changes", {
      unreachable: "images with vulnerabilities of the new severity or above",
    }),
    cveWhitelist: always("safeguard-weakened", "the list of ignored vulnerabilities changes"),
    retentionRule: always("irreversible", "the rule for which images are kept changes: it deletes all others", {
      undo: notUndone("images that the rule has deleted cannot be restored"),
    }),
  },
  opens: {
    decidedBy: ({ isPublic }) => ({ isPublic }),
    opening: ({ isPublic }) => (isPublic === true ? { property: "isPublic", sentence: everybody } : undefined),
  },
};

function published({ after }: Changed): readonly Judgement[] {
  if (after === true) return always("access-opened", everybody);
  if (after !== false) return [];
  return always("access-narrowed", "its images can be pulled only after logging in", {
    unreachable: "its images, for clients that do not log in",
  });
}
