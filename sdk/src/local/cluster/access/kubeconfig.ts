import { listed } from "../../../formats/lists.ts";
import { z } from "zod";
import {
  describeClusterKubeconfig,
  describeClusterSecurity,
  rotateClusterToken,
  updateClusterKubeconfig,
} from "../../../catalogue/cluster/endpoints.ts";
import { type Call, on } from "../../behaviour.ts";
import { requireRow } from "../../requests/require-row.ts";
import { certifyUser } from "./certificates.ts";
import { hasApiServer } from "./clients.ts";
import { addressOf, domainOf } from "../control-plane/cluster-records.ts";
import { endpointOf } from "./endpoints.ts";
import { servedClusters } from "./served-clusters.ts";
import { clusterOf, clusterStateOf } from "../states.ts";
import { authorities, type ClientCertificateRow, clientCertificates, type ClusterRow } from "../tables.ts";

export const kubeconfigBehaviours = [
  on(describeClusterKubeconfig, async (call, { clusterId, isExtranet = false }) => {
    const cluster = clusterOf(call, clusterId);
    requireApiServer(call, cluster);
    return { kubeconfig: await kubeconfigOf(call, clusterId, isExtranet) };
  }),

  on(updateClusterKubeconfig, async (call, { clusterId, subAccounts }) => {
    const cluster = clusterOf(call, clusterId);
    requireApiServer(call, cluster);
    const uins = [...new Set(subAccounts?.length ? subAccounts : [call.uin])];
    const unknown = uins.filter((uin) => !isUser(call, uin));
    if (unknown.length > 0)
      throw call.error(
        "InvalidParameter.Param",
        `SubAccounts: ${listed(unknown)} ${unknown.length === 1 ? "is no user" : "are no users"} of account ${call.account}`,
      );
    for (const uin of uins) await rotate(call, clusterId, uin);
    return { updatedSubAccounts: uins };
  }),

  on(rotateClusterToken, (call, { clusterId }) => {
    // Required by the platform, though the client does not expose it (specification, rule 1 of the cluster service).
    if (clusterId === undefined) throw call.error("MissingParameter", "ClusterId is required");
    // The token is in no answer and in no kubeconfig, so there is nothing to change.
    clusterOf(call, clusterId);
    return {};
  }),

  on(describeClusterSecurity, async (call, { clusterId }) => {
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
  const user = certificateOf(call, clusterId, call.uin) ?? (await certify(call, clusterId, call.uin));
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
  const served = servedClusters(call.world);
  if (!served) return { server: `https://${endpointOf(call, clusterId, isExtranet)?.domain || domainOf(clusterId)}` };
  const address = await served.addressFor(isExtranet ? undefined : clusterOf(call, clusterId).vpcId);
  return { server: `https://${address}`, "tls-server-name": domainOf(clusterId) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function certificateOf(call: Call, clusterId: string, uin: string): ClientCertificateRow | undefined {
  return call.rows(clientCertificates).get(`${clusterId}/${uin}`);
}

/** Makes a user's certificate, which kubeconfigs have until it is rotated. */
async function certify(call: Call<"ResourceNotFound">, clusterId: string, uin: string): Promise<ClientCertificateRow> {
  const authority = requireRow(call, authorities, "authority of cluster", clusterId);
  const made = await certifyUser(authority, uin, call.world.draw(), call.now);
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
  await certify(call, clusterId, uin);
}

const countRow = z.object({ count: z.number() });

/** Whether a uin is the main account itself, or one of its sub-accounts. */
function isUser(call: Call, uin: string): boolean {
  const found = call.world.prepare("SELECT count(*) AS count FROM accounts WHERE uin = ? AND main = ?").get(uin, call.account);
  return countRow.parse(found).count > 0;
}
