import { type Judgement, type ReviewOf, textOr, undone } from "../../review/assess/reviewed.ts";
import { alike, type Fields, isText } from "../../review/plan/values.ts";

export const review: ReviewOf<"UserPermission"> = {
  seconds: { create: 3, update: 3, delete: 3 },
  ending: {
    unreachable: ({ before }) => [`what this permission allows ${textOr(before?.["targetUin"], "the sub-account")} to do in the cluster`],
    undo: undone("the same permission can be granted again"),
  },
  changes: {},
  opens: {
    decidedBy: ({ roleName }) => ({ roleName }),
    opening: ({ targetUin, clusterId, ...grant }, isThere) => {
      const who = textOr(targetUin, "a user");
      if (grant["roleName"] === "svc:admin")
        return { property: "roleName", sentence: `${who} may do everything in the cluster (svc:admin)` };
      // In a cluster that is new itself, there is nothing yet that somebody gets at.
      return isThere(clusterId) && isText(grant["roleName"])
        ? { property: "roleName", sentence: `${who} gets ${grantOf(grant).called} in ${textOr(clusterId, "its cluster")}` }
        : undefined;
    },
  },
  replacement: ({ before = {}, inputs, replaceKeys }) => {
    const property = (["roleName", "roleType", "namespace"] as const).find((key) => !alike(before[key], inputs[key]));
    if (property === undefined) return undefined;
    const [old, now] = [grantOf(before), grantOf(inputs)];
    const all = inputs["roleName"] === "svc:admin" ? ", which may do everything in the cluster" : "";
    return {
      property,
      code: codeOf(old, now),
      sentence: `${textOr(inputs["targetUin"], "a user")} gets ${now.called}${all}, instead of ${old.called}`,
      undo: undone("the old role can be granted again"),
      // With the same user and cluster, there is the same place with another role.
      ends: replaceKeys.includes("clusterId") || replaceKeys.includes("targetUin"),
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

interface Grant {
  readonly role: string;
  /** The namespace; `undefined` in the whole cluster. */
  readonly namespace: string | undefined;
  readonly called: string;
}

function grantOf({ roleName, roleType, namespace }: Fields): Grant {
  const role = textOr(roleName, "another role");
  const place = roleType === "cluster" ? undefined : textOr(namespace, "a namespace");
  return { role, namespace: place, called: place === undefined ? role : `${role} in ${place}` };
}

function codeOf(old: Grant, now: Grant): NonNullable<Judgement["code"]> {
  if (old.namespace !== undefined && now.namespace !== undefined && old.namespace !== now.namespace) return "access-changed";
  const [from, to] = [ranks.indexOf(old.role), ranks.indexOf(now.role)];
  const isWider = old.role === now.role ? now.namespace === undefined : to > from;
  return old.role !== now.role && (from < 0 || to < 0) ? "access-changed" : isWider ? "access-opened" : "access-narrowed";
}
