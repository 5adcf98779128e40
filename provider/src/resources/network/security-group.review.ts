import { openToAll, ruleChange } from "../../review/assess/access.ts";
import { access, partlyUndone, refusedBy, type ReviewOf } from "../../review/assess/reviewed.ts";
import { isFields, isList, type Value } from "../../review/plan/values.ts";

/** What the reviewer knows about a SecurityGroup. */
export const review: ReviewOf<"SecurityGroup"> = {
  seconds: { create: 3, update: 3, delete: 3 },
  ending: {
    unreachable: () => [],
    undo: partlyUndone("a group can be created again, with another id"),
    refused: "the platform refuses to delete it while something uses it",
    whileThere: refusedBy("NodePool", "ClusterEndpoint", "SecurityGroup"),
  },
  changes: {
    groupName: "harmless",
    groupDescription: "harmless",
    tags: "harmless",
    ingress: access(({ before, after }) => ruleChange(before, after), "the resources with this group", "the resources with this group"),
    egress: access(({ before, after }) => ruleChange(before, after), "the way out of the resources with this group", "the other end"),
  },
  opens: {
    decidedBy: ({ ingress }) => ({ ingress: isList(ingress) ? ingress.map(withoutGroup) : ingress }),
    opening: ({ ingress }) => {
      const rules = openToAll(ingress);
      return rules.length === 0 ? undefined : { property: "ingress", sentence: `lets the whole internet in: ${rules.join(", ")}` };
    },
  },
};

/** A rule without the other group that it names: whichever that is, it is not the internet. */
function withoutGroup(rule: Value): Value {
  return isFields(rule) ? Object.fromEntries(Object.entries(rule).filter(([key]) => key !== "securityGroupId")) : rule;
}
