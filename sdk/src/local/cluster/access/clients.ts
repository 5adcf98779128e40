import { X509Certificate } from "node:crypto";
import { mainAccounts } from "../../accounts/accounts.ts";
import { regions } from "../../regions.ts";
import { stateAt } from "../../store/timeline.ts";
import type { World } from "../../store/world.ts";
import { allowsTcp, isWithin } from "../../vpc/rule-evaluation.ts";
import type { SecurityGroupRow } from "../../vpc/security-groups.ts";
import { securityGroups } from "../../vpc/tables.ts";
import { endpointStateAt } from "../states.ts";
import { authorities, clusterEndpoints, clusters, type ClusterRow, type EndpointRow } from "../tables.ts";

/** What a Kubernetes client experiences at a cluster, from outside of the platform or inside of one of its VPCs. */

/** A cluster, with its region and account. */
export interface ClusterPlace {
  readonly region: string;
  readonly account: string;
  readonly cluster: ClusterRow;
}

/** Where a client is: at an address outside of the platform, or in a VPC. */
export type KubernetesClientLocation = { readonly clientIp: string } | { readonly vpcId: string };

/** Every cluster of a world, of all accounts and regions. */
export function everyCluster(world: World): ClusterPlace[] {
  return mainAccounts(world).flatMap((account) =>
    regions.flatMap((region) =>
      world
        .rows(clusters, region, account)
        .list()
        .map((cluster) => ({ region, account, cluster })),
    ),
  );
}

/** The same, without those that are gone by now: what has expired goes when a transaction begins. */
export function clustersNow(world: World): Promise<ClusterPlace[]> {
  return world.transaction(() => everyCluster(world));
}

/** The states of a cluster in which there is nobody to answer. */
const silent: readonly string[] = ["Creating", "Abnormal", "Deleting"];

export function hasApiServer({ timeline }: Pick<ClusterRow, "timeline">, now: number): boolean {
  return !silent.includes(stateAt(timeline, now));
}

/** The endpoint at which a client of this place is let in, or why it is not: it is closed, or its rules let others in (specification, rule 5). */
export function endpointFor(
  world: World,
  { region, account = world.account, clusterId }: { region: string; account?: string; clusterId: string },
  from: KubernetesClientLocation,
): EndpointRow | string {
  const cluster = world.rows(clusters, region, account).get(clusterId);
  if (!cluster) return "it is gone";
  const kind = "clientIp" in from ? "public" : "internal";
  const endpoint = world.rows(clusterEndpoints, region, account).get(`${clusterId}/${kind}`);
  if (!endpoint || endpointStateAt(endpoint.timeline, world.now()) !== "Created") return `its ${kind} endpoint is not open`;
  if ("vpcId" in from) return from.vpcId === cluster.vpcId ? endpoint : `it is in ${cluster.vpcId}`;
  const group = world.rows(securityGroups, region, account).get(endpoint.securityGroup);
  if (isLetIn(group, endpoint.acl, from.clientIp)) return endpoint;
  if (endpoint.acl.length > 0) return `its access rule lets ${endpoint.acl.join(", ")} in, and not ${from.clientIp}`;
  return `its security group ${endpoint.securityGroup} does not let ${from.clientIp} in at port ${port}, and it has no access rule`;
}

/** The port of the API server. */
const port = 443;

/** The ACL decides; if it is empty, the security group does. */
function isLetIn(group: SecurityGroupRow | undefined, acl: readonly string[], clientIp: string): boolean {
  if (acl.length > 0) return acl.some((range) => isWithin(range, clientIp));
  return group !== undefined && allowsTcp(group, port, clientIp);
}

/** Why a cluster refuses a client's certificate, by the world's clock; `undefined` if it takes it. */
export function certificateComplaintOf(
  world: World,
  { region, account = world.account, clusterId }: { region: string; account?: string; clusterId: string },
  certificate: X509Certificate,
): "Unauthorized" | "certificate expired" | undefined {
  const now = world.now();
  const authority = world.rows(authorities, region, account).get(clusterId);
  if (!authority || !certificate.verify(new X509Certificate(authority.certificate).publicKey)) return "Unauthorized";
  if (authority.revoked.includes(certificate.serialNumber)) return "Unauthorized";
  if (now < certificate.validFromDate.getTime() || certificate.validToDate.getTime() <= now) return "certificate expired";
  return undefined;
}
