import { z } from "zod";
import { inExample, operations, sensitive, spelt, state, unexposed } from "../../operation/operation.ts";
import { clusterEndpointStates } from "./states.ts";
import { clusterId } from "./structures.ts";

const { operation, publicApiOperation } = operations("cluster", "2018-05-25");

const isExtranet = z.boolean().describe("True: the public endpoint. False: the internal one.");
const direction = isExtranet.optional().describe("True: the public endpoint. False, the default: the internal one.");

export const createClusterEndpoint = operation("CreateClusterEndpoint", () => ({
  summary: "Opens an endpoint of a cluster's API server: the public one, or the internal one in its VPC. The cluster needs a running node.",
  input: {
    clusterId,
    isExtranet,
    subnetId: z.string().optional().describe("Subnet of the cluster's VPC; required for the internal endpoint, and only for that one."),
    domain: z.string().optional().describe("A custom domain name."),
    securityGroup: inExample(z.string().optional().describe("ID of the security group; required for the public endpoint.")),
    extensiveParameters: z.string().optional().describe("More settings of the load balancer, a JSON object as text; public only."),
    existedLoadBalancerId: z.string().optional().describe("An existing load balancer to use."),
  },
  errors: [
    "InternalError.EmptyClusterNotSupport",
    "InvalidParameter.Param",
    "ResourceInUse",
    "ResourceNotFound",
    "ResourceUnavailable.ClusterState",
  ],
}));

export const deleteClusterEndpoint = publicApiOperation("DeleteClusterEndpoint", () => ({
  summary: "Closes an endpoint. It is `Deleting` at first, then `NotFound`.",
  input: { clusterId, isExtranet: direction },
  errors: ["ResourceNotFound"],
  repeatable: true,
}));

export const describeClusterEndpointStatus = operation("DescribeClusterEndpointStatus", () => ({
  summary: "Returns the state of an endpoint; `NotFound` if the endpoint does not exist.",
  input: { clusterId, isExtranet: direction },
  output: {
    status: state(clusterEndpointStates).describe("State of the endpoint."),
    errorMsg: z.string().optional().describe("Reason why it could not be created."),
  },
  errors: ["ResourceNotFound"],
}));

export const describeClusterEndpoints = operation("DescribeClusterEndpoints", () => ({
  summary: "Returns the addresses of a cluster's API server.",
  input: { clusterId },
  output: {
    certificationAuthority: z.string().describe("Certificate of the authority that signs the API server's certificate, PEM."),
    clusterExternalEndpoint: z.string().describe("Public address; empty if no public endpoint is open."),
    clusterIntranetEndpoint: z.string().describe("Internal address; empty if no internal endpoint is open."),
    domain: z.string().describe("Access domain of the cluster. It does not resolve outside of the platform."),
    clusterDomain: z.string().describe("The same as `Domain`."),
    clusterExternalAcl: spelt(
      "ClusterExternalACL",
      z.array(z.string()).describe("CIDR blocks that may use the public endpoint; if empty, its security group decides."),
    ),
    clusterExternalDomain: z.string().describe("Custom domain of the public endpoint; empty: none."),
    clusterIntranetDomain: z.string().describe("Custom domain of the internal endpoint; empty: none."),
    securityGroup: z.string().describe("Security group of the public endpoint; empty: none."),
    clusterIntranetSubnetId: z.string().describe("Subnet of the internal endpoint; empty: none."),
    intranetSecurityGroup: z.string().describe("Security group of the internal endpoint; empty: none."),
  },
  errors: ["ResourceNotFound"],
}));

export const modifyClusterEndpointSp = operation("ModifyClusterEndpointSP", () => ({
  summary: "Changes the security group or the IP allowlist of the public endpoint, or both.",
  input: {
    clusterId,
    securityPolicies: z
      .array(z.string())
      .optional()
      .describe("IPv4 or IPv6 CIDR blocks or addresses that may use it; if the list is empty, the security group decides."),
    securityGroup: z.string().optional().describe("ID of another security group."),
  },
  errors: ["InvalidParameter.Param", "ResourceNotFound", "ResourceUnavailable"],
  repeatable: true,
}));

export const describeClusterSecurity = publicApiOperation("DescribeClusterSecurity", () => ({
  summary: "Returns all access data of a cluster: user, authority, addresses, kubeconfig.",
  input: { clusterId },
  output: {
    userName: z.string().describe("User of the API server."),
    password: sensitive(z.string().describe("Password of that user; empty: certificates are used.")),
    certificationAuthority: z.string().describe("Certificate of the authority that signs the API server's certificate, PEM."),
    clusterExternalEndpoint: z.string().describe("Public address; empty if no public endpoint is open."),
    domain: z.string().describe("Access domain of the cluster."),
    pgwEndpoint: z.string().describe("Internal address; empty if no internal endpoint is open."),
    securityPolicy: z.array(z.string()).describe("CIDR blocks that may use the public endpoint."),
    kubeconfig: sensitive(z.string().describe("Kubeconfig of the caller, YAML.")),
    jnsGwEndpoint: z.string().describe("Address of a gateway; empty."),
  },
  errors: ["ResourceNotFound"],
}));

export const describeClusterKubeconfig = operation("DescribeClusterKubeconfig", () => ({
  summary: "Returns the caller's kubeconfig. It only works while the endpoint of its direction is open, and until its certificate expires.",
  input: { clusterId, isExtranet: direction },
  output: { kubeconfig: sensitive(z.string().describe("The kubeconfig, YAML. Its certificate is the caller's own.")) },
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState"],
}));

export const updateClusterKubeconfig = operation("UpdateClusterKubeconfig", () => ({
  summary: "Rotates the certificates of kubeconfigs; older ones stop working.",
  input: {
    clusterId,
    subAccounts: z.array(z.string()).optional().describe("Users whose certificates are rotated; the caller unless given."),
  },
  output: { updatedSubAccounts: z.array(z.string()).describe("Users whose certificates were rotated.") },
  errors: ["InvalidParameter.Param", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
}));

export const rotateClusterToken = operation("RotateClusterToken", () => ({
  summary:
    "Rotates the token of a cluster. Kubeconfigs have other credentials, which UpdateClusterKubeconfig rotates; the command-line client only offers that one.",
  input: {
    clusterId: unexposed(
      clusterId.optional().describe("ID of the cluster. Without it, the platform rejects the call: `MissingParameter`."),
    ),
  },
  errors: ["ResourceNotFound"],
}));
