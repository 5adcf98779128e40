import type { Cloud } from "@container-platform/sdk";
import * as registry from "@container-platform/sdk/registry";
import * as z from "@container-platform/sdk/zod";
import { cleared, object, unordered } from "../../definition/inputs.ts";
import type { Wait } from "../../definition/definition.ts";

const shape = {
  /** The VPC that gets access. */
  vpcId: z.string(),
  /** Subnet of the VPC in which the access has its address. Another one makes the access anew. */
  subnetId: z.string(),
  /** Whether the VPC resolves the registry's dedicated access domain, which pulling needs. Default: true. */
  dns: z.boolean().default(true),
};
type Of = typeof shape;
/** By this name, published declarations lead to the comments above. */
export interface LinkShape extends Of {}

const link: z.ZodObject<LinkShape, z.core.$strict> = object(shape);
type Link = z.output<typeof link>;

/** Access from VPCs, each over a subnet of it. */
export const internalAccessSchema = cleared(
  unordered(
    z.array(link).superRefine((links, issues) => {
      const vpcs = links.map(({ vpcId }) => vpcId);
      for (const [index, vpcId] of vpcs.entries())
        if (vpcs.indexOf(vpcId) < index) issues.addIssue({ code: "custom", message: `${vpcId} is in it twice: a VPC has one access` });
    }),
  ),
);

/** The domain that is the server for pulls over a VPC (specification, "What the service does", 6). */
export function dedicatedDomain(publicDomain: string): string {
  return publicDomain.replace(/^[^.]+/, (name) => `${name}-vpc`);
}

interface Connection {
  readonly vpcId: string;
  readonly subnetId: string;
  readonly status: registry.InternalEndpointState;
  readonly accessIp: string;
}

async function connectionsOf(cloud: Cloud, registryId: string): Promise<readonly Connection[]> {
  return (await cloud.find(registry.describeInternalEndpoints, { registryId }))?.accessVpcSet ?? [];
}

/** Which of these connections have a name that resolves in their VPC. */
async function namesOf(cloud: Cloud, registryId: string, connections: readonly Connection[]): Promise<ReadonlySet<string>> {
  const connected = connections.filter(({ accessIp }) => accessIp !== "");
  if (connected.length === 0) return new Set();
  const asked = connected.map(({ vpcId, accessIp }) => ({ instanceId: registryId, vpcId, eniLbIp: accessIp }));
  const { vpcSet } = await cloud.call(registry.describeInternalEndpointDnsStatus, { vpcSet: asked });
  return new Set(vpcSet.filter(({ status }) => status === "ENABLE").map(({ vpcId }) => vpcId));
}

interface Access {
  readonly internalAccess: Link[] | undefined;
  /** VPCs that are connected and resolve the name. */
  readonly resolving: readonly string[];
  /** What is still under way, in words. */
  readonly lacking: string | undefined;
}

/** The connections as they are, those under way included. */
export async function liveInternalAccess(cloud: Cloud, registryId: string): Promise<Access> {
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
  const moving = connections.filter(({ status }) => status !== "Running").map(({ vpcId, status }) => `access from ${vpcId}: ${status}`);
  return moving.length > 0 ? moving.join(", ") : undefined;
}

/** Takes away the connections that match, and waits until they and all that are going already are gone. */
export async function disconnect(cloud: Cloud, registryId: string, matches: (one: Connection) => boolean, wait: Wait): Promise<void> {
  const doomed = (await connectionsOf(cloud, registryId)).filter(matches);
  for (const { vpcId, subnetId, status } of doomed)
    if (status !== "Deleting") await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Delete", vpcId, subnetId });
  await wait(async () => underWay((await connectionsOf(cloud, registryId)).filter((one) => one.status === "Deleting" || matches(one))));
}

interface Wish {
  readonly registryId: string;
  readonly internalAccess?: readonly Link[] | undefined;
}

/** Takes away connections that are not wished, makes those that are, and lets their VPCs resolve the name or not. */
export async function settleInternalAccess(cloud: Cloud, { registryId, internalAccess = [] }: Wish, _live: unknown, wait: Wait) {
  const isWished = (one: Connection) => internalAccess.some(({ vpcId, subnetId }) => one.vpcId === vpcId && one.subnetId === subnetId);
  await disconnect(cloud, registryId, (one) => !isWished(one), wait);
  const there = await connectionsOf(cloud, registryId);
  for (const { vpcId, subnetId } of internalAccess)
    if (!there.some((one) => one.vpcId === vpcId && one.subnetId === subnetId))
      await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
  await wait(async () => underWay(await connectionsOf(cloud, registryId)));
  await settleNames(cloud, registryId, internalAccess, wait);
}

async function settleNames(cloud: Cloud, registryId: string, wished: readonly Link[], wait: Wait): Promise<void> {
  const connections = await connectionsOf(cloud, registryId);
  const names = await namesOf(cloud, registryId, connections);
  for (const { vpcId, accessIp: eniLbIp } of connections) {
    const dns = wished.find((one) => one.vpcId === vpcId)?.dns ?? false;
    if (dns === names.has(vpcId)) continue;
    const operation = dns ? registry.createInternalEndpointDns : registry.deleteInternalEndpointDns;
    await cloud.call(operation, { instanceId: registryId, vpcId, eniLbIp });
  }
  await wait(async () => {
    const now = await namesOf(cloud, registryId, connections);
    const late = wished.filter(({ vpcId, dns }) => dns !== now.has(vpcId)).map(({ vpcId }) => vpcId);
    return late.length > 0 ? `DNS in ${late.join(", ")}` : undefined;
  });
}
