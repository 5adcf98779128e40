import {
  createSecurityGroupPolicies,
  deleteSecurityGroupPolicies,
  describeSecurityGroupPolicies,
  replaceSecurityGroupPolicies,
} from "../../catalogue/vpc.ts";
import { mostPolicies } from "../../rules/network.ts";
import { type Call, on } from "../behaviour.ts";
import { requireRow } from "../requests/require-row.ts";
import { exactly, filtered, type Filters, partly } from "../requests/listing.ts";
import { type Policy, type PolicyInput, policyOf, type PolicySetInput, type RuleCode, ruleText } from "./policy-rules.ts";
import type { SecurityGroupRow } from "./security-groups.ts";
import { securityGroups } from "./tables.ts";

type Direction = "egress" | "ingress";

/** A rule, with its direction and position. */
interface Placed {
  readonly policy: Policy;
  readonly index: number;
  readonly direction: Direction;
}

const filters: Filters<Placed> = {
  "security-group-id": exactly(({ policy: { securityGroupId } }) => (securityGroupId === undefined ? [] : [securityGroupId])),
  ip: partly(({ policy: { cidrBlock, ipv6CidrBlock } }) => [cidrBlock ?? "", ipv6CidrBlock ?? ""]),
  "protocol-type": exactly(({ policy }) => [policy.protocol]),
  port: exactly(({ policy }) => [policy.port]),
  poly: exactly(({ policy }) => [policy.action]),
  direction: exactly(({ direction }) => [direction]),
};

export const policyBehaviours = [
  on(describeSecurityGroupPolicies, (call, { securityGroupId, filters: asked }) => {
    const group = requireRow(call, securityGroups, "security group", securityGroupId);
    const of = (direction: Direction) => {
      const placed = group[direction].map((policy, index) => ({ policy, index, direction }));
      return filtered(call, filters, asked, placed).map(recordOf);
    };
    return {
      securityGroupPolicySet: {
        version: String(group.version),
        egress: of("egress"),
        ingress: of("ingress"),
        policyStatistics: statisticsOf(group),
      },
    };
  }),

  on(createSecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet: set }) => {
    const { group, direction, given } = requestedChange(call, securityGroupId, set);
    const present = group[direction];
    const at = placeFor(call, given, present.length);
    const added = given.map((policy) => policyOf(call, policy));
    const rules = present.toSpliced(at, 0, ...added);
    refuseTooMany(call, securityGroupId, rules, direction);
    refuseDuplicates(call, rules, direction);
    return changed(call, group, direction, rules);
  }),

  on(deleteSecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet: set }) => {
    const { group, direction, given } = requestedChange(call, securityGroupId, set);
    const gone = deletedPlaces(call, given, group[direction]);
    return changed(
      call,
      group,
      direction,
      group[direction].filter((_, index) => !gone.has(index)),
    );
  }),

  on(replaceSecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet: set }) => {
    const { group, direction, given } = requestedChange(call, securityGroupId, set);
    const rules = [...group[direction]];
    const places = new Set<number>();
    for (const policy of given) {
      const { policyIndex: index } = policy;
      if (index === undefined) throw call.error("MissingParameter", "PolicyIndex is required in a rule that replaces another");
      refuseNoRule(call, index, rules.length);
      if (places.has(index))
        throw call.error("InvalidParameterValue", `PolicyIndex ${index} is given twice; a rule is replaced by one other`);
      places.add(index);
      rules[index] = policyOf(call, policy);
    }
    refuseDuplicates(call, rules, direction);
    return changed(call, group, direction, rules);
  }),
];

/** The group, the direction and the rules of a call that changes rules; refused if the group's rules are not at the version it gives. */
function requestedChange(
  call: Call<"ResourceNotFound" | "InvalidParameter.Coexist" | "InvalidParameterValue.Empty" | "UnsupportedOperation.VersionMismatch">,
  securityGroupId: string,
  { version, egress, ingress }: PolicySetInput,
): { group: SecurityGroupRow; direction: Direction; given: PolicyInput[] } {
  const group = requireRow(call, securityGroups, "security group", securityGroupId);
  if (egress && ingress) throw call.error("InvalidParameter.Coexist", "Egress and Ingress cannot be given together; make two calls");
  const given = egress ?? ingress;
  if (!given) throw call.error("MissingParameter", "SecurityGroupPolicySet needs Egress or Ingress");
  const direction = egress ? "egress" : "ingress";
  if (given.length === 0)
    throw call.error(
      "InvalidParameterValue.Empty",
      `SecurityGroupPolicySet.${egress ? "Egress" : "Ingress"} is empty; it takes at least one rule`,
    );
  if (version !== undefined && version !== String(group.version))
    throw call.error(
      "UnsupportedOperation.VersionMismatch",
      `rules of ${securityGroupId} are at version ${group.version}, not ${version}; read them again`,
    );
  return { group, direction, given };
}

/** Replaces the rules of each direction that is given and not empty; all of them are removed at the version 0 (public API). */
export function replaceAllPolicies(
  call: Call<RuleCode | "UnsupportedOperation.DuplicatePolicy" | "LimitExceeded.SecurityGroupPolicySet">,
  securityGroupId: string,
  { version, ...given }: PolicySetInput,
): Record<string, never> {
  const group = requireRow(call, securityGroups, "security group", securityGroupId);
  const rulesOf = (direction: Direction): Policy[] => {
    if (version === "0") return [];
    const asked = given[direction] ?? [];
    if (asked.length === 0) return group[direction];
    if (asked.some(({ policyIndex }) => policyIndex !== undefined))
      throw call.error("InvalidParameter", "PolicyIndex is given; the rules of a direction are replaced in their own order");
    const rules = asked.map((policy) => policyOf(call, policy));
    refuseTooMany(call, securityGroupId, rules, direction);
    refuseDuplicates(call, rules, direction);
    return rules;
  };
  if (version !== "0" && !given.egress && !given.ingress)
    throw call.error("MissingParameter", "SecurityGroupPolicySet needs Egress or Ingress, or Version 0");
  const rules = { egress: rulesOf("egress"), ingress: rulesOf("ingress") };
  call.rows(securityGroups).update(group.id, { ...rules, version: group.version + 1, updateTime: call.timestamp });
  return {};
}

function refuseTooMany(
  call: Call<"LimitExceeded.SecurityGroupPolicySet">,
  securityGroupId: string,
  rules: readonly Policy[],
  direction: Direction,
): void {
  if (rules.length > mostPolicies)
    throw call.error(
      "LimitExceeded.SecurityGroupPolicySet",
      `${securityGroupId} would have ${rules.length} ${direction} rules; a group has ${mostPolicies} in each direction at most`,
    );
}

function changed(call: Call, { id, version }: SecurityGroupRow, direction: Direction, rules: Policy[]): Record<string, never> {
  call.rows(securityGroups).update(id, { [direction]: rules, version: version + 1, updateTime: call.timestamp });
  return {};
}

/** The position at which a call's rules are inserted, in front of the rule there; the end unless given. All rules of a call have the same. */
function placeFor(
  call: Call<"InvalidParameterValue" | "InvalidParameterValue.Range">,
  given: readonly PolicyInput[],
  length: number,
): number {
  const index = given[0]?.policyIndex;
  if (given.some(({ policyIndex }) => policyIndex !== index))
    throw call.error("InvalidParameterValue", "PolicyIndex differs between the rules of a call; give all of them the same one, or none");
  if (index === undefined) return length;
  if (index < 0 || index > length)
    throw call.error("InvalidParameterValue.Range", `PolicyIndex is ${index}; there are ${length} rules, so it takes 0 to ${length}`);
  return index;
}

/** The indexes of the rules to delete: a call names all of them by index alone, or all by their content. */
function deletedPlaces(call: Call<RuleCode>, given: readonly PolicyInput[], present: readonly Policy[]): Set<number> {
  const gone = new Set<number>();
  const byIndex = given.some(({ policyIndex }) => policyIndex !== undefined);
  for (const { policyIndex: index, ...content } of given) {
    if (byIndex && (index === undefined || Object.values(content).some((value) => value !== undefined)))
      throw call.error("InvalidParameter.Coexist", "rules are deleted either all by PolicyIndex alone, or all by their content");
    if (index === undefined) {
      const wanted = ruleText(policyOf(call, content));
      const found = present.findIndex((policy) => ruleText(policy) === wanted);
      if (found < 0) throw call.error("ResourceNotFound", `there is no rule ${wanted}`);
      gone.add(found);
    } else {
      refuseNoRule(call, index, present.length);
      gone.add(index);
    }
  }
  return gone;
}

function refuseNoRule(call: Call<"InvalidParameterValue.Range">, index: number, length: number): void {
  if (index < 0 || index >= length)
    throw call.error("InvalidParameterValue.Range", `there is no rule with PolicyIndex ${index}; there are ${length}, numbered from 0`);
}

function refuseDuplicates(call: Call<"UnsupportedOperation.DuplicatePolicy">, rules: readonly Policy[], direction: Direction): void {
  const seen = new Set<string>();
  for (const rule of rules.map(ruleText)) {
    if (seen.has(rule)) throw call.error("UnsupportedOperation.DuplicatePolicy", `there would be two ${direction} rules ${rule}`);
    seen.add(rule);
  }
}

function recordOf({ policy: { description, ...policy }, index }: Placed) {
  return { policyIndex: index, ...policy, policyDescription: description };
}

function statisticsOf({ egress, ingress }: SecurityGroupRow) {
  const ofIpv6 = (rules: readonly Policy[]) => rules.filter(({ ipv6CidrBlock }) => ipv6CidrBlock !== undefined).length;
  return {
    ingressIPv4TotalCount: ingress.length - ofIpv6(ingress),
    ingressIPv6TotalCount: ofIpv6(ingress),
    egressIPv4TotalCount: egress.length - ofIpv6(egress),
    egressIPv6TotalCount: ofIpv6(egress),
  };
}
