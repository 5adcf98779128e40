import * as vpc from "@container-platform/sdk/vpc";
import {
  type Answer,
  type Cloud,
  canonicalRange,
  familyFlaw,
  hasHostBits,
  longest,
  mostPolicies,
  networkRules,
  ruleRange,
} from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../../definition/codes.ts";
import { allowed, object, short, spelt, told, withRule } from "../../definition/inputs.ts";
import { idOf } from "../../definition/ids.ts";
import { onNewestRead } from "../../definition/failures.ts";
import type { Flaw } from "../../schema/marks.ts";
import { edits } from "./list-edits.ts";
import { same } from "../../schema/values.ts";

const protocols = ["TCP", "UDP", "ICMP", "ICMPV6", "GRE", "ALL"] as const;
const lowerCase = ["tcp", "udp", "icmp", "icmpv6", "gre", "all"] as const;
const withPorts = /^(tcp|udp)$/i;

const ruleSchema = object({
  protocol: z.enum([...protocols, ...lowerCase]),
  port: allowed(z.string(), networkRules.ports).optional(),
  cidrBlock: rangeOf(4).optional(),
  ipv6CidrBlock: rangeOf(6).optional(),
  securityGroupId: idOf("sg").optional(),
  self: z.literal(true).optional(),
  action: z.enum(["ACCEPT", "DROP"]),
  policyDescription: short(longest.description).optional(),
});
export type Rule = z.output<typeof ruleSchema>;

const sources = "exactly one of cidrBlock, ipv6CidrBlock, securityGroupId and self";
/** What does not go together in one rule. */
const flaws: readonly ((rule: Rule) => Flaw | undefined)[] = [
  (rule) => {
    const given = [rule.cidrBlock, rule.ipv6CidrBlock, rule.securityGroupId, rule.self].filter((source) => source !== undefined).length;
    return given === 1 ? undefined : `takes ${sources}, not ${given}`;
  },
  ({ port, protocol }) =>
    port === undefined || port.toUpperCase() === "ALL" || withPorts.test(protocol)
      ? undefined
      : { of: "port", says: `goes with TCP and UDP only, not with ${protocol}` },
  (rule) => {
    const says = familyFlaw(rule);
    return says === undefined ? undefined : { of: "protocol", says };
  },
];
const consistent = flaws.reduce((schema, flaw) => withRule(schema, flaw), ruleSchema);

/** The rules of one direction, in order. */
export const rulesSchema = withRule(z.array(spelt(consistent, canonicalRule)).max(mostPolicies), (rules) => {
  const texts = rules.map((rule) => JSON.stringify(Object.entries({ ...canonical(rule), policyDescription: "" }).toSorted()));
  const second = texts.findIndex((text, index) => texts.indexOf(text) < index);
  if (second < 0) return undefined;
  return `has the same rule at ${texts.indexOf(texts[second] ?? "")} and ${second}, whatever their descriptions: write it once`;
});

/** A range or an address, in any of the spellings that mean the same. */
function rangeOf(family: 4 | 6): z.ZodString {
  const what = `an IPv${family} range or address such as ${family === 4 ? "10.0.0.0/16" : "2001:db8::/32"}`;
  const flaw = (text: string) => {
    const range = canonicalRange(text);
    if (range?.includes(":") !== (family === 6)) return `${text} is not ${what}`;
    return text.includes("/") && hasHostBits(text) ? `${text} has bits behind its prefix: write ${range}` : undefined;
  };
  return withRule(z.string(), flaw);
}

/** A warning about a range that the public API takes as another one. */
export function widenedRange({ ingress = [], egress = [] }: Omit<Desired, "securityGroupId">): string | undefined {
  const ranges = [...ingress, ...egress].map(({ cidrBlock }) => cidrBlock).filter((one) => one !== undefined);
  const widened = ranges.find((one) => ruleRange(one) !== canonicalRange(one));
  return widened && `the public API takes ${widened} in a rule as 0.0.0.0/0, everyone. Write 0.0.0.0/0, or the ranges that need access`;
}

/** A rule in the spelling in which rules are compared. */
function canonicalRule(value: unknown): unknown {
  const parsed = ruleSchema.safeParse(value);
  return parsed.success ? canonical(parsed.data) : value;
}

function canonical(rule: Rule): Rule & { readonly port: string; readonly policyDescription: string } {
  return {
    ...rule,
    protocol: protocols.find((protocol) => protocol === rule.protocol.toUpperCase()) ?? rule.protocol,
    port: (rule.port ?? "ALL").toUpperCase(),
    cidrBlock: rule.cidrBlock === undefined ? undefined : canonicalRange(rule.cidrBlock),
    ipv6CidrBlock: rule.ipv6CidrBlock === undefined ? undefined : canonicalRange(rule.ipv6CidrBlock),
    policyDescription: rule.policyDescription ?? "",
  };
}

const directions = ["ingress", "egress"] as const;
type Direction = (typeof directions)[number];

/** The rules of a group in both directions, and the version of them all. */
interface Policies extends Readonly<Record<Direction, readonly Rule[]>> {
  readonly version: string | undefined;
}

/** The rules of a group in both directions; `undefined` for a direction without rules. `rulesVersion` is for `settleRules`. */
export async function liveRules(cloud: Cloud, securityGroupId: string) {
  const { ingress, egress, version } = await policiesOf(cloud, securityGroupId);
  return { ingress: ingress.length > 0 ? ingress : undefined, egress: egress.length > 0 ? egress : undefined, rulesVersion: version };
}

async function policiesOf(cloud: Cloud, securityGroupId: string) {
  const { securityGroupPolicySet: set } = await cloud.call(vpc.describeSecurityGroupPolicies, { securityGroupId });
  const rulesIn = (direction: Direction) => (set[direction] ?? []).map((policy) => ruleOf(policy, direction, securityGroupId));
  return { version: set.version, ingress: rulesIn("ingress"), egress: rulesIn("egress") };
}

type Told = Answer<z.output<(typeof vpc.describeSecurityGroupPolicies)["output"]>>["securityGroupPolicySet"];
type LivePolicy = NonNullable<Told[Direction]>[number];

function ruleOf(policy: LivePolicy, direction: Direction, own: string): Rule {
  const which = `rule ${policy.policyIndex} of the ${direction} of ${own}`;
  refuseTemplates(policy, which);
  const { protocol, port, cidrBlock, ipv6CidrBlock, securityGroupId, action, policyDescription } = policy;
  const rule = {
    protocol,
    ...(port && withPorts.test(protocol) ? { port } : {}),
    ...(cidrBlock ? { cidrBlock } : {}),
    ...(ipv6CidrBlock ? { ipv6CidrBlock } : {}),
    ...(securityGroupId === own ? { self: true } : securityGroupId ? { securityGroupId } : {}),
    action,
    ...(policyDescription ? { policyDescription } : {}),
  };
  return told(ruleSchema, rule, which);
}

/** A rule that somebody has made of templates can be neither compared nor written. It is not overlooked: it lets traffic in or out. */
function refuseTemplates({ serviceTemplate, addressTemplate }: LivePolicy, which: string): void {
  const templates = [...Object.values(serviceTemplate ?? {}), ...Object.values(addressTemplate ?? {})].filter((id) => id !== undefined);
  if (templates.length > 0)
    throw new ProviderError(
      "CannotChange",
      `${which} is made of ${templates.join(" and ")}, and a program declares no templates: replace it on the platform by rules with protocols, ports and ranges, or delete it there`,
    );
}

interface Desired extends Readonly<Partial<Record<Direction, readonly Rule[] | undefined>>> {
  readonly securityGroupId: string;
}

/**
 * Sets the rules of both directions. Only rules that differ are changed. Each call names the version of the rules that it was planned for;
 * if somebody else has changed them since, it is planned again.
 *
 * @param seen the rules as they were read just now, with their version; a group that was just made has none of both
 */
export async function settleRules(cloud: Cloud, desired: Desired, seen: Omit<Desired, "securityGroupId"> & { rulesVersion?: string }) {
  const { rulesVersion: version, ingress = [], egress = [] } = seen;
  let live: Policies | undefined = { version, ingress, egress };
  if (version === undefined && ingress.length + egress.length === 0) {
    // Nothing is in the way of either direction. What others add at the same moment, the next look shows.
    for (const change of changesOf(live, desired)) await change(cloud);
    return;
  }
  const changeNext = async (): Promise<boolean> => {
    const [next, ...others] = changesOf(live ?? (await policiesOf(cloud, desired.securityGroupId)), desired);
    live = undefined;
    await next?.(cloud);
    return others.length > 0;
  };
  while (await onNewestRead(changeNext));
}

type PolicyChange = (cloud: Cloud) => Promise<unknown>;

/** The changes that are needed, one call each. The first can be made now, the others are to be planned again after it. */
function changesOf(live: Policies, desired: Desired): readonly PolicyChange[] {
  return directions.flatMap((direction) => changesIn(direction, live, desired));
}

function changesIn(
  direction: Direction,
  { version, ...live }: Policies,
  { securityGroupId, ...desired }: Desired,
): readonly PolicyChange[] {
  const rules = live[direction];
  const { removals, insertions } = edits(rules.map(canonical), (desired[direction] ?? []).map(canonical), same);
  const [inserted] = insertions;
  const set = (policies: readonly Record<string, unknown>[]) => ({
    securityGroupId,
    securityGroupPolicySet: { version, [direction]: policies },
  });
  const isOneForOne = removals.length === 1 && insertions.length === 1 && inserted?.items.length === 1;
  if (isOneForOne && inserted.at === removals[0]) {
    const replaced = inserted.items.map((rule) => ({ policyIndex: inserted.at, ...policyOf(rule, securityGroupId) }));
    return [(cloud) => cloud.call(vpc.replaceSecurityGroupPolicies, set(replaced))];
  }
  const removal: PolicyChange = (cloud) =>
    cloud.call(vpc.deleteSecurityGroupPolicies, set(removals.map((policyIndex) => ({ policyIndex }))));
  const additions = insertions.map(({ at, items }): PolicyChange => {
    const place = at < rules.length ? { policyIndex: at } : {};
    return (cloud) =>
      cloud.call(vpc.createSecurityGroupPolicies, set(items.map((rule) => ({ ...place, ...policyOf(rule, securityGroupId) }))));
  });
  return removals.length > 0 ? [removal, ...additions] : additions;
}

function policyOf({ self, port, protocol, ...rule }: Rule, own: string) {
  return { protocol, ...rule, ...(withPorts.test(protocol) ? { port: port ?? "ALL" } : {}), ...(self ? { securityGroupId: own } : {}) };
}
