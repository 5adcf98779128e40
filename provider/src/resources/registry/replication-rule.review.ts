import { always, type Judge, note, notUndone, partlyUndone, type ReviewOf, risky, undone } from "../../review/assess/reviewed.ts";
import type { Fields } from "../../review/plan/values.ts";

const overwritten = notUndone("images that were overwritten do not come back");

const stopped = risky(false, "interrupts", "images are no longer copied", {
  unreachable: "at the destination: images that are pushed from then on",
  undo: undone("the rule can be enabled again, but does not copy what was pushed meanwhile"),
});

/** What a rule that is in use does to images that are at the destination. A setting that is not known yet counts as on. */
function overwriting({ override = false, deletion = false }: Fields): string[] {
  return [
    ...(override === false ? [] : ["images of the same name at the destination are overwritten"]),
    ...(deletion === false ? [] : ["deleting an image deletes its copy, too, and so does a retention rule"]),
  ];
}

/** Judges what is copied where. What has the same name there may be overwritten. */
function elsewhere(sentence: string): Judge {
  return ({ old }) => {
    const [danger] = overwriting(old);
    return danger === undefined ? note(sentence) : always("safeguard-weakened", `${sentence}; ${danger}`, { undo: overwritten });
  };
}

export const review: ReviewOf<"ReplicationRule"> = {
  seconds: { create: 3, update: 3, delete: 3 },
  ending: {
    unreachable: () => ["at the destination: images that are pushed from then on"],
    undo: partlyUndone("the rule can be made again, but does not copy what is pushed meanwhile"),
  },
  changes: {
    description: "harmless",
    destNamespace: elsewhere("images are copied elsewhere from then on; the copies that are there stay"),
    filters: elsewhere("other images are copied from then on; the copies that are there stay"),
    override: risky(true, "safeguard-weakened", "images of the same name at the destination are overwritten", {
      undo: overwritten,
    }),
    deletion: risky(true, "safeguard-weakened", "deleting an image deletes its copy, too, and so does a retention rule", {
      undo: notUndone("copies that were deleted do not come back"),
    }),
    enabled: (changed) => [
      ...stopped(changed),
      ...(changed.after === true ? overwriting(changed.old) : []).flatMap((sentence) => always("safeguard-weakened", sentence)),
    ],
  },
  opens: {
    // A setting that is hidden counts as on.
    decidedBy: () => ({}),
    opening: (inputs) => {
      const [sentence, ...more] = inputs["enabled"] === false ? [] : overwriting(inputs);
      if (sentence === undefined) return undefined;
      const property = inputs["override"] === false ? "deletion" : "override";
      return { code: "safeguard-weakened", property, sentence: [sentence, ...more].join("; ") };
    },
  },
};
