import * as cluster from "@container-platform/sdk/cluster";
import { canonicalRange, type Cloud, kubeconfigFacts, PlatformError, readinessOf, withServer } from "@container-platform/sdk";
import { clusterEndpointProgress, clusterEndpointsOf, nodePoolsOf } from "@container-platform/sdk/finders/cluster";
import { clusterEndpointStatus } from "@container-platform/sdk/status/cluster";
import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../../definition/codes.ts";
import type { Input } from "@pulumi/pulumi";
import { StatePatch } from "../../definition/changes.ts";
import { recently } from "../../definition/context.ts";
import type { Live } from "../../definition/definition.ts";
import { secondsOf, timeText } from "../../definition/duration.ts";
import { allowedRange, cleared, kept, refusedOnceSet, secret, spelt, unordered } from "../../definition/inputs.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { below, resource } from "../../definition/resource.ts";
import { type IdForm, idOf } from "../../definition/ids.ts";
import { Cluster } from "./cluster.ts";
import { nodeIn, nodeless, clusterGetsNode } from "./nodes/running-node.ts";
import { inSameVpc } from "../network/same-vpc.ts";
import { wideRanges } from "../wide-ranges.ts";

/** The arguments of `ClusterEndpoint`. */
export interface ClusterEndpointArgs {
  /** The cluster. A change replaces the endpoint. */
  clusterId: Input<string>;
  /** `true`: public endpoint, on the internet. `false`: private endpoint, in the VPC. A change replaces the endpoint. */
  isExtranet: Input<boolean>;
  /**
   * Security group of the endpoint. Required for a public endpoint, where it can be changed in place. Without `allowedCidrBlocks`, its rules
   * for port 443 decide who may connect.
   */
  securityGroup?: Input<string | undefined>;
  /**
   * Subnet of the private endpoint's address. Required for a private endpoint, and not allowed for a public one. A change replaces the
   * endpoint.
   */
  subnetId?: Input<string | undefined>;
  /**
   * CIDR blocks and IP addresses that may connect to the public endpoint; a /0 is not allowed. If you set them, the emulator does not check
   * the rules of the security group. Default: all that the security group accepts.
   */
  allowedCidrBlocks?: Input<readonly Input<string>[] | undefined>;
  /** Custom domain name of the endpoint. Default: none. A change replaces the endpoint. */
  domain?: Input<string | undefined>;
  /** Node pools to create before the endpoint, because it requires a running node. A change has no effect. */
  nodePoolIds?: Input<readonly Input<string>[] | undefined>;
  /** The cluster's `credentialsVersion`: a change reads the kubeconfig again. */
  credentialsVersion?: Input<string | undefined>;
  /** Time before the expiry of the certificate from which `pulumi up` renews the kubeconfig, such as `72h`. Default: `720h`, 30 days. */
  renewBefore?: Input<string | undefined>;
}

/** The properties of a `ClusterEndpoint` once they are known. */
export interface ClusterEndpointState extends ResolvedWithDefaults<ClusterEndpointArgs, "nodePoolIds" | "renewBefore"> {
  /** Address of the API server. On the emulator, do not connect to this address: use `kubeconfig`. */
  address: string;
  /** Domain name of the endpoint: the cluster's access domain, or the custom one. */
  domain: string;
  /** Certificate of the authority that signs the API server's certificate, PEM. */
  certificateAuthority: string;
  /**
   * Kubeconfig for this endpoint, YAML. A secret. If another client or the cluster's other endpoint rotates the certificates, this kubeconfig
   * stops working, and `pulumi refresh` replaces it, if the account may call DescribeClusterKubeconfig. On the emulator, it works only if the
   * emulator serves clusters.
   */
  kubeconfig: string;
  /** Expiry of the kubeconfig's certificate, ISO 8601. */
  kubeconfigExpiresAt: string;
}

/**
 * A public or private endpoint of a cluster's API server, with a kubeconfig for it.
 *
 * @example
 * const access = new ClusterEndpoint("public", {
 *   clusterId: platform.clusterId,
 *   isExtranet: true,
 *   securityGroup: group.securityGroupId,
 *   allowedCidrBlocks: ["203.0.113.7/32"],
 *   nodePoolIds: [pool.nodePoolId],
 * });
 */
export class ClusterEndpoint extends resource<ClusterEndpointArgs, ClusterEndpointState>()("ClusterEndpoint", {
  inputs: {
    clusterId: idOf("cls"),
    isExtranet: z.boolean(),
    securityGroup: refusedOnceSet(idOf("sg")),
    subnetId: refusedOnceSet(idOf("subnet")),
    allowedCidrBlocks: cleared(spelt(unordered(z.array(allowedRange)), canonicalRanges)),
    domain: kept(z.string()),
    nodePoolIds: z.array(idOf("np")).default([]),
    credentialsVersion: kept(z.string()),
    renewBefore: timeText("72h or 90m").default("720h"),
  },
  outputs: {
    address: z.string(),
    domain: z.string(),
    certificateAuthority: z.string(),
    kubeconfig: secret(z.string()),
    kubeconfigExpiresAt: z.string(),
  },
  states: { status: readinessOf.clusterEndpoint },
  id: sided(),
}).managed({
  within: { kind: Cluster.kind, by: "clusterId" },
  create: (cloud, { clusterId, isExtranet, securityGroup, subnetId, domain }) =>
    cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet, securityGroup, subnetId, domain }),
  owned: "key",
  read: async (cloud, known) => {
    const { clusterId, isExtranet } = known;
    const status = await clusterEndpointProgress(cloud, { clusterId, isExtranet });
    if (!status) return undefined;
    const { state, reason, requestId } = clusterEndpointStatus(status);
    if (readinessOf.clusterEndpoint[state] === "gone") return undefined;
    const endpoints = await clusterEndpointsOf(cloud, clusterId);
    const [address, group, customDomain] = isExtranet
      ? [endpoints.clusterExternalEndpoint, endpoints.securityGroup, endpoints.clusterExternalDomain]
      : [endpoints.clusterIntranetEndpoint, endpoints.intranetSecurityGroup, endpoints.clusterIntranetDomain];
    return {
      ...known,
      ...(state === "Created" ? await credentials(cloud, known, address, customDomain) : noCredentials),
      status: state,
      lacking: undefined,
      reason,
      requestId,
      address,
      securityGroup: group || undefined,
      subnetId: isExtranet ? undefined : endpoints.clusterIntranetSubnetId || undefined,
      allowedCidrBlocks: isExtranet && endpoints.clusterExternalAcl.length > 0 ? endpoints.clusterExternalAcl : undefined,
      domain: customDomain || endpoints.domain,
      certificateAuthority: endpoints.certificationAuthority,
    };
  },
  list: (cloud, { clusterId: ids }) =>
    below(ids, async (clusterId) => {
      const endpoints = await cloud.call(cluster.describeClusterEndpoints, { clusterId });
      const addresses = { true: endpoints.clusterExternalEndpoint, false: endpoints.clusterIntranetEndpoint };
      return [true, false].filter((isExtranet) => addresses[`${isExtranet}`] !== "").map((isExtranet) => ({ clusterId, isExtranet }));
    }),
  delete: (cloud, { clusterId, isExtranet }) => cloud.call(cluster.deleteClusterEndpoint, { clusterId, isExtranet }),

  changes: {
    clusterId: "replace",
    isExtranet: "replace",
    subnetId: "replace",
    domain: "replace",
    securityGroup: {
      replaces: (_desired, _before, { isExtranet }) => isExtranet === false,
      step: (cloud, { clusterId, securityGroup }) => cloud.call(cluster.modifyClusterEndpointSp, { clusterId, securityGroup }),
    },
    allowedCidrBlocks: (cloud, { clusterId, allowedCidrBlocks = [] }) =>
      cloud.call(cluster.modifyClusterEndpointSp, { clusterId, securityPolicies: allowedCidrBlocks }),
    credentialsVersion: () => Promise.resolve(new StatePatch({ kubeconfig: undefined })),
    nodePoolIds: "order-only",
    renewBefore: "local-only",
  },
  invariants: { check: [inSameVpc("subnetId", "clusterId")], end: [clusterGetsNode] },
  rules: [
    {
      of: "securityGroup",
      broken: ({ isExtranet, securityGroup }) =>
        isExtranet && securityGroup === undefined && "is required for access from the internet (isExtranet: true)",
    },
    {
      of: "subnetId",
      broken: ({ isExtranet, subnetId }) =>
        isExtranet === (subnetId !== undefined) &&
        `${isExtranet ? "goes only with" : "is required for"} access from the VPC (isExtranet: false)`,
    },
    {
      of: "allowedCidrBlocks",
      broken: ({ isExtranet, allowedCidrBlocks }) =>
        !isExtranet && allowedCidrBlocks !== undefined && "goes only with access from the internet (isExtranet: true)",
    },
  ],
  warnings: [({ allowedCidrBlocks }) => wideRanges("allowedCidrBlocks", allowedCidrBlocks)],
  due: ({ kubeconfigExpiresAt, renewBefore = "720h" }, now) => {
    const end = Date.parse(kubeconfigExpiresAt ?? "");
    if (!(now >= end - (secondsOf(renewBefore) ?? 0) * 1000)) return undefined;
    return {
      property: "kubeconfigExpiresAt",
      why: `the kubeconfig's certificate ${now >= end ? "ended" : "ends"} on ${kubeconfigExpiresAt}, and \`up\` renews it`,
    };
  },
  seconds: { create: 1800, update: 1800, delete: 900 },
  prerequisite: async (cloud, { clusterId, nodePoolIds }) => {
    const node = await nodeIn(cloud, clusterId);
    if (node === "running") return undefined;
    if (node === "coming") return `waiting for a running node in ${clusterId}`;
    throw new ProviderError("UnmetRequirement", nodeless(clusterId, nodePoolIds));
  },
  renew: async (cloud, desired) => {
    const { clusterId, renewBefore } = desired;
    const end = (await kubeconfigFacts(await currentKubeconfig(cloud, desired, 0))).expiresAt ?? Infinity;
    // The cluster's other endpoint may have rotated the certificates already. Another rotation would invalidate its kubeconfig.
    if (cloud.now() >= end - (secondsOf(renewBefore) ?? 0) * 1000) await cloud.call(cluster.updateClusterKubeconfig, { clusterId });
    return new StatePatch({ kubeconfig: undefined });
  },
  inputsToImport: async (cloud, { clusterId, isExtranet }) => {
    const endpoints = await cloud.call(cluster.describeClusterEndpoints, { clusterId });
    return {
      domain: (isExtranet ? endpoints.clusterExternalDomain : endpoints.clusterIntranetDomain) || undefined,
      nodePoolIds: (await nodePoolsOf(cloud, clusterId)).map(({ nodePoolId }) => nodePoolId),
    };
  },
}) {}
export interface ClusterEndpoint extends Outputs<ClusterEndpointState> {}

function canonicalRanges(value: unknown): unknown {
  const parsed = z.array(z.string()).safeParse(value);
  return parsed.success ? parsed.data.map((text) => canonicalRange(text) ?? text).sort() : value;
}

const noCredentials = { kubeconfig: undefined, kubeconfigExpiresAt: undefined };

type Place = Pick<ClusterEndpointState, "clusterId" | "isExtranet">;

/**
 * The known kubeconfig, if it has this address and the certificate that the platform returns now; otherwise the platform's. An account that may
 * not read kubeconfigs, such as that of a preview, keeps a known one.
 */
async function credentials(
  cloud: Cloud,
  { clusterId, isExtranet, address: before, kubeconfig, kubeconfigExpiresAt }: Place & Live<ClusterEndpointState>,
  address: string,
  customDomain: string,
) {
  const current = await currentKubeconfig(cloud, { clusterId, isExtranet }, recently).catch((error: unknown) => {
    const isDenied = error instanceof PlatformError && error.kind === "unauthorized";
    if (!isDenied || kubeconfig === undefined || address !== before) throw error;
    return undefined;
  });
  if (current === undefined) return { kubeconfig, kubeconfigExpiresAt };
  const { expiresAt: end, serialNumber } = await kubeconfigFacts(current);
  // A rotation for the cluster's other endpoint, by hand or by another stack has ended the known one.
  if (kubeconfig !== undefined && address === before && serialNumber !== undefined)
    if (serialNumber === (await kubeconfigFacts(kubeconfig)).serialNumber) return { kubeconfig, kubeconfigExpiresAt };
  return {
    // Specification, cluster service, rule 6: the cluster's own domain does not resolve everywhere.
    kubeconfig: customDomain === "" ? await withServer(current, `https://${address}`) : current,
    kubeconfigExpiresAt: end === undefined ? undefined : new Date(end).toISOString(),
  };
}

/** The kubeconfig that the platform returns. @param maxAge milliseconds that the answer may be old */
async function currentKubeconfig(cloud: Cloud, { clusterId, isExtranet }: Place, maxAge: number) {
  const operation = cluster.describeClusterKubeconfig;
  const key = `kubeconfig ${cloud.region} ${clusterId} ${isExtranet}`;
  return (await cloud.readings.share([operation], key, maxAge, () => cloud.call(operation, { clusterId, isExtranet }))).kubeconfig;
}

const sides = { public: true, internal: false } as const;

/** `cls-3f8a0c1e/public` or `cls-3f8a0c1e/internal`. */
function sided(): IdForm<Place> {
  return {
    looks: "cls-3f8a0c1e/public or cls-3f8a0c1e/internal",
    names: ["clusterId", "isExtranet"],
    of: ({ clusterId, isExtranet }) => `${clusterId}/${isExtranet ? "public" : "internal"}`,
    parts: (id) => {
      const [clusterId, side, ...rest] = id.split("/");
      const isExtranet = side === "public" || side === "internal" ? sides[side] : undefined;
      return clusterId && isExtranet !== undefined && rest.length === 0 ? { clusterId, isExtranet } : undefined;
    },
  };
}
