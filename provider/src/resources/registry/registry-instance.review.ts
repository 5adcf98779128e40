import { entryText, itemsOf, listChange } from "../../review/judge/access.ts";
import { access, notUndone, note, protection, risky } from "../../review/judge/judgement.ts";
import type { ReviewOf } from "../../review/judge/reviewed.ts";
import { isFields, Unknown, type Value } from "../../review/plan/values.ts";

/** What the reviewer knows about a RegistryInstance. */
export const review: ReviewOf<"RegistryInstance"> = {
  seconds: { create: 300, update: 30, delete: 60, changes: { publicAccess: 30 } },
  ending: {
    loses: ({ before }) =>
      before?.["deleteBucket"] === true
        ? "all images, charts and their bucket"
        : "the registry with its namespaces, tokens and rules; the bucket with the images' layers is kept, and billed",
    unreachable: () => ["pulls and pushes of every image in it", "nodes that have to pull an image again"],
    undo: notUndone("a deleted registry cannot be restored; images have to be pushed again, and its name may be taken by then"),
  },
  changes: {
    tags: "harmless",
    publicAccess: access(
      ({ before, after }) => listChange(whitelistOf(before), whitelistOf(after), entryText),
      "the registry's public endpoint",
      "the registry from the internet",
    ),
    internalAccess: access(
      ({ before, after }) => listChange(before, after, entryText),
      "the registry's internal access",
      "the registry from the VPC",
    ),
    deletionProtection: protection,
    deleteBucket: risky(true, "safeguard-weakened", "a deletion of the registry will also delete its bucket with all images"),
    enableCosVersioning: risky(false, "safeguard-weakened", "overwritten and deleted layers are no longer kept"),
    registryType: note("the price changes, and what the registry can do"),
  },
  opens: {
    decidedBy: ({ publicAccess }) => ({ publicAccess }),
    opening: ({ publicAccess }) => {
      const ranges = itemsOf(whitelistOf(publicAccess)).map(entryText);
      return ranges.length === 0
        ? undefined
        : { property: "publicAccess", sentence: `opens the registry on the internet, to ${ranges.join(", ")}` };
    },
  },
};

function whitelistOf(access: Value | undefined): Value | undefined {
  return isFields(access) ? access["whitelist"] : access instanceof Unknown ? access : undefined;
}
