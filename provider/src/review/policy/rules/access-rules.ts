import { presetRoles } from "@container-platform/sdk/cluster";
import * as z from "@container-platform/sdk/zod";
import { secondsOf } from "../../../definition/duration.ts";
import { adjustable, rule, type Rule } from "../language/rule.ts";
import { all, not } from "../language/truth.ts";

/** How many seconds a temp token is valid (specification, Registry). */
const lifetime = 3600;

/** Tokens of registries. */
export const tokenRules: readonly Rule[] = [
  rule({
    id: "CP-TOK-001",
    kinds: ["Token"],
    title: "Tokens expire by themselves",
    severity: "low",
    enforcement: "advise",
    found: "makes a token that stays valid until somebody deletes it",
    why: "An attacker can use a leaked token until you detect the leak.",
    remedy: "Use `temp` if `pulumi up` runs every hour. Replace long-term tokens regularly.",
    fails: (inputs) => inputs.at("tokenType").is("longterm"),
  }),
  rule({
    id: "CP-TOK-002",
    kinds: ["Token"],
    title: "A long-term token has a description",
    severity: "low",
    enforcement: "advise",
    found: "does not say who uses the token",
    why: "You cannot tell whether an unexplained token is still in use, so it is never deleted.",
    remedy: "Set `desc` to the client that uses the token, and create one token for each client.",
    fails: (inputs) => {
      const unsaid = inputs.at("desc").text((text) => text.trim() === "");
      return all(inputs.at("tokenType").is("longterm"), unsaid);
    },
  }),
  rule({
    id: "CP-TOK-003",
    kinds: ["Token"],
    title: "Disabled tokens are deleted",
    severity: "low",
    enforcement: "advise",
    found: "keeps a token that nobody may use",
    why: "One call enables it again, with the same password.",
    remedy: "Remove the token from the program when no client needs it.",
    fails: (inputs) => inputs.at("enabled").is(false),
  }),
  rule({
    id: "CP-TOK-004",
    kinds: ["Token"],
    title: "A temp token is not replaced too early",
    severity: "low",
    enforcement: "advise",
    found: "makes a new token with every `up`",
    why: "A temp token is valid for an hour. With a margin of an hour, every preview replaces the token.",
    remedy: "Use a shorter `renewBefore`, such as `10m`.",
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
    why: "An administrator can read every secret of the cluster, and can grant any permission.",
    remedy: "Grant `svc:ops`, or `svc:ns:dev` in the required namespaces.",
    cis: ["EKS 1.7.0 4.1.1", "Kubernetes 1.11.0 5.1.1"],
    fails: (inputs) => inputs.at("roleName").is("svc:admin"),
  }),
  rule({
    id: "CP-IAM-002",
    kinds: ["UserPermission"],
    title: "Users who change a cluster are limited to namespaces",
    severity: "medium",
    enforcement: "advise",
    found: "lets a user change resources in every namespace",
    why: "A mistake, or a stolen key, can damage the work of every team.",
    remedy: "Grant `svc:ns:dev` in the required namespaces.",
    cis: ["EKS 1.7.0 4.5.1"],
    fails: (inputs) => inputs.at("roleName").is("svc:ops", "svc:dev"),
  }),
  rule({
    id: "CP-IAM-003",
    kinds: ["UserPermission"],
    title: "Users do not have Kubernetes' own administrator roles",
    severity: "critical",
    enforcement: "block",
    found: "is a built-in role of Kubernetes, which may do everything or is meant for a component",
    why: "It bypasses the platform's roles: `cluster-admin` has all permissions, and `system:` roles are for components.",
    remedy: "Grant a preset role, or a custom role with a list of permissions.",
    cis: ["EKS 1.7.0 4.1.1", "Kubernetes 1.11.0 5.1.1"],
    fails: (inputs) => inputs.at("roleName").text((name) => name === "cluster-admin" || name.startsWith("system:")),
  }),
  rule({
    id: "CP-IAM-004",
    kinds: ["UserPermission"],
    title: "Custom roles are reviewed",
    severity: "medium",
    enforcement: "advise",
    found: "is a custom role, whose rights are defined only in the cluster",
    why: "The program does not contain its rights, so they can be extended without a review.",
    remedy: "Grant a preset role, or review the role's definition as well.",
    cis: ["EKS 1.7.0 4.1.3", "Kubernetes 1.11.0 5.1.3"],
    fails: (inputs) => inputs.at("roleName").text((name) => !Object.hasOwn(presetRoles, name)),
  }),
  rule({
    id: "CP-IAM-005",
    kinds: ["UserPermission"],
    title: "Users cannot change the cluster's own namespaces",
    severity: "critical",
    enforcement: "block",
    found: "is a namespace of the cluster itself",
    why: "A user who can start pods in `kube-system` can use the token of any component, and thereby control the whole cluster.",
    remedy: "Grant `svc:ns:ro` in this namespace, and use another namespace for the work.",
    fails: (inputs) => {
      const own = inputs.at("namespace").text((name) => name.startsWith("kube-"));
      return all(not(inputs.at("roleName").is("svc:ns:ro")), own);
    },
  }),
  rule({
    id: "CP-IAM-006",
    kinds: ["UserPermission"],
    title: "The namespace `default` is not used",
    severity: "low",
    enforcement: "advise",
    found: "is the namespace of all objects that name none",
    why: "The namespace mixes the objects of several teams: you cannot separate or limit them.",
    remedy: "Use a separate namespace.",
    cis: ["EKS 1.7.0 4.5.2"],
    checkov: ["CKV_K8S_21"],
    fails: (inputs) => inputs.at("namespace").is("default"),
  }),
  adjustable(
    { users: z.array(z.string()).default([]).describe("IDs of the users who may have permissions; an empty list allows all") },
    {
      id: "CP-IAM-007",
      kinds: ["UserPermission"],
      title: "Only listed users have permissions",
      severity: "medium",
      enforcement: "require-approval",
      found: "is a user who is not on the list",
      why: "One wrong digit gives access to another user of the account.",
      remedy: "Correct the ID, or ask for its addition to the list.",
      fails: (inputs, { users }) => inputs.at("targetUin").text((uin) => users.length > 0 && !users.includes(uin)),
    },
  ),
];
