import type { z } from "zod";
import type { createSecurityGroupPolicies } from "../../catalogue/vpc.ts";
import type { Call } from "../behaviour.ts";
import { familyFlaw, networkRules, ruleRange } from "../../rules/network.ts";
import { longest } from "../../rules/texts.ts";
import { refuseLong, refuseUnlessAllowed } from "../requests/names-and-tags.ts";
import { rangeOf } from "./ranges.ts";
import { securityGroups } from "./tables.ts";

export type PolicySetInput = z.output<typeof createSecurityGroupPolicies.input>["securityGroupPolicySet"];
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
export function policyOf(call: Call<RuleCode>, given: PolicyInput): Policy {
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
export function ruleText({ protocol, port, cidrBlock, ipv6CidrBlock, securityGroupId, action }: Policy): string {
  return [protocol, port, cidrBlock ?? ipv6CidrBlock ?? securityGroupId, action].join(" ");
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
  if (cidrBlock !== undefined) {
    const { canonical } = rangeOf(call, "CidrBlock", cidrBlock, 4);
    return { cidrBlock: call.form === "public" ? (ruleRange(canonical) ?? canonical) : canonical };
  }
  if (ipv6CidrBlock !== undefined) return { ipv6CidrBlock: rangeOf(call, "Ipv6CidrBlock", ipv6CidrBlock, 6).canonical };
  if (securityGroupId !== undefined && !call.rows(securityGroups).get(securityGroupId))
    throw call.error("ResourceNotFound", `there is no security group ${securityGroupId} in ${call.region}, which a rule names`);
  return { securityGroupId };
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
