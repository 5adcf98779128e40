import type { z } from "zod";
import * as operations from "../../catalogue/vpc.ts";
import { addressFamily, contains, type Family } from "../../formats/addresses.ts";
import { familyFlaw, mostPolicies, networkRules, ruleRange } from "../../rules/network.ts";
import { longest } from "../../rules/rule.ts";
import { type Call, type CallOf, on } from "../behaviour.ts";
import { given } from "../requests/input.ts";
import {
  among,
  byId,
  exactly,
  filtered,
  type Filters,
  listed,
  type Listing,
  partly,
  refuseTooMany,
  requireRow,
  tagFilters,
} from "../requests/listing.ts";
import { firstFew, refuseLong, refuseName, refuseTags, refuseUnlessAllowed } from "../requests/names-and-tags.ts";
import { type Attachment, ownersOf, rangeOf } from "./subnets.ts";
import { attachments, securityGroups } from "./tables.ts";

export type SecurityGroupRow = z.output<typeof securityGroups.row>;
type Policy = SecurityGroupRow["egress"][number];
type Direction = "egress" | "ingress";
export type PolicySetInput = z.output<typeof operations.createSecurityGroupPolicies.input>["securityGroupPolicySet"];
type PolicyInput = NonNullable<PolicySetInput["egress"]>[number];
/** A call that changes rules, of any operation. */
type RuleCall = CallOf<typeof operations.deleteSecurityGroupPolicies>;

const listing: Listing<SecurityGroupRow> = {
  table: securityGroups,
  noun: "security group",
  ids: "SecurityGroupIds",
  filters: {
    "security-group-id": byId,
    "security-group-name": partly(({ name }) => [name]),
    "project-id": exactly(({ projectId }) => [projectId]),
    ...tagFilters,
  },
};

export const securityGroupBehaviours = [
  on(operations.createSecurityGroup, (call, { groupName: name, groupDescription: description, projectId = "0", tags = [] }) => {
    refuseName(call, "GroupName", name);
    refuseLong(call, "GroupDescription", description, longest.description);
    refuseTags(call, tags);
    const made = call.rows(securityGroups).insert({
      id: call.world.newId("sg", securityGroups),
      name,
      description,
      projectId,
      createdTime: call.timestamp,
      updateTime: call.timestamp,
      tags,
      version: 0,
      egress: [],
      ingress: [],
    });
    return { securityGroup: groupRecord(made) };
  }),

  on(operations.describeSecurityGroups, (call, { securityGroupIds, orderField, orderDirection = "ASC", ...asked }) => {
    const moment = orderField === "UpdateTime" ? "updateTime" : "createdTime";
    const sign = orderDirection === "ASC" ? 1 : -1;
    const order = (one: SecurityGroupRow, other: SecurityGroupRow) => sign * one[moment].localeCompare(other[moment]);
    const { totalCount, rows } = listed(call, listing, { ids: securityGroupIds, ...asked, order: orderField && order });
    return { totalCount, securityGroupSet: rows.map(groupRecord) };
  }),

  on(operations.modifySecurityGroupAttribute, (call, { securityGroupId, groupName, groupDescription }) => {
    groupOf(call, securityGroupId);
    if (groupName !== undefined) refuseName(call, "GroupName", groupName);
    if (groupDescription !== undefined) refuseLong(call, "GroupDescription", groupDescription, longest.description);
    const change = given({ name: groupName, description: groupDescription });
    call.rows(securityGroups).update(securityGroupId, { ...change, updateTime: call.timestamp });
  }),

  on(operations.deleteSecurityGroup, (call, { securityGroupId }) => {
    groupOf(call, securityGroupId);
    const users = usersOf(call, securityGroupId);
    const naming = groupsNaming(call, securityGroupId);
    const left = [
      ...(users.length > 0 ? [`it is used by ${ownersOf(users)}`] : []),
      ...(naming.length > 0 ? [`rules of ${firstFew(naming)} name it`] : []),
    ];
    if (left.length > 0)
      throw call.error("ResourceInUse", `security group ${securityGroupId} cannot be deleted while ${left.join(" and ")}`);
    call.rows(securityGroups).remove(securityGroupId);
  }),

  on(operations.describeSecurityGroupAssociationStatistics, (call, { securityGroupIds: ids }) => {
    if (ids.length === 0) throw call.error("InvalidParameterValue.Empty", "SecurityGroupIds is empty; it takes 1 to 100 ids");
    refuseTooMany(call, "SecurityGroupIds", ids);
    return {
      securityGroupAssociationStatisticsSet: [...new Set(ids)].map((id) => {
        groupOf(call, id);
        return associationStatistics(id, usersOf(call, id), groupsNaming(call, id).length);
      }),
    };
  }),

  on(operations.describeSecurityGroupPolicies, (call, { securityGroupId, filters: asked }) => {
    const group = groupOf(call, securityGroupId);
    const of = (direction: Direction) => {
      const placed = group[direction].map((policy, policyIndex) => ({ policy, policyIndex, direction }));
      return filtered(call, filters, asked, placed).map(({ policy: { description, ...policy }, policyIndex }) => ({
        policyIndex,
        ...policy,
        policyDescription: description,
      }));
    };
    return {
      securityGroupPolicySet: {
        version: String(group.version),
        egress: of("egress"),
        ingress: of("ingress"),
        policyStatistics: policyStatistics(group),
      },
    };
  }),

  on(operations.createSecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet: set }) => {
    const { group, direction, policies } = requestedChange(call, securityGroupId, set);
    const present = group[direction];
    const at = placeFor(call, policies, present.length);
    const added = policies.map((policy) => policyOf(call, policy));
    const rules = present.toSpliced(at, 0, ...added);
    refuseTooManyRules(call, securityGroupId, rules, direction);
    refuseDuplicates(call, rules, direction);
    changeRules(call, group, { [direction]: rules });
  }),

  on(operations.deleteSecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet: set }) => {
    const { group, direction, policies } = requestedChange(call, securityGroupId, set);
    const gone = deletedPlaces(call, policies, group[direction]);
    changeRules(call, group, { [direction]: group[direction].filter((_, index) => !gone.has(index)) });
  }),

  on(operations.replaceSecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet: set }) => {
    const { group, direction, policies } = requestedChange(call, securityGroupId, set);
    const rules = [...group[direction]];
    const places = new Set<number>();
    for (const policy of policies) {
      const { policyIndex: index } = policy;
      if (index === undefined) throw call.error("MissingParameter", "PolicyIndex is required in a rule that replaces another");
      refuseNoRule(call, index, rules.length);
      if (places.has(index))
        throw call.error("InvalidParameterValue", `PolicyIndex ${index} is given twice; a rule is replaced by one other`);
      places.add(index);
      rules[index] = policyOf(call, policy);
    }
    refuseDuplicates(call, rules, direction);
    changeRules(call, group, { [direction]: rules });
  }),
];

function groupOf(call: Call<"ResourceNotFound">, id: string): SecurityGroupRow {
  return requireRow(call, securityGroups, "security group", id);
}

function usersOf(call: Call, id: string): Attachment[] {
  return call.list(attachments).filter(({ securityGroupIds }) => securityGroupIds.includes(id));
}

/** Ids of the other groups with a rule that names this one. */
function groupsNaming(call: Call, id: string): string[] {
  return call
    .list(securityGroups)
    .filter((group) => group.id !== id && [...group.egress, ...group.ingress].some(({ securityGroupId }) => securityGroupId === id))
    .map((group) => group.id);
}

function associationStatistics(securityGroupId: string, users: readonly Attachment[], sg: number) {
  const owners = new Set(users.map(({ owner }) => owner));
  const counts = { CVM: 0, ENI: 0, CLB: 0 };
  for (const owner of owners) counts[owner.startsWith("ins-") ? "CVM" : owner.startsWith("lb-") ? "CLB" : "ENI"]++;
  const instanceStatistics = Object.entries(counts)
    .map(([instanceType, instanceCount]) => ({ instanceType, instanceCount }))
    .filter(({ instanceCount }) => instanceCount > 0);
  const { CVM: cvm, ENI: eni, CLB: clb } = counts;
  return { securityGroupId, cvm, cdb: 0, eni, sg, clb, instanceStatistics, totalCount: owners.size };
}

/** A record has the field names of the specification and those of the public API. */
function groupRecord({ id, name, description, projectId, createdTime, updateTime, tags }: SecurityGroupRow) {
  return {
    securityGroupId: id,
    groupName: name,
    groupDescription: description,
    securityGroupName: name,
    securityGroupDesc: description,
    projectId,
    isDefault: false,
    createdTime,
    updateTime,
    tagSet: tags,
  };
}

const protocols = ["TCP", "UDP", "ICMP", "ICMPV6", "GRE", "ALL"] as const;
const actions = ["ACCEPT", "DROP"] as const;

/** A rule in the canonical form in which it is stored and compared; refuses an invalid one (public API, section 3.3). */
function policyOf(call: RuleCall, policy: PolicyInput): Policy {
  refuseTemplates(call, policy);
  const protocol = oneOf(call, "Protocol", policy.protocol, protocols);
  const action = oneOf(call, "Action", policy.action, actions);
  const source = sourceOf(call, policy);
  const odd = familyFlaw({ protocol, ...source });
  if (odd !== undefined) throw call.error("InvalidParameterValue", `Protocol ${odd}`);
  const description = policy.policyDescription ?? "";
  refuseLong(call, "PolicyDescription", description, longest.description);
  return { protocol, port: portOf(call, protocol, policy.port), ...source, action, description, modifyTime: call.timestamp };
}

/** The specification has no templates; in the public API's form, none exists. */
function refuseTemplates(call: RuleCall, { serviceTemplate, addressTemplate }: PolicyInput): void {
  if (!serviceTemplate && !addressTemplate) return;
  if (call.form === "specification")
    throw call.error("InvalidParameter", `${call.operation.action} has no parameter ServiceTemplate or AddressTemplate of a rule`);
  const named = Object.values({ ...serviceTemplate, ...addressTemplate }).join(", ");
  throw call.error("ResourceNotFound", `there is no template ${named} in ${call.region}, which a rule names`);
}

/** A rule as text without its description: rules with the same text are duplicates. */
function ruleText({ protocol, port, cidrBlock, ipv6CidrBlock, securityGroupId, action }: Policy): string {
  const range = cidrBlock ?? ipv6CidrBlock;
  return [protocol, port, range === undefined ? securityGroupId : whole(range), action].join(" ");
}

function oneOf<const Value extends string>(call: RuleCall, parameter: string, given: string | undefined, values: readonly Value[]): Value {
  if (given === undefined) throw call.error("MissingParameter", `${parameter} is required in a rule`);
  const value = values.find((candidate) => candidate === given.toUpperCase());
  if (value === undefined) throw call.error("InvalidParameterValue", `${parameter} is ${given}; it takes ${values.join(", ")}`);
  return value;
}

/** Exactly one of an IPv4 range, an IPv6 range and an existing group. */
function sourceOf(call: RuleCall, { cidrBlock, ipv6CidrBlock, securityGroupId }: PolicyInput) {
  const count = [cidrBlock, ipv6CidrBlock, securityGroupId].filter((source) => source !== undefined).length;
  if (count === 0) throw call.error("MissingParameter", "a rule needs one of CidrBlock, Ipv6CidrBlock and SecurityGroupId");
  if (count > 1) throw call.error("InvalidParameter.Coexist", "a rule takes only one of CidrBlock, Ipv6CidrBlock and SecurityGroupId");
  if (cidrBlock !== undefined) return { cidrBlock: peerOf(call, "CidrBlock", cidrBlock, 4) };
  if (ipv6CidrBlock !== undefined) return { ipv6CidrBlock: peerOf(call, "Ipv6CidrBlock", ipv6CidrBlock, 6) };
  if (securityGroupId !== undefined && !call.rows(securityGroups).get(securityGroupId))
    throw call.error("ResourceNotFound", `there is no security group ${securityGroupId} in ${call.region}, which a rule names`);
  return { securityGroupId };
}

/** The range of a rule's peer, or, in the public API's form, its address. There, `0.0.0.0/n` is `0.0.0.0/0`. */
function peerOf(call: RuleCall, parameter: string, text: string, family: Family): string {
  const isAddress = call.form === "public" && addressFamily(text) === family;
  const { canonical } = rangeOf(call, parameter, isAddress ? whole(text) : text, family);
  const range = call.form === "public" ? (ruleRange(canonical) ?? canonical) : canonical;
  return isAddress && range === canonical ? range.slice(0, range.indexOf("/")) : range;
}

/** `ALL`; or, for TCP and UDP, ports and ranges of ports as given. */
function portOf(call: RuleCall, protocol: string, given = "ALL"): string {
  if (given.toUpperCase() === "ALL") return "ALL";
  if (protocol !== "TCP" && protocol !== "UDP")
    throw call.error(
      "InvalidParameterValue",
      `Port is ${given} with Protocol ${protocol}; ports go with TCP and UDP only, otherwise it is ALL`,
    );
  refuseUnlessAllowed(call, "InvalidParameterValue.Malformed", "Port", given, networkRules.portForm);
  refuseUnlessAllowed(call, "InvalidParameterValue.Range", "Port", given, networkRules.ports);
  return given;
}

const filters: Filters<{ policy: Policy; direction: Direction }> = {
  "security-group-id": exactly(({ policy: { securityGroupId } }) => (securityGroupId === undefined ? [] : [securityGroupId])),
  ip: partly(({ policy: { cidrBlock, ipv6CidrBlock } }) => [cidrBlock ?? "", ipv6CidrBlock ?? ""]),
  "protocol-type": among(protocols, ({ policy }) => [policy.protocol]),
  port: partly(({ policy }) => ["ALL", policy.port]),
  poly: among(["ALL", ...actions], ({ policy }) => ["ALL", policy.action]),
  direction: among(["ALL", "ingress", "egress"], ({ direction }) => ["ALL", direction]),
};

/** The group, the direction and the rules of a call that changes rules; refused if the group's rules are not at the version it gives. */
function requestedChange(call: RuleCall, securityGroupId: string, { version, egress, ingress }: PolicySetInput) {
  const group = groupOf(call, securityGroupId);
  if (egress && ingress) throw call.error("InvalidParameter.Coexist", "Egress and Ingress cannot be given together; make two calls");
  const policies = egress ?? ingress;
  if (!policies) throw call.error("MissingParameter", "SecurityGroupPolicySet needs Egress or Ingress");
  const direction: Direction = egress ? "egress" : "ingress";
  if (policies.length === 0)
    throw call.error(
      "InvalidParameterValue.Empty",
      `SecurityGroupPolicySet.${egress ? "Egress" : "Ingress"} is empty; it takes at least one rule`,
    );
  if (version !== undefined && version !== String(group.version))
    throw call.error(
      "UnsupportedOperation.VersionMismatch",
      `rules of ${securityGroupId} are at version ${group.version}, not ${version}; read them again`,
    );
  return { group, direction, policies };
}

/** Replaces the rules of each direction that is given and not empty; all of them are removed at the version 0 (public API). */
export function replaceAllPolicies(
  call: CallOf<typeof operations.createSecurityGroupPolicies>,
  securityGroupId: string,
  { version, ...set }: PolicySetInput,
): void {
  const group = groupOf(call, securityGroupId);
  const rulesOf = (direction: Direction): Policy[] => {
    if (version === "0") return [];
    const asked = set[direction] ?? [];
    if (asked.length === 0) return group[direction];
    if (asked.some(({ policyIndex }) => policyIndex !== undefined))
      throw call.error("InvalidParameter", "PolicyIndex is given; the rules of a direction are replaced in their own order");
    const rules = asked.map((policy) => policyOf(call, policy));
    refuseTooManyRules(call, securityGroupId, rules, direction);
    refuseDuplicates(call, rules, direction);
    return rules;
  };
  if (version !== "0" && !set.egress && !set.ingress)
    throw call.error("MissingParameter", "SecurityGroupPolicySet needs Egress or Ingress, or Version 0");
  changeRules(call, group, { egress: rulesOf("egress"), ingress: rulesOf("ingress") });
}

function refuseTooManyRules(
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

function changeRules(call: Call, { id, version }: SecurityGroupRow, rules: Partial<Record<Direction, Policy[]>>): void {
  call.rows(securityGroups).update(id, { ...rules, version: version + 1, updateTime: call.timestamp });
}

/** The position at which a call's rules are inserted, in front of the rule there; the end unless given. All rules of a call have the same. */
function placeFor(call: RuleCall, policies: readonly PolicyInput[], length: number): number {
  const index = policies[0]?.policyIndex;
  if (policies.some(({ policyIndex }) => policyIndex !== index))
    throw call.error("InvalidParameterValue", "PolicyIndex differs between the rules of a call; give all of them the same one, or none");
  if (index === undefined) return length;
  if (index < 0 || index > length)
    throw call.error("InvalidParameterValue.Range", `PolicyIndex is ${index}; there are ${length} rules, so it takes 0 to ${length}`);
  return index;
}

/** The indexes of the rules to delete: a call names all of them by index alone, or all by their content. */
function deletedPlaces(call: RuleCall, policies: readonly PolicyInput[], present: readonly Policy[]): Set<number> {
  const byIndex = policies.some(({ policyIndex }) => policyIndex !== undefined);
  const places = policies.map(({ policyIndex: index, ...content }) => {
    if (byIndex && (index === undefined || Object.values(content).some((value) => value !== undefined)))
      throw call.error("InvalidParameter.Coexist", "rules are deleted either all by PolicyIndex alone, or all by their content");
    if (index !== undefined) {
      refuseNoRule(call, index, present.length);
      return index;
    }
    const wanted = ruleText(policyOf(call, content));
    const found = present.findIndex((policy) => ruleText(policy) === wanted);
    if (found < 0) throw call.error("ResourceNotFound", `there is no rule ${wanted}`);
    return found;
  });
  return new Set(places);
}

function refuseNoRule(call: RuleCall, index: number, length: number): void {
  if (index < 0 || index >= length)
    throw call.error("InvalidParameterValue.Range", `there is no rule with PolicyIndex ${index}; there are ${length}, numbered from 0`);
}

function refuseDuplicates(call: Call<"UnsupportedOperation.DuplicatePolicy">, rules: readonly Policy[], direction: Direction): void {
  const texts = rules.map(ruleText);
  const twin = texts.find((text, index) => texts.indexOf(text) < index);
  if (twin !== undefined) throw call.error("UnsupportedOperation.DuplicatePolicy", `there would be two ${direction} rules ${twin}`);
}

function policyStatistics({ egress, ingress }: SecurityGroupRow) {
  const ofIpv6 = (rules: readonly Policy[]) => rules.filter(({ ipv6CidrBlock }) => ipv6CidrBlock !== undefined).length;
  return {
    ingressIPv4TotalCount: ingress.length - ofIpv6(ingress),
    ingressIPv6TotalCount: ofIpv6(ingress),
    egressIPv4TotalCount: egress.length - ofIpv6(egress),
    egressIPv6TotalCount: ofIpv6(egress),
  };
}

/** Whether a security group lets a client connect to a TCP port. The first matching rule decides; without one it does not. */
export function allowsTcp({ ingress }: Pick<SecurityGroupRow, "ingress">, port: number, clientIp: string): boolean {
  const found = ingress.find(({ protocol, port: ports, cidrBlock, ipv6CidrBlock }) => {
    const range = addressFamily(clientIp) === 6 ? ipv6CidrBlock : cidrBlock;
    if (range === undefined || !isWithin(range, clientIp)) return false;
    return protocol === "ALL" || (protocol === "TCP" && (ports === "ALL" || ports.split(",").some((part) => hasPort(part, port))));
  });
  return found?.action === "ACCEPT";
}

function hasPort(part: string, port: number): boolean {
  const [from = "", to = from] = part.split("-");
  return Number(from) <= port && port <= Number(to);
}

/** Whether an address is in a range; the range may be a single address. */
export function isWithin(range: string, address: string): boolean {
  return contains(whole(range), whole(address));
}

function whole(text: string): string {
  return text.includes("/") ? text : `${text}/${addressFamily(text) === 6 ? 128 : 32}`;
}
