import { openToAll, ruleChange } from "../../review/assess/access.ts";
import { access, partlyUndone, refusedBy, type ReviewOf } from "../../review/assess/reviewed.ts";
import { displayNameOfUrn } from "../../review/plan/names.ts";
import { holdsHidden, isFields, isList, sourcesOf, Unknown, type Value } from "../../review/plan/values.ts";

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
      if (rules.length > 0) return { property: "ingress", sentence: `lets the whole internet in: ${rules.join(", ")}` };
      const all = isList(ingress) ? ingress.map(withoutGroup) : [];
      const later = all.filter(isOfBlock);
      if (later.length === 0 || all.some((rule) => !later.includes(rule) && holdsHidden(rule))) return undefined;
      const blocks = sourcesOf(later).map(displayNameOfUrn).join(", ");
      return { property: "ingress", sentence: `admits an IPv6 range that is known only after apply, and comes from ${blocks}` };
    },
  },
};

/** Whether a rule accepts, and all of it is known but its range, which comes from the IPv6 block of a VPC. */
function isOfBlock(rule: Value): boolean {
  if (!isFields(rule) || rule["action"] !== "ACCEPT") return false;
  const { ipv6CidrBlock: range, ...known } = rule;
  const isBlocks =
    range instanceof Unknown && range.from.length > 0 && range.from.map(displayNameOfUrn).every((name) => name.startsWith("Ipv6Block "));
  return isBlocks && !holdsHidden(known);
}

/** A rule without the other group that it names: whichever that is, it is not the internet. */
function withoutGroup(rule: Value): Value {
  return isFields(rule) ? Object.fromEntries(Object.entries(rule).filter(([key]) => key !== "securityGroupId")) : rule;
}
