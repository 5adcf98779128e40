import {
  createMultipleSecurityPolicy,
  createSecurityPolicy,
  deleteMultipleSecurityPolicy,
  deleteSecurityPolicy,
  describeSecurityPolicies,
  modifySecurityPolicy,
} from "../../../catalogue/registry/security-policies.ts";
import { canonicalRange, openingFlaw } from "../../../rules/registry.ts";
import { type Call, on } from "../../behaviour.ts";
import { whitelistOf } from "./public-access.ts";
import { externalEndpointStateAt, registryOf } from "../states.ts";
import { type WhitelistEntry, whitelists } from "../tables.ts";

export const whitelistBehaviours = [
  on(describeSecurityPolicies, (call, { registryId }) => {
    const { version, entries } = openWhitelist(call, registryId);
    return {
      securityPolicySet: entries.map((entry, policyIndex) => ({ ...entry, policyIndex, policyVersion: String(version) })),
    };
  }),

  on(createSecurityPolicy, (call, { registryId, cidrBlock, description }) => {
    const { entries } = openWhitelist(call, registryId);
    save(call, registryId, withEntry(call, entries, { cidrBlock, description }));
    return { registryId };
  }),

  on(createMultipleSecurityPolicy, (call, { registryId, securityGroupPolicySet: given }) => {
    const { entries } = openWhitelist(call, registryId);
    refuseNone(call, given);
    const after = given.reduce<readonly WhitelistEntry[]>(
      (sofar, { cidrBlock, description = "" }) => withEntry(call, sofar, { cidrBlock, description }),
      entries,
    );
    save(call, registryId, after);
    return { registryId };
  }),

  on(modifySecurityPolicy, (call, { registryId, policyIndex, cidrBlock, description }) => {
    const whitelist = openWhitelist(call, registryId);
    const index = placeOf(call, whitelist, { policyIndex, cidrBlock });
    save(
      call,
      registryId,
      whitelist.entries.map((entry, place) => (place === index ? { ...entry, description } : entry)),
    );
    return { registryId };
  }),

  on(deleteSecurityPolicy, (call, { registryId, ...named }) => {
    const whitelist = openWhitelist(call, registryId);
    const index = placeInVersion(call, whitelist, named);
    save(
      call,
      registryId,
      whitelist.entries.filter((_, place) => place !== index),
    );
    return { registryId };
  }),

  on(deleteMultipleSecurityPolicy, (call, { registryId, securityGroupPolicySet: given }) => {
    const whitelist = openWhitelist(call, registryId);
    refuseNone(call, given);
    const going = new Set(given.map((named) => placeInVersion(call, whitelist, named)));
    save(
      call,
      registryId,
      whitelist.entries.filter((_, place) => !going.has(place)),
    );
    return { registryId };
  }),
];

interface Whitelist {
  readonly version: number;
  readonly entries: readonly WhitelistEntry[];
}

/** The whitelist of a registry. Refused unless the public endpoint is open: there is none otherwise (specification, Errors). */
function openWhitelist(call: Call<"ResourceNotFound">, registryId: string): Whitelist {
  const state = externalEndpointStateAt(registryOf(call, registryId), call.now);
  if (state !== "Opened")
    throw call.error(
      "ResourceNotFound",
      `failed to get security group id: the public endpoint of registry ${registryId} is ${state}; it has a whitelist while it is Opened`,
    );
  return whitelistOf(call, registryId);
}

function save(call: Call, registryId: string, entries: readonly WhitelistEntry[]): void {
  const { version } = whitelistOf(call, registryId);
  call.rows(whitelists).update(registryId, { version: version + 1, entries: [...entries] });
}

function refuseNone(call: Call, given: readonly unknown[]): void {
  if (given.length === 0) throw call.error("InvalidParameter", "SecurityGroupPolicySet is empty; it takes at least one entry");
}

/** The entries with one more; refuses an invalid range, one of all addresses, and one that is there already. */
function withEntry(
  call: Call<"UnsupportedOperation.DuplicatePolicy">,
  entries: readonly WhitelistEntry[],
  entry: WhitelistEntry,
): WhitelistEntry[] {
  const range = rangeOf(call, entry.cidrBlock);
  const twin = entries.findIndex(({ cidrBlock }) => canonicalRange(cidrBlock) === range);
  if (twin >= 0)
    throw call.error(
      "UnsupportedOperation.DuplicatePolicy",
      `CidrBlock ${entry.cidrBlock} is in the whitelist already, at PolicyIndex ${twin}; a range is let in once`,
    );
  return [...entries, entry];
}

function rangeOf(call: Call, text: string): string {
  const range = canonicalRange(text) ?? text;
  const flaw = openingFlaw(call.form === "public" ? range : text);
  if (flaw !== undefined) throw call.error("InvalidParameter", `CidrBlock: ${flaw}`);
  return range;
}

interface Named {
  readonly policyIndex?: number | undefined;
  readonly policyVersion?: string | undefined;
  readonly cidrBlock?: string | undefined;
}

/** The index of an entry, like `placeOf`; refused if the whitelist is not at the version that the call gives. */
function placeInVersion(call: Call<"UnsupportedOperation.VersionMismatch">, whitelist: Whitelist, named: Named): number {
  const { policyVersion } = named;
  if (policyVersion !== undefined && policyVersion !== String(whitelist.version))
    throw call.error(
      "UnsupportedOperation.VersionMismatch",
      `PolicyVersion is ${policyVersion}, but the whitelist is at ${whitelist.version}; read it again`,
    );
  return placeOf(call, whitelist, named);
}

/** The index of the entry that a call names by index, range or both; refused if there is none, or if index and range do not agree. */
function placeOf(call: Call, { entries }: Whitelist, { policyIndex, cidrBlock }: Omit<Named, "policyVersion">): number {
  if (policyIndex === undefined && cidrBlock === undefined) throw call.error("MissingParameter", "PolicyIndex or CidrBlock is required");
  const range = cidrBlock === undefined ? undefined : canonicalRange(cidrBlock);
  const index = policyIndex ?? entries.findIndex((entry) => canonicalRange(entry.cidrBlock) === range);
  const found = entries[index];
  if (!found) {
    const missing = policyIndex === undefined ? `CidrBlock ${cidrBlock ?? ""}` : `entry at PolicyIndex ${policyIndex}`;
    throw call.error("InvalidParameter", `the whitelist has no ${missing}; it has ${entries.length} entries`);
  }
  if (cidrBlock !== undefined && canonicalRange(found.cidrBlock) !== range)
    throw call.error(
      "InvalidParameter",
      `the entry at PolicyIndex ${index} is ${found.cidrBlock}, not ${cidrBlock}; read the whitelist again`,
    );
  return index;
}
