import { canonicalRange, type Cloud, readinessOf } from "@container-platform/sdk";
import * as registry from "@container-platform/sdk/registry";
import { registryEndpointStatus } from "@container-platform/sdk/status/registry";
import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../../../definition/codes.ts";
import { allowedRange, cleared, distinct, object, spelt } from "../../../definition/inputs.ts";
import { readDelay } from "../../../definition/context.ts";
import { onNewestRead } from "../../../definition/failures.ts";
import type { Wait } from "../../../definition/definition.ts";
import { isProps } from "../../../schema/values.ts";

const entry = object({ cidrBlock: allowedRange, description: z.string().default("") });

const whitelist = distinct(
  z.array(entry),
  ({ cidrBlock }) => [rangeOf(cidrBlock)],
  (range) => `${range} is in it twice: name each range once`,
);

const access = object({ whitelist: spelt(whitelist, inOrder) });
type PublicAccess = z.output<typeof access> | undefined;

/** Access from the internet, as a whole. */
export const publicAccessSchema = cleared(access);

/** Entries in the spelling and order in which they are compared. */
function inOrder(given: unknown): unknown {
  if (!Array.isArray(given)) return given;
  const ranged = given.map((item: unknown): [string, unknown] => {
    const cidrBlock = isProps(item) && typeof item["cidrBlock"] === "string" ? rangeOf(item["cidrBlock"]) : "";
    return [cidrBlock, isProps(item) ? { ...item, cidrBlock: cidrBlock || item["cidrBlock"] } : item];
  });
  return ranged.toSorted(([one], [other]) => one.localeCompare(other)).map(([, item]) => item);
}

function rangeOf(text: string): string {
  return canonicalRange(text) ?? text;
}

/** The live public endpoint. `publicAccess` is `undefined` unless it is open. `lacking`: what is still changing, as text. */
export async function livePublicAccess(cloud: Cloud, registryId: string) {
  const asking = [registry.describeExternalEndpointStatus];
  const read = () => cloud.find(registry.describeExternalEndpointStatus, { registryId });
  const status = await cloud.readings.share(asking, `public access of ${registryId}`, cloud.tolerance, read);
  if (!status) return {};
  const { state } = registryEndpointStatus(status);
  const readiness = readinessOf.registryEndpoint[state];
  if (readiness !== "ready") return readiness === "pending" ? { lacking: `public endpoint: ${state}` } : {};
  const whitelist = (await entriesOf(cloud, registryId)).map(({ cidrBlock, description }) => ({ cidrBlock, description }));
  return { publicAccess: { whitelist } };
}

async function entriesOf(cloud: Cloud, registryId: string) {
  return (await cloud.find(registry.describeSecurityPolicies, { registryId }))?.securityPolicySet ?? [];
}

interface Desired {
  readonly registryId: string;
  readonly publicAccess?: PublicAccess;
}

/** Opens or closes the public endpoint, and sets its whitelist. */
export async function settlePublicAccess(
  cloud: Cloud,
  { registryId, publicAccess: desired }: Desired,
  live: Omit<Desired, "registryId">,
  wait: Wait,
) {
  if (desired === undefined) return cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Delete" });
  if (live.publicAccess === undefined) await open(cloud, registryId, wait);
  return settleWhitelist(cloud, registryId, desired.whitelist);
}

async function open(cloud: Cloud, registryId: string, wait: Wait): Promise<void> {
  await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  const begun = performance.now();
  await wait(async () => {
    const status = await cloud.call(registry.describeExternalEndpointStatus, { registryId });
    const { state, reason = `it is ${state}`, requestId } = registryEndpointStatus(status);
    const readiness = readinessOf.registryEndpoint[state];
    if (readiness === "ready") return undefined;
    if (readiness === "gone" && (status.reason !== undefined || performance.now() - begun > readDelay))
      throw new ProviderError("Failed", `the public endpoint could not be opened: ${reason} (request ${requestId})`);
    return `public endpoint: ${state}`;
  });
}

/** Sets the whitelist entry by entry. New entries are added before old ones are deleted, so that a client in both lists always has access. */
async function settleWhitelist(cloud: Cloud, registryId: string, desired: readonly z.output<typeof entry>[]): Promise<void> {
  const kept = new Set(desired.map(({ cidrBlock }) => rangeOf(cidrBlock)));
  const addNew = async (): Promise<void> => {
    const live = new Map((await entriesOf(cloud, registryId)).map((found) => [rangeOf(found.cidrBlock), found]));
    for (const { cidrBlock, description } of desired) {
      const found = live.get(rangeOf(cidrBlock));
      if (!found) await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock, description });
      else if (found.description !== description) {
        const { policyIndex, cidrBlock: spelling } = found;
        await cloud.call(registry.modifySecurityPolicy, { registryId, policyIndex, cidrBlock: spelling, description });
      }
    }
  };
  const deleteNext = async (): Promise<boolean> => {
    // Indices and version change with every entry that is deleted.
    const old = (await entriesOf(cloud, registryId)).find(({ cidrBlock }) => !kept.has(rangeOf(cidrBlock)));
    if (!old) return false;
    const { cidrBlock, policyIndex, policyVersion } = old;
    await cloud.call(registry.deleteSecurityPolicy, { registryId, cidrBlock, policyIndex, policyVersion });
    return true;
  };
  await onNewestRead(addNew);
  while (await onNewestRead(deleteNext));
}
