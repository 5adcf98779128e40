import type { Cloud } from "@container-platform/sdk";
import * as registry from "@container-platform/sdk/registry";
import * as z from "@container-platform/sdk/zod";
import { cleared, distinct, object, unordered } from "../../../definition/inputs.ts";
import { idOf } from "../../../definition/ids.ts";
import { recently } from "../../../definition/context.ts";
import type { Wait } from "../../../definition/definition.ts";

const link = object({ vpcId: idOf("vpc"), subnetId: idOf("subnet"), dns: z.boolean().default(true) });

/** Access from VPCs, over one subnet of each. */
export const internalAccessSchema = cleared(
  unordered(
    distinct(
      z.array(link),
      ({ vpcId }) => [vpcId],
      (vpcId) => `${vpcId} is in it twice: a VPC has one access`,
    ),
  ),
);

/**
 * The domain of the server for pulls from a VPC (specification, "What the service does", 6). A local platform that serves its registries has
 * an address of this machine in place of the domain, which stands for every name of the registry.
 */
export function dedicatedDomain(publicDomain: string): string {
  if (/^[\d.]+:\d+$/.test(publicDomain)) return publicDomain;
  return publicDomain.replace(/^[^.]+/, (name) => `${name}-vpc`);
}

type Connection = Awaited<ReturnType<typeof connectionsOf>>[number];

function connectionsOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(
    [registry.describeInternalEndpoints],
    `connections of ${registryId}`,
    cloud.tolerance,
    async () => (await cloud.find(registry.describeInternalEndpoints, { registryId }))?.accessVpcSet ?? [],
  );
}

/** The VPCs, of these connections, that resolve the registry's dedicated access domain. */
async function namesOf(cloud: Cloud, registryId: string, connections: readonly Connection[]): Promise<ReadonlySet<string>> {
  const connected = connections.filter(({ accessIp }) => accessIp !== "");
  if (connected.length === 0) return new Set();
  const asked = connected.map(({ vpcId, accessIp }) => ({ instanceId: registryId, vpcId, eniLbIp: accessIp }));
  const { vpcSet } = await cloud.readings.share(
    [registry.describeInternalEndpointDnsStatus],
    `names of ${JSON.stringify(asked)}`,
    cloud.tolerance,
    () => cloud.call(registry.describeInternalEndpointDnsStatus, { vpcSet: asked }),
  );
  return new Set(vpcSet.filter(({ status }) => status === "ENABLE").map(({ vpcId }) => vpcId));
}

/**
 * The live connections, those that are still changing included. `resolving`: the VPCs that are connected and resolve the domain. `lacking`:
 * the connections that are still changing, as text.
 */
export async function liveInternalAccess(cloud: Cloud, registryId: string) {
  const connections = (await connectionsOf(cloud, registryId)).filter(({ status }) => status !== "Deleting");
  const names = await namesOf(cloud, registryId, connections);
  const links = connections.map(({ vpcId, subnetId }) => ({ vpcId, subnetId, dns: names.has(vpcId) }));
  return {
    internalAccess: links.length > 0 ? links : undefined,
    resolving: connections.flatMap(({ vpcId, status }) => (status === "Running" && names.has(vpcId) ? [vpcId] : [])),
    lacking: underWay(connections),
  };
}

function underWay(connections: readonly Connection[]): string | undefined {
  const changing = connections.filter(({ status }) => status !== "Running").map(({ vpcId, status }) => `access from ${vpcId}: ${status}`);
  return changing.length > 0 ? changing.join(", ") : undefined;
}

/** Deletes the connections that match, waits until these and all others that are being deleted are gone, and returns the others. */
export async function disconnect(cloud: Cloud, registryId: string, matches: (one: Connection) => boolean, wait: Wait) {
  let found = await connectionsOf(cloud.tolerating(recently), registryId);
  const leaving = () => found.filter((one) => one.status === "Deleting" || matches(one));
  for (const { vpcId, subnetId, status } of leaving())
    if (status !== "Deleting") await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Delete", vpcId, subnetId });
  if (leaving().length > 0)
    await wait(async () => {
      found = await connectionsOf(cloud, registryId);
      return underWay(leaving());
    });
  return found;
}

interface Desired {
  readonly registryId: string;
  readonly internalAccess?: readonly z.output<typeof link>[] | undefined;
}

/** Deletes the connections that are not desired, creates those that are missing, and sets whether their VPCs resolve the domain. */
export async function settleInternalAccess(cloud: Cloud, { registryId, internalAccess = [] }: Desired, _live: unknown, wait: Wait) {
  const isDesired = (one: Connection) => internalAccess.some(({ vpcId, subnetId }) => one.vpcId === vpcId && one.subnetId === subnetId);
  let connections = await disconnect(cloud, registryId, (one) => !isDesired(one), wait);
  const missing = internalAccess.filter(
    ({ vpcId, subnetId }) => !connections.some((one) => one.vpcId === vpcId && one.subnetId === subnetId),
  );
  for (const { vpcId, subnetId } of missing)
    await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
  if (missing.length > 0 || underWay(connections) !== undefined)
    await wait(async () => {
      connections = await connectionsOf(cloud, registryId);
      return underWay(connections);
    });
  // A connection that was just made has no name.
  const areNew = connections.every(({ vpcId }) => missing.some((one) => one.vpcId === vpcId));
  const names = areNew ? new Set<string>() : await namesOf(cloud, registryId, connections);
  const isNamed = (vpcId: string) => internalAccess.find((one) => one.vpcId === vpcId)?.dns ?? false;
  const wrong = connections.filter(({ vpcId }) => isNamed(vpcId) !== names.has(vpcId));
  for (const { vpcId, accessIp: eniLbIp } of wrong) {
    const operation = isNamed(vpcId) ? registry.createInternalEndpointDns : registry.deleteInternalEndpointDns;
    await cloud.call(operation, { instanceId: registryId, vpcId, eniLbIp });
  }
  if (wrong.length === 0) return;
  await wait(async () => {
    const now = await namesOf(cloud, registryId, connections);
    const pending = internalAccess.filter(({ vpcId, dns }) => dns !== now.has(vpcId)).map(({ vpcId }) => vpcId);
    return pending.length > 0 ? `DNS in ${pending.join(", ")}` : undefined;
  });
}
