import { X509Certificate } from "node:crypto";
import * as operations from "../../../catalogue/cluster/endpoints.ts";
import { listed } from "../../../formats/texts.ts";
import { everyRow } from "../../accounts/accounts.ts";
import { type Call, on } from "../../behaviour.ts";
import { requireRow } from "../../requests/listing.ts";
import { stateAt } from "../../store/timeline.ts";
import type { World } from "../../store/world.ts";
import { allowsTcp, isWithin } from "../../vpc/security-groups.ts";
import { securityGroups } from "../../vpc/tables.ts";
import { addressOf, domainOf, servedClusters } from "../control-plane/clusters.ts";
import { clusterOf, clusterStateOf, endpointStateAt } from "../states.ts";
import { authorities, clientCertificates, clusterEndpoints, type ClusterRow, clusters, type EndpointRow } from "../tables.ts";
import { certify } from "./certificates.ts";
import { endpointOf } from "./endpoints.ts";

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
  return everyRow(world, clusters).map(({ row: cluster, at: { region, account } }) => ({ region, account, cluster }));
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
  const { acl, securityGroup } = endpoint;
  const { clientIp } = from;
  if (acl.length > 0)
    return acl.some((range) => isWithin(range, clientIp)) ? endpoint : `its access rule lets ${acl.join(", ")} in, and not ${clientIp}`;
  const group = world.rows(securityGroups, region, account).get(securityGroup);
  if (group && allowsTcp(group, port, clientIp)) return endpoint;
  return `its security group ${securityGroup} does not let ${clientIp} in at port ${port}, and it has no access rule`;
}

/** The port of the API server. */
const port = 443;

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

export const kubeconfigBehaviours = [
  on(operations.describeClusterKubeconfig, async (call, { clusterId, isExtranet = false }) => {
    const cluster = clusterOf(call, clusterId);
    requireApiServer(call, cluster);
    return { kubeconfig: await kubeconfigOf(call, clusterId, isExtranet) };
  }),

  on(operations.updateClusterKubeconfig, async (call, { clusterId, subAccounts }) => {
    const cluster = clusterOf(call, clusterId);
    requireApiServer(call, cluster);
    const uins = [...new Set(subAccounts?.length ? subAccounts : [call.uin])];
    const user = call.world.prepare("SELECT 1 FROM accounts WHERE uin = ? AND main = ?");
    const unknown = uins.filter((uin) => user.get(uin, call.account) === undefined);
    if (unknown.length > 0)
      throw call.error(
        "InvalidParameter.Param",
        `SubAccounts: ${listed(unknown)} ${unknown.length === 1 ? "is no user" : "are no users"} of account ${call.account}`,
      );
    for (const uin of uins) await rotate(call, clusterId, uin);
    return { updatedSubAccounts: uins };
  }),

  on(operations.rotateClusterToken, (call, { clusterId }) => {
    // Required by the platform, though the client does not expose it (specification, rule 1 of the cluster service).
    if (clusterId === undefined) throw call.error("MissingParameter", "ClusterId is required");
    // The token is in no answer and in no kubeconfig, so there is nothing to change.
    clusterOf(call, clusterId);
  }),

  on(operations.describeClusterSecurity, async (call, { clusterId }) => {
    const cluster = clusterOf(call, clusterId);
    return {
      userName: call.uin,
      password: "",
      certificationAuthority: requireRow(call, authorities, "authority of cluster", clusterId).certificate,
      clusterExternalEndpoint: addressOf(call, clusterId, "public"),
      domain: domainOf(clusterId),
      pgwEndpoint: addressOf(call, clusterId, "internal"),
      securityPolicy: endpointOf(call, clusterId, true)?.acl ?? [],
      kubeconfig: hasApiServer(cluster, call.now) ? await kubeconfigOf(call, clusterId, false) : "",
      jnsGwEndpoint: "",
    };
  }),
];

function requireApiServer(call: Call<"ResourceUnavailable.ClusterState">, cluster: ClusterRow): void {
  if (!hasApiServer(cluster, call.now))
    throw call.error(
      "ResourceUnavailable.ClusterState",
      `cluster ${cluster.id} is ${clusterStateOf(call, cluster)}; it has a kubeconfig once it is Running`,
    );
}

/**
 * The caller's kubeconfig for one direction. It is answered even without an endpoint, but only works while that is open
 * (specification, rule 5). The server is the endpoint's domain if it was given one, otherwise the cluster's own (rule 6).
 */
async function kubeconfigOf(call: Call<"ResourceNotFound">, clusterId: string, isExtranet: boolean): Promise<string> {
  const { certificate: authority } = requireRow(call, authorities, "authority of cluster", clusterId);
  const user = certificateOf(call, clusterId, call.uin) ?? (await certifyUser(call, clusterId, call.uin));
  const context = `${clusterId}-${call.uin}-context-default`;
  const server = await serverOf(call, clusterId, isExtranet);
  const { stringify } = await import("yaml");
  return stringify({
    apiVersion: "v1",
    clusters: [{ name: clusterId, cluster: { "certificate-authority-data": base64(authority), ...server } }],
    contexts: [{ name: context, context: { cluster: clusterId, user: call.uin } }],
    "current-context": context,
    kind: "Config",
    preferences: {},
    users: [
      {
        name: call.uin,
        user: { "client-certificate-data": base64(user.certificate), "client-key-data": base64(user.privateKey) },
      },
    ],
  });
}

/** Clusters that this process serves have one address of this machine in common: the domain tells them apart. */
async function serverOf(call: Call<"ResourceNotFound">, clusterId: string, isExtranet: boolean) {
  const served = servedClusters.get(call.world);
  if (!served) return { server: `https://${endpointOf(call, clusterId, isExtranet)?.domain || domainOf(clusterId)}` };
  const address = await served.addressFor(isExtranet ? undefined : clusterOf(call, clusterId).vpcId);
  return { server: `https://${address}`, "tls-server-name": domainOf(clusterId) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function certificateOf(call: Call, clusterId: string, uin: string) {
  return call.rows(clientCertificates).get(`${clusterId}/${uin}`);
}

/** Makes a user's certificate, which kubeconfigs have until it is rotated. */
async function certifyUser(call: Call<"ResourceNotFound">, clusterId: string, uin: string) {
  const authority = requireRow(call, authorities, "authority of cluster", clusterId);
  const made = await certify(authority, { subject: uin, kind: "client", from: call.now }, call.world.draw());
  return call.rows(clientCertificates).insert({ id: `${clusterId}/${uin}`, clusterId, uin, ...made }, clusterId);
}

/** Makes a new certificate, and revokes the one before (specification, UpdateClusterKubeconfig). */
async function rotate(call: Call<"ResourceNotFound">, clusterId: string, uin: string): Promise<void> {
  const old = certificateOf(call, clusterId, uin);
  if (old) {
    const { revoked } = requireRow(call, authorities, "authority of cluster", clusterId);
    call.rows(authorities).update(clusterId, { revoked: [...revoked, old.serial] });
    call.rows(clientCertificates).remove(old.id);
  }
  await certifyUser(call, clusterId, uin);
}
