import type { z } from "zod";
import * as operations from "../../../catalogue/registry/endpoints.ts";
import { canonicalRange, openingFlaw } from "../../../rules/registry.ts";
import { type Call, type CallOf, type Context, on } from "../../behaviour.ts";
import { freeHosts, subnetIn } from "../../cluster/network.ts";
import { numberOfRegion } from "../../regions.ts";
import { requireRow } from "../../requests/listing.ts";
import { passing, reasonAt, settled } from "../../store/timeline.ts";
import type { World } from "../../store/world.ts";
import { attach, releaseAttachments } from "../../vpc/subnets.ts";
import { vpcs } from "../../vpc/tables.ts";
import { externalEndpointStateAt, internalDnsStateAt, internalEndpointStateAt, registryOf, runningRegistry } from "../states.ts";
import { internalEndpoints, internalNames, registries, type RegistryRow, whitelists } from "../tables.ts";

/** A reserved name: no network resolves it. */
const suffix = "registry.container-platform.internal";

/** The public domain of a registry. */
export function publicDomainOf({ name }: Pick<RegistryRow, "name">): string {
  return `${name}.${suffix}`;
}

/** The dedicated domain of a registry for access from VPCs. A VPC resolves it once it was added there. */
export function dedicatedDomainOf({ name }: Pick<RegistryRow, "name">): string {
  return `${name}-vpc.${suffix}`;
}

/** Whether a domain can only be one of a registry of the platform. */
export function isRegistryDomain(domain: string): boolean {
  return domain === suffix || domain.endsWith(`.${suffix}`);
}

/** Serves the registries of a world to image clients, at addresses of this machine. */
export interface ServedRegistries {
  /** Where a registry answers clients from the internet, such as `127.0.0.1:5001`. */
  readonly publicAddressOf: (registryId: string) => Promise<string>;
  /** The id of the registry that answers at an address, wherever its clients stand. */
  readonly registryAt: (address: string) => string | undefined;
}

/** By world: those whose registries this process serves. */
const served = new WeakMap<World, ServedRegistries>();

/** Has the platform tell the addresses at which this process serves the registries of a world; domains again once it serves them no more. */
export function tellServedRegistries(world: World, registries: ServedRegistries | undefined): void {
  if (registries) served.set(world, registries);
  else served.delete(world);
}

/** The id of the registry that this process serves at an address. */
export function servedRegistry(world: World, address: string): string | undefined {
  return served.get(world)?.registryAt(address);
}

/** Where a registry is reached from the internet: at its domain, or at an address of this machine if this process serves it. */
export async function publicAddressOf(world: World, registry: Pick<RegistryRow, "id" | "name">): Promise<string> {
  return served.get(world)?.publicAddressOf(registry.id) ?? publicDomainOf(registry);
}

export const endpointBehaviours = [
  on(operations.describeExternalEndpointStatus, (call, { registryId }) => {
    const registry = registryOf(call, registryId);
    return { status: externalEndpointStateAt(registry.publicAccess, call.now), reason: reasonAt(registry.publicAccess, call.now) };
  }),

  on(operations.manageExternalEndpoint, (call, { registryId, operation }) => {
    const state = externalEndpointStateAt(runningRegistry(call, registryId).publicAccess, call.now);
    const opens = operation === "Create";
    if ((opens ? ["Opened", "Opening"] : ["Closed", "Deleting"]).includes(state)) return { registryId };
    if (state === (opens ? "Deleting" : "Opening"))
      throw call.error("InternalError.ErrorConflict", `the public endpoint of registry ${registryId} is ${state}; one change at a time`);
    if (!opens) {
      call.rows(registries).update(registryId, { publicAccess: passing("Deleting", call.after("registryEndpointClose"), "Closed") });
      return { registryId };
    }
    const fault = call.faults.endFor("registryEndpoint");
    const publicAccess = passing("Opening", call.after("registryEndpointOpen"), fault?.endState ?? "Opened", fault?.reason);
    call.rows(registries).update(registryId, { publicAccess });
    // A new endpoint begins with an empty whitelist.
    return changed(call, whitelistOf(call, registryId), []);
  }),

  on(operations.describeSecurityPolicies, (call, { registryId }) => {
    const { version, entries } = openWhitelist(call, registryId);
    return {
      securityPolicySet: entries.map((entry, policyIndex) => ({ ...entry, policyIndex, policyVersion: String(version) })),
    };
  }),

  on(operations.createSecurityPolicy, (call, { registryId, cidrBlock, description }) => {
    const whitelist = openWhitelist(call, registryId);
    return changed(call, whitelist, withEntry(call, whitelist.entries, { cidrBlock, description }));
  }),

  on(operations.createMultipleSecurityPolicy, (call, { registryId, securityGroupPolicySet: given }) => {
    const whitelist = openWhitelist(call, registryId);
    refuseNone(call, given);
    const entries = given.reduce(
      (sofar, { cidrBlock, description = "" }) => withEntry(call, sofar, { cidrBlock, description }),
      whitelist.entries,
    );
    return changed(call, whitelist, entries);
  }),

  on(operations.modifySecurityPolicy, (call, { registryId, policyIndex, cidrBlock, description }) => {
    const whitelist = openWhitelist(call, registryId);
    const index = placeOf(call, whitelist, { policyIndex, cidrBlock });
    const entries = whitelist.entries.map((entry, place) => (place === index ? { ...entry, description } : entry));
    return changed(call, whitelist, entries);
  }),

  on(operations.deleteSecurityPolicy, (call, { registryId, ...named }) => {
    const whitelist = openWhitelist(call, registryId);
    const index = placeInVersion(call, whitelist, named);
    const entries = whitelist.entries.filter((_, place) => place !== index);
    return changed(call, whitelist, entries);
  }),

  on(operations.deleteMultipleSecurityPolicy, (call, { registryId, securityGroupPolicySet: given }) => {
    const whitelist = openWhitelist(call, registryId);
    refuseNone(call, given);
    const going = new Set(given.map((named) => placeInVersion(call, whitelist, named)));
    const entries = whitelist.entries.filter((_, place) => !going.has(place));
    return changed(call, whitelist, entries);
  }),

  on(operations.describeInternalEndpoints, (call, { registryId }) => {
    registryOf(call, registryId);
    const connected = connectedAddresses(call, registryId);
    const accessVpcSet = call.list(internalEndpoints, registryId).map(({ vpcId, subnetId, timeline, address }) => {
      const status = internalEndpointStateAt(timeline, call.now);
      return { vpcId, subnetId, status, accessIp: status === "Pending" ? "" : address };
    });
    return { internalEndpoint: connected, accessVpcSet, totalCount: connected.length };
  }),

  on(operations.manageInternalEndpoint, (call, target) => {
    refuseRegion(call, target);
    if (target.operation === "Create") connect(call, target);
    else disconnect(call, target);
    return { registryId: target.registryId };
  }),

  on(operations.createInternalEndpointDns, (call, target) => {
    refuseRegion(call, target);
    runningRegistry(call, target.instanceId);
    refuseUnconnected(call, target);
    const { id, domain } = nameOf(call, target);
    const known = call.rows(internalNames).get(id);
    if (known?.address === target.eniLbIp) return;
    if (known) call.rows(internalNames).remove(id);
    const { instanceId: registryId, vpcId, eniLbIp: address } = target;
    const timeline = passing("DISABLE", call.after("registryName"), "ENABLE");
    call.rows(internalNames).insert({ id, registryId, vpcId, domain, address, timeline }, registryId);
  }),

  on(operations.deleteInternalEndpointDns, (call, target) => {
    refuseRegion(call, target);
    const { id, domain } = nameOf(call, target);
    const known = call.rows(internalNames).get(id);
    if (known?.address !== target.eniLbIp)
      throw call.error("ResourceNotFound", `VPC ${target.vpcId} does not resolve ${domain} to ${target.eniLbIp}`);
    call.rows(internalNames).remove(id);
  }),

  on(operations.describeInternalEndpointDnsStatus, (call, { vpcSet }) => ({
    vpcSet: vpcSet.map((target) => {
      refuseRegion(call, target);
      const known = call.rows(internalNames).get(nameOf(call, target).id);
      const timeline = known?.address === target.eniLbIp ? known.timeline : undefined;
      return { region: call.region, vpcId: target.vpcId, status: internalDnsStateAt(timeline, call.now) };
    }),
  })),
];

type Whitelist = z.output<typeof whitelists.row>;
type WhitelistEntry = Whitelist["entries"][number];

function whitelistOf(call: Call<"ResourceNotFound">, registryId: string): Whitelist {
  return requireRow(call, whitelists, "whitelist", registryId);
}

/** The whitelist of a registry. Refused unless the public endpoint is open: there is none otherwise (specification, Errors). */
function openWhitelist(call: Call<"ResourceNotFound">, registryId: string): Whitelist {
  const state = externalEndpointStateAt(registryOf(call, registryId).publicAccess, call.now);
  if (state !== "Opened")
    throw call.error(
      "ResourceNotFound",
      `failed to get security group id: the public endpoint of registry ${registryId} is ${state}; it has a whitelist while it is Opened`,
    );
  return whitelistOf(call, registryId);
}

/** Replaces the entries of a whitelist. Returns the answer of its operations. */
function changed(call: Call, { id: registryId, version }: Whitelist, entries: WhitelistEntry[]) {
  call.rows(whitelists).update(registryId, { version: version + 1, entries });
  return { registryId };
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
  const range = canonicalRange(entry.cidrBlock) ?? entry.cidrBlock;
  const flaw = openingFlaw(call.form === "public" ? range : entry.cidrBlock);
  if (flaw !== undefined) throw call.error("InvalidParameter", `CidrBlock: ${flaw}`);
  const twin = entries.findIndex(({ cidrBlock }) => canonicalRange(cidrBlock) === range);
  if (twin >= 0)
    throw call.error(
      "UnsupportedOperation.DuplicatePolicy",
      `CidrBlock ${entry.cidrBlock} is in the whitelist already, at PolicyIndex ${twin}; a range is let in once`,
    );
  return [...entries, entry];
}

type Named = Omit<z.output<typeof operations.deleteSecurityPolicy.input>, "registryId">;

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

type Connection = z.output<typeof operations.manageInternalEndpoint.input>;

/** The addresses of the connections that are running. */
export function connectedAddresses(at: Context, registryId: string): string[] {
  return at
    .list(internalEndpoints, registryId)
    .flatMap(({ timeline, address }) => (internalEndpointStateAt(timeline, at.now) === "Running" ? [address] : []));
}

/** Refuses another region: a VPC there is only reached through a replica of the registry, and the local platform has none. */
function refuseRegion(call: Call, { regionId, regionName }: Pick<Connection, "regionId" | "regionName">): void {
  const own = numberOfRegion(call.region);
  if (regionId !== undefined && regionId !== own)
    throw call.error("InvalidParameter", `RegionId is ${regionId}; the registry has no replica there, so it takes ${own} (${call.region})`);
  if (regionName !== undefined && regionName !== call.region)
    throw call.error("InvalidParameter", `RegionName is ${regionName}; the registry has no replica there, so it takes ${call.region}`);
}

function connect(call: CallOf<typeof operations.manageInternalEndpoint>, { registryId, vpcId, subnetId }: Connection): void {
  runningRegistry(call, registryId);
  requireRow(call, vpcs, "VPC", vpcId);
  const subnet = subnetIn(call, "SubnetId", subnetId, { vpcId });
  const id = `${registryId}/${vpcId}/${subnetId}`;
  if (call.rows(internalEndpoints).get(id))
    throw call.error(
      "FailedOperation",
      `registry ${registryId} is connected to subnet ${subnetId} already, or that connection is being deleted`,
    );
  const [address] = freeHosts(call, subnet, 1);
  if (address === undefined)
    throw call.error("InvalidParameter", `subnet ${subnetId} has no available address; the registry's connection needs one`);
  const timeline = passing("Pending", call.after("registryConnect"), "Running");
  call.rows(internalEndpoints).insert({ id, registryId, vpcId, subnetId, timeline, address }, registryId);
  attach(call, { owner: registryId, vpcId, subnetId, addresses: 1, ipv6: false, securityGroupIds: [] });
}

/** Deletes a connection, and the names that resolve to its address. */
function disconnect(call: Call<"ResourceNotFound">, { registryId, vpcId, subnetId }: Connection): void {
  registryOf(call, registryId);
  const endpoint = call.rows(internalEndpoints).get(`${registryId}/${vpcId}/${subnetId}`);
  if (!endpoint) throw call.error("ResourceNotFound", `registry ${registryId} has no connection to subnet ${subnetId} of VPC ${vpcId}`);
  if (internalEndpointStateAt(endpoint.timeline, call.now) === "Deleting") return;
  const gone = call.after("registryDisconnect");
  call.rows(internalEndpoints).update(endpoint.id, { timeline: settled("Deleting") });
  call.rows(internalEndpoints).expire(endpoint.id, gone);
  for (const { id, vpcId: of, address } of call.list(internalNames, registryId))
    if (of === vpcId && address === endpoint.address) call.rows(internalNames).remove(id);
  releaseAttachments(call, ({ owner, subnetId: of }) => owner === registryId && of === subnetId, gone, vpcId);
}

type NameRequest = z.output<typeof operations.deleteInternalEndpointDns.input>;

/** The name that a call is about: the dedicated domain, or the public one if it asks for that. */
function nameOf(call: Call<"ResourceNotFound">, { instanceId, vpcId, usePublicDomain = false }: NameRequest) {
  const registry = registryOf(call, instanceId);
  const domain = usePublicDomain ? publicDomainOf(registry) : dedicatedDomainOf(registry);
  return { id: `${instanceId}/${vpcId}/${domain}`, domain };
}

/** Refuses an address that is not that of a running connection. */
function refuseUnconnected(call: Call, { instanceId, vpcId, eniLbIp }: NameRequest): void {
  const own = call
    .list(internalEndpoints, instanceId)
    .filter((endpoint) => endpoint.vpcId === vpcId && internalEndpointStateAt(endpoint.timeline, call.now) === "Running")
    .map(({ address }) => address);
  if (own.includes(eniLbIp)) return;
  const choice = own.length === 0 ? "it has none yet" : `it takes ${own.join(" or ")}`;
  throw call.error("InvalidParameter", `EniLBIp is ${eniLbIp}, which is no address of registry ${instanceId} in VPC ${vpcId}; ${choice}`);
}
