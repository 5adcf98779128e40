import type { z } from "zod";
import * as catalogue from "../../catalogue/vpc.ts";
import { addressFamily, contains, type Family } from "../../formats/addresses.ts";
import { familyFlaw, mostPolicies, networkRules, ruleRange } from "../../rules/network.ts";
import { longest } from "../../rules/rule.ts";
import { type Call, on } from "../behaviour.ts";
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
import { type Attachment, attachmentsBy, ownersOf, rangeOf } from "./subnets.ts";
import { securityGroups } from "./tables.ts";

export type SecurityGroupRow = z.output<typeof securityGroups.row>;

const listing: Listing<SecurityGroupRow> = {
  table: securityGroups,
  noun: "security group",
  ids: "SecurityGroupIds",
  filters: {
    "security-group-id": byId(),
    "security-group-name": partly(({ name }) => [name]),
    "project-id": exactly(({ projectId }) => [projectId]),
    ...tagFilters<SecurityGroupRow>(({ tags }) => tags),
  },
};

export const securityGroupBehaviours = [
  on(catalogue.createSecurityGroup, (call, { groupName: name, groupDescription: description, projectId = "0", tags = [] }) => {
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

  on(catalogue.describeSecurityGroups, (call, { securityGroupIds, orderField, orderDirection = "ASC", ...asked }) => {
    const moment = orderField === "UpdateTime" ? "updateTime" : "createdTime";
    const sign = orderDirection === "ASC" ? 1 : -1;
    const order = (one: SecurityGroupRow, other: SecurityGroupRow) => sign * one[moment].localeCompare(other[moment]);
    const { totalCount, rows } = listed(call, listing, { ids: securityGroupIds, ...asked, order: orderField && order });
    return { totalCount, securityGroupSet: rows.map(groupRecord) };
  }),

  on(catalogue.modifySecurityGroupAttribute, (call, { securityGroupId, groupName, groupDescription }) => {
    const was = requireRow(call, securityGroups, "security group", securityGroupId);
    if (groupName !== undefined) refuseName(call, "GroupName", groupName);
    if (groupDescription !== undefined) refuseLong(call, "GroupDescription", groupDescription, longest.description);
    call.rows(securityGroups).update(securityGroupId, {
      name: groupName ?? was.name,
      description: groupDescription ?? was.description,
      updateTime: call.timestamp,
    });
  }),

  on(catalogue.deleteSecurityGroup, (call, { securityGroupId }) => {
    requireRow(call, securityGroups, "security group", securityGroupId);
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

  on(catalogue.describeSecurityGroupAssociationStatistics, (call, { securityGroupIds: ids }) => {
    if (ids.length === 0) throw call.error("InvalidParameterValue.Empty", "SecurityGroupIds is empty; it takes 1 to 100 ids");
    refuseTooMany(call, "SecurityGroupIds", ids);
    return {
      securityGroupAssociationStatisticsSet: [...new Set(ids)].map((id) => {
        requireRow(call, securityGroups, "security group", id);
        return associationStatistics(id, usersOf(call, id), groupsNaming(call, id).length);
      }),
    };
  }),

  on(catalogue.describeSecurityGroupPolicies, (call, { securityGroupId, filters: asked }) => {
    const group = requireRow(call, securityGroups, "security group", securityGroupId);
    const of = (direction: Direction) => {
      const placed = group[direction].map((policy, index) => ({ policy, index, direction }));
      return filtered(call, filters, asked, placed).map(policyRecord);
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

  on(catalogue.createSecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet: set }) => {
    const { group, direction, given } = requestedChange(call, securityGroupId, set);
    const present = group[direction];
    const at = placeFor(call, given, present.length);
    const added = given.map((policy) => policyOf(call, policy));
    const rules = present.toSpliced(at, 0, ...added);
    refuseTooManyRules(call, securityGroupId, rules, direction);
    refuseDuplicates(call, rules, direction);
    changed(call, group, direction, rules);
  }),

  on(catalogue.deleteSecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet: set }) => {
    const { group, direction, given } = requestedChange(call, securityGroupId, set);
    const gone = deletedPlaces(call, given, group[direction]);
    const rules = group[direction].filter((_, index) => !gone.has(index));
    changed(call, group, direction, rules);
  }),

  on(catalogue.replaceSecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet: set }) => {
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
    changed(call, group, direction, rules);
  }),
];

function usersOf(call: Call, id: string): Attachment[] {
  return attachmentsBy(call, ({ securityGroupIds }) => securityGroupIds.includes(id));
}

/** Ids of the other groups with a rule that names this one. */
function groupsNaming(call: Call, id: string): string[] {
  return call
    .list(securityGroups)
    .filter((group) => group.id !== id && [...group.egress, ...group.ingress].some(({ securityGroupId }) => securityGroupId === id))
    .map((group) => group.id);
}

function associationStatistics(securityGroupId: string, users: readonly Attachment[], sg: number) {
  const owners = [...new Set(users.map(({ owner }) => owner))];
  const cvm = owners.filter((owner) => owner.startsWith("ins-")).length;
  const clb = owners.filter((owner) => owner.startsWith("lb-")).length;
  const eni = owners.length - cvm - clb;
  const kinds = [
    { instanceType: "CVM", instanceCount: cvm },
    { instanceType: "ENI", instanceCount: eni },
    { instanceType: "CLB", instanceCount: clb },
  ];
  return {
    securityGroupId,
    cvm,
    cdb: 0,
    eni,
    sg,
    clb,
    instanceStatistics: kinds.filter(({ instanceCount }) => instanceCount > 0),
    totalCount: owners.length,
  };
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

export type PolicySetInput = z.output<typeof catalogue.createSecurityGroupPolicies.input>["securityGroupPolicySet"];
export type PolicyInput = NonNullable<PolicySetInput["egress"]>[number];
export type Policy = z.output<typeof securityGroups.row>["egress"][number];

/** The codes with which a rule can be refused. */
export type RuleCode =
  | "ResourceNotFound"
  | "InvalidParameter.Coexist"
  | "InvalidParameterValue"
  | "InvalidParameterValue.Malformed"
  | "InvalidParameterValue.Range"
  | "InvalidParameterValue.TooLong";

const protocols = ["TCP", "UDP", "ICMP", "ICMPV6", "GRE", "ALL"] as const;
const actions = ["ACCEPT", "DROP"] as const;

/** A rule in the canonical form in which it is stored and compared; refuses an invalid one (public API, section 3.3). */
function policyOf(call: Call<RuleCode>, given: PolicyInput): Policy {
  refuseTemplates(call, given);
  const protocol = oneOf(call, "Protocol", given.protocol, protocols);
  const action = oneOf(call, "Action", given.action, actions);
  const source = sourceOf(call, given);
  const odd = familyFlaw({ protocol, ...source });
  if (odd !== undefined) throw call.error("InvalidParameterValue", `Protocol ${odd}`);
  const description = given.policyDescription ?? "";
  refuseLong(call, "PolicyDescription", description, longest.description);
  return { protocol, port: portOf(call, protocol, given.port), ...source, action, description, modifyTime: call.timestamp };
}

/** The specification has no templates; in the public API's form, none exists. */
function refuseTemplates(call: Call<"ResourceNotFound">, { serviceTemplate, addressTemplate }: PolicyInput): void {
  const named = { ...serviceTemplate, ...addressTemplate };
  if (!serviceTemplate && !addressTemplate) return;
  if (call.form === "specification")
    throw call.error("InvalidParameter", `${call.operation.action} has no parameter ServiceTemplate or AddressTemplate of a rule`);
  throw call.error("ResourceNotFound", `there is no template ${Object.values(named).join(", ")} in ${call.region}, which a rule names`);
}

/** A rule as text without its description: rules with the same text are duplicates. */
function ruleText({ protocol, port, cidrBlock, ipv6CidrBlock, securityGroupId, action }: Policy): string {
  const range = cidrBlock ?? ipv6CidrBlock;
  return [protocol, port, range === undefined ? securityGroupId : whole(range), action].join(" ");
}

function oneOf<const Value extends string>(
  call: Call<"InvalidParameterValue">,
  parameter: string,
  given: string | undefined,
  values: readonly Value[],
): Value {
  if (given === undefined) throw call.error("MissingParameter", `${parameter} is required in a rule`);
  const value = values.find((candidate) => candidate === given.toUpperCase());
  if (value === undefined) throw call.error("InvalidParameterValue", `${parameter} is ${given}; it takes ${values.join(", ")}`);
  return value;
}

/** Exactly one of an IPv4 range, an IPv6 range and an existing group. */
function sourceOf(call: Call<RuleCode>, given: PolicyInput): Pick<Policy, "cidrBlock" | "ipv6CidrBlock" | "securityGroupId"> {
  const { cidrBlock, ipv6CidrBlock, securityGroupId } = given;
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
function peerOf(call: Call<RuleCode>, parameter: string, text: string, family: Family): string {
  const isAddress = call.form === "public" && addressFamily(text) === family;
  const { canonical } = rangeOf(call, parameter, isAddress ? whole(text) : text, family);
  const range = call.form === "public" ? (ruleRange(canonical) ?? canonical) : canonical;
  return isAddress && range === canonical ? range.slice(0, range.indexOf("/")) : range;
}

/** `ALL`; or, for TCP and UDP, ports and ranges of ports as given. */
function portOf(call: Call<RuleCode>, protocol: string, given = "ALL"): string {
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
  "protocol-type": among(protocols, ({ policy }) => [policy.protocol]),
  port: partly(({ policy }) => ["ALL", policy.port]),
  poly: among(["ALL", ...actions], ({ policy }) => ["ALL", policy.action]),
  direction: among(["ALL", "ingress", "egress"], ({ direction }) => ["ALL", direction]),
};

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
): void {
  const group = requireRow(call, securityGroups, "security group", securityGroupId);
  const rulesOf = (direction: Direction): Policy[] => {
    if (version === "0") return [];
    const asked = given[direction] ?? [];
    if (asked.length === 0) return group[direction];
    if (asked.some(({ policyIndex }) => policyIndex !== undefined))
      throw call.error("InvalidParameter", "PolicyIndex is given; the rules of a direction are replaced in their own order");
    const rules = asked.map((policy) => policyOf(call, policy));
    refuseTooManyRules(call, securityGroupId, rules, direction);
    refuseDuplicates(call, rules, direction);
    return rules;
  };
  if (version !== "0" && !given.egress && !given.ingress)
    throw call.error("MissingParameter", "SecurityGroupPolicySet needs Egress or Ingress, or Version 0");
  const rules = { egress: rulesOf("egress"), ingress: rulesOf("ingress") };
  call.rows(securityGroups).update(group.id, { ...rules, version: group.version + 1, updateTime: call.timestamp });
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

function changed(call: Call, { id, version }: SecurityGroupRow, direction: Direction, rules: Policy[]): void {
  call.rows(securityGroups).update(id, { [direction]: rules, version: version + 1, updateTime: call.timestamp });
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

function policyRecord({ policy: { description, ...policy }, index }: Placed) {
  return { policyIndex: index, ...policy, policyDescription: description };
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
  return ingress.find((rule) => matches(rule, port, clientIp))?.action === "ACCEPT";
}

function matches({ protocol, port: ports, cidrBlock, ipv6CidrBlock }: Policy, port: number, clientIp: string): boolean {
  const range = addressFamily(clientIp) === 6 ? ipv6CidrBlock : cidrBlock;
  if (range === undefined || !isWithin(range, clientIp)) return false;
  return protocol === "ALL" || (protocol === "TCP" && (ports === "ALL" || ports.split(",").some((part) => hasPort(part, port))));
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
