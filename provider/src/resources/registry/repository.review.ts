import { partlyUndone, type ReviewOf, risky } from "../../review/assess/reviewed.ts";

export const review: ReviewOf<"Repository"> = {
  seconds: { create: 2, update: 2, delete: 2 },
  ending: {
    loses: ({ before }) => (before?.["forceDelete"] === true ? "all images in it" : undefined),
    unreachable: () => ["pulls and pushes of its images"],
    undo: partlyUndone("a repository can be made again; images that went with it have to be pushed anew"),
    refused: "the platform refuses to delete it while images are in it, unless forceDelete is true",
  },
  changes: {
    briefDescription: "harmless",
    description: "harmless",
    forceDelete: risky(true, "safeguard-weakened", "once the repository is deleted, its images are deleted, too"),
  },
};
