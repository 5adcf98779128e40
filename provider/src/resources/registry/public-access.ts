import { type Cloud, parseCidr, PlatformError, readinessOf } from "@container-platform/sdk";
import * as registry from "@container-platform/sdk/registry";
import { registryEndpointStatus } from "@container-platform/sdk/status/registry";
import * as z from "@container-platform/sdk/zod";
import { allowedRange, canonicalRange } from "../../definition/ranges.ts";
import { cleared, object, spelt } from "../../definition/inputs.ts";
import type { Wait } from "../../definition/definition.ts";
import { isProps } from "../../schema/values.ts";

const entryShape = {
  /** IPv4 or IPv6 range, or one address, such as `203.0.113.7/32`; not a /0. */
  cidrBlock: allowedRange,
  /** What it is for. Default: empty. */
  description: z.string().default(""),
};
type OfEntry = typeof entryShape;
/** By this name, published declarations lead to the comments above. */
export interface EntryShape extends OfEntry {}

const entry: z.ZodObject<EntryShape, z.core.$strict> = object(entryShape);
export type Entry = z.output<typeof entry>;

const whitelist = z.array(entry).superRefine((entries, issues) => {
  const ranges = entries.map(({ cidrBlock }) => rangeOf(cidrBlock));
  for (const [index, range] of ranges.entries())
    if (ranges.indexOf(range) < index) issues.addIssue({ code: "custom", message: `${range} is in it twice: name each range once` });
});

const shape = {
  /** Who may log in, push and pull from the internet. Empty: nobody. The order means nothing. */
  whitelist: spelt(whitelist, inOrder),
};
type Of = typeof shape;
export interface PublicAccessShape extends Of {}

const access: z.ZodObject<PublicAccessShape, z.core.$strict> = object(shape);
type PublicAccess = z.output<typeof access> | undefined;

/** Access from the internet, as a whole. */
export const publicAccessSchema = cleared(access);

/** Entries in the one spelling and order in which they are compared. */
function inOrder(given: unknown): unknown {
  if (!Array.isArray(given)) return given;
  const ranged = given.map((item: unknown): [string, unknown] => {
    const cidrBlock = isProps(item) && typeof item["cidrBlock"] === "string" ? rangeOf(item["cidrBlock"]) : "";
    return [cidrBlock, isProps(item) ? { ...item, cidrBlock: cidrBlock || item["cidrBlock"] } : item];
  });
  return ranged.toSorted(([one], [other]) => one.localeCompare(other)).map(([, item]) => item);
}

const rangeOf = (text: string): string => canonicalRange(text) ?? text;

/** The widest range of one site: more than that is hardly meant. */
const widest = { 4: 24, 6: 48 } as const;

/** A remark on the ranges that let in more than a site. */
export function wideRanges({ publicAccess }: { readonly publicAccess?: PublicAccess }): string | undefined {
  const wide = (publicAccess?.whitelist ?? []).flatMap(({ cidrBlock }) => {
    const range = parseCidr(rangeOf(cidrBlock));
    return range && range.prefix < widest[range.family] ? [cidrBlock] : [];
  });
  if (wide.length === 0) return undefined;
  return `publicAccess.whitelist: ${wide.join(", ")} lets in more than a /${widest[4]} (IPv6: a /${widest[6]}): name the ranges that need it, best single addresses`;
}

interface Access {
  readonly publicAccess: PublicAccess;
  /** What is still under way, in words. */
  readonly lacking?: string | undefined;
}

/** The public endpoint as it is: no `publicAccess` unless it is open. */
export async function livePublicAccess(cloud: Cloud, registryId: string): Promise<Access> {
  const told = await cloud.find(registry.describeExternalEndpointStatus, { registryId });
  if (!told) return { publicAccess: undefined };
  const { state } = registryEndpointStatus(told);
  const readiness = readinessOf.registryEndpoint[state];
  if (readiness !== "ready") return { publicAccess: undefined, lacking: readiness === "pending" ? `public endpoint: ${state}` : undefined };
  const whitelist = (await entriesOf(cloud, registryId)).map(({ cidrBlock, description }) => ({ cidrBlock, description }));
  return { publicAccess: { whitelist } };
}

async function entriesOf(cloud: Cloud, registryId: string) {
  return (await cloud.find(registry.describeSecurityPolicies, { registryId }))?.securityPolicySet ?? [];
}

interface Wish {
  readonly registryId: string;
  readonly publicAccess?: PublicAccess;
}

/** Opens or closes the public endpoint, or brings its whitelist to what is wished. */
export async function settlePublicAccess(
  cloud: Cloud,
  { registryId, publicAccess: wished }: Wish,
  live: Omit<Wish, "registryId">,
  wait: Wait,
) {
  if (wished === undefined) return cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Delete" });
  if (live.publicAccess === undefined) await open(cloud, registryId, wait);
  return settleWhitelist(cloud, registryId, wished.whitelist);
}

async function open(cloud: Cloud, registryId: string, wait: Wait): Promise<void> {
  await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  await wait(async () => {
    const told = await cloud.call(registry.describeExternalEndpointStatus, { registryId });
    const { state, reason = `it is ${state}`, requestId } = registryEndpointStatus(told);
    const readiness = readinessOf.registryEndpoint[state];
    if (readiness === "ready") return undefined;
    if (readiness === "gone") throw new Error(`the public endpoint could not be opened: ${reason} (request ${requestId})`);
    return `public endpoint: ${state}`;
  });
}

/** How often the whitelist may turn out to have been changed by somebody else meanwhile. */
const patience = 20;

/** Entry by entry, and new ones before old ones go: whoever is in both lists is never kept out. */
async function settleWhitelist(cloud: Cloud, registryId: string, wished: readonly Entry[]): Promise<void> {
  const there = new Map((await entriesOf(cloud, registryId)).map((found) => [rangeOf(found.cidrBlock), found]));
  for (const { cidrBlock, description } of wished) {
    const found = there.get(rangeOf(cidrBlock));
    if (!found) await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock, description });
    else if (found.description !== description)
      await cloud.call(registry.modifySecurityPolicy, {
        registryId,
        policyIndex: found.policyIndex,
        cidrBlock: found.cidrBlock,
        description,
      });
  }
  const kept = new Set(wished.map(({ cidrBlock }) => rangeOf(cidrBlock)));
  for (let conflicts = 0; ;) {
    // Places and version change with every entry that goes.
    const old = (await entriesOf(cloud, registryId)).find(({ cidrBlock }) => !kept.has(rangeOf(cidrBlock)));
    if (!old) return;
    const { cidrBlock, policyIndex, policyVersion } = old;
    try {
      await cloud.call(registry.deleteSecurityPolicy, { registryId, cidrBlock, policyIndex, policyVersion });
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== "UnsupportedOperation.VersionMismatch" || ++conflicts > patience) throw error;
    }
  }
}
