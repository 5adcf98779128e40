import { presetRoles } from "@container-platform/sdk/cluster";
import * as z from "@container-platform/sdk/zod";
import { secondsOf } from "../../definition/duration.ts";
import { adjustable, rule, type Rule } from "./rule.ts";
import { all, not } from "./truth.ts";

/** How long a temp token is good for (specification, Registry). */
const lifetime = 3600;

/** Tokens of registries. */
export const tokenRules: readonly Rule[] = [
  rule({
    id: "CP-TOK-001",
    kinds: ["Token"],
    title: "Tokens end by themselves",
    severity: "low",
    enforcement: "advise",
    found: "is a token that lives until somebody deletes it",
    why: "A token that got into wrong hands is good for as long as nobody notices.",
    remedy: "Take `temp` where an `up` runs within the hour, and make long-term ones anew from time to time.",
    fails: (inputs) => inputs.at("tokenType").is("longterm"),
  }),
  rule({
    id: "CP-TOK-002",
    kinds: ["Token"],
    title: "A long-term token says who uses it",
    severity: "low",
    enforcement: "advise",
    found: "does not say who uses the token",
    why: "A token that nobody can explain is never deleted, for fear that something stops.",
    remedy: "Set `desc` to who logs in with it, and one token for each.",
    fails: (inputs) => {
      const unsaid = inputs.at("desc").text((text) => text.trim() === "");
      return all(inputs.at("tokenType").is("longterm"), unsaid);
    },
  }),
  rule({
    id: "CP-TOK-003",
    kinds: ["Token"],
    title: "A token that is disabled is deleted",
    severity: "low",
    enforcement: "advise",
    found: "keeps a token that nobody may use",
    why: "It is one call away from being usable again, with the password that was reason to disable it.",
    remedy: "Take the token out of the program, once nothing has stopped.",
    fails: (inputs) => inputs.at("enabled").is(false),
  }),
  rule({
    id: "CP-TOK-004",
    kinds: ["Token"],
    title: "A temp token is used before it is made anew",
    severity: "low",
    enforcement: "advise",
    found: "makes a new token with every `up`",
    why: "It lives for an hour: with a margin of that length it is due as soon as it is there, and no preview is ever silent.",
    remedy: "Take a shorter `renewBefore`, such as `10m`.",
    fails: (inputs) => inputs.at("renewBefore").text((text) => (secondsOf(text) ?? 0) >= lifetime),
  }),
];

/** Permissions in clusters. */
export const permissionRules: readonly Rule[] = [
  rule({
    id: "CP-IAM-001",
    kinds: ["UserPermission"],
    title: "Few people are administrators of a cluster",
    severity: "high",
    enforcement: "require-approval",
    found: "makes a user the cluster's administrator",
    why: "An administrator reads every secret of the cluster and may give himself, or whoever has his key, anything else.",
    remedy: "Give `svc:ops`, or `svc:ns:dev` in the namespaces that are needed.",
    cis: ["EKS 1.7.0 4.1.1", "Kubernetes 1.11.0 5.1.1"],
    fails: (inputs) => inputs.at("roleName").is("svc:admin"),
  }),
  rule({
    id: "CP-IAM-002",
    kinds: ["UserPermission"],
    title: "Who works in a cluster has namespaces of his own",
    severity: "medium",
    enforcement: "advise",
    found: "lets a user change things in every namespace",
    why: "A mistake, or a stolen key, reaches every team's work.",
    remedy: "Give `svc:ns:dev` in the namespaces that are needed.",
    cis: ["EKS 1.7.0 4.5.1"],
    fails: (inputs) => inputs.at("roleName").is("svc:ops", "svc:dev"),
  }),
  rule({
    id: "CP-IAM-003",
    kinds: ["UserPermission"],
    title: "Kubernetes' own administrator roles are not given to users",
    severity: "critical",
    enforcement: "block",
    found: "is a role of Kubernetes itself, which may do everything or speaks for a component",
    why: "It goes past the platform's roles: `cluster-admin` may do everything, and `system:` roles speak for components.",
    remedy: "Give a preset role, or a role of one's own that names what it may do.",
    cis: ["EKS 1.7.0 4.1.1", "Kubernetes 1.11.0 5.1.1"],
    fails: (inputs) => inputs.at("roleName").text((name) => name === "cluster-admin" || name.startsWith("system:")),
  }),
  rule({
    id: "CP-IAM-004",
    kinds: ["UserPermission"],
    title: "A custom role is looked at before it is given",
    severity: "medium",
    enforcement: "advise",
    found: "is a role whose rights only the cluster knows",
    why: "What it may do stands in the cluster, not in the program, and can become more without any review.",
    remedy: "Give a preset role, or keep the role's definition under review, too.",
    cis: ["EKS 1.7.0 4.1.3", "Kubernetes 1.11.0 5.1.3"],
    fails: (inputs) => inputs.at("roleName").text((name) => !Object.hasOwn(presetRoles, name)),
  }),
  rule({
    id: "CP-IAM-005",
    kinds: ["UserPermission"],
    title: "Nobody works in the cluster's own namespaces",
    severity: "critical",
    enforcement: "block",
    found: "is a namespace of the cluster itself",
    why: "Who may start pods in `kube-system` takes the token of any component, and with it the whole cluster.",
    remedy: "Give `svc:ns:ro` there, and work in a namespace of one's own.",
    fails: (inputs) => {
      const own = inputs.at("namespace").text((name) => name.startsWith("kube-"));
      return all(not(inputs.at("roleName").is("svc:ns:ro")), own);
    },
  }),
  rule({
    id: "CP-IAM-006",
    kinds: ["UserPermission"],
    title: "Nobody works in the namespace `default`",
    severity: "low",
    enforcement: "advise",
    found: "is the namespace that everything falls into which names none",
    why: "What several teams put there cannot be told apart, nor limited.",
    remedy: "Make a namespace for the work.",
    cis: ["EKS 1.7.0 4.5.2"],
    checkov: ["CKV_K8S_21"],
    fails: (inputs) => inputs.at("namespace").is("default"),
  }),
  adjustable(
    { users: z.array(z.string()).default([]).describe("Ids of the users who may have permissions; none listed: all") },
    {
      id: "CP-IAM-007",
      kinds: ["UserPermission"],
      title: "Only users of the list have permissions",
      severity: "medium",
      enforcement: "require-approval",
      found: "is a user who is not on the list",
      why: "A digit that is wrong gives a cluster to a stranger of the same account.",
      remedy: "Correct the id, or have it put on the list.",
      fails: (inputs, { users }) => inputs.at("targetUin").text((uin) => users.length > 0 && !users.includes(uin)),
    },
  ),
];
