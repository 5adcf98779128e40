import { boolean, inExample, operations, sensitive, spelt, state, string, strings, unexposed } from "../../operation/operation.ts";
import { clusterEndpointStates } from "./states.ts";
import { clusterId } from "./structures.ts";

const { operation, publicApiOperation } = operations("cluster", "2018-05-25");

const isExtranet = boolean("True: the public endpoint. False: the internal one.");
const direction = isExtranet.optional().describe("True: the public endpoint. False, the default: the internal one.");

export const createClusterEndpoint = operation("CreateClusterEndpoint", () => ({
  summary: "Opens an endpoint of a cluster's API server: the public one, or the internal one in its VPC. The cluster needs a running node.",
  input: {
    clusterId,
    isExtranet,
    subnetId: string("Subnet of the cluster's VPC; required for the internal endpoint, and only for that one.").optional(),
    domain: string("A custom domain name.").optional(),
    securityGroup: inExample(string("ID of the security group; required for the public endpoint.").optional()),
    extensiveParameters: string("More settings of the load balancer, a JSON object as text; public only.").optional(),
    existedLoadBalancerId: string("An existing load balancer to use.").optional(),
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
    errorMsg: string("Reason why it could not be created.").optional(),
  },
  errors: ["ResourceNotFound"],
}));

export const describeClusterEndpoints = operation("DescribeClusterEndpoints", () => ({
  summary: "Returns the addresses of a cluster's API server.",
  input: { clusterId },
  output: {
    certificationAuthority: string("Certificate of the authority that signs the API server's certificate, PEM."),
    clusterExternalEndpoint: string("Public address; empty if no public endpoint is open."),
    clusterIntranetEndpoint: string("Internal address; empty if no internal endpoint is open."),
    domain: string("Access domain of the cluster. It does not resolve outside of the platform."),
    clusterDomain: string("The same as `Domain`."),
    clusterExternalAcl: spelt(
      "ClusterExternalACL",
      strings("CIDR blocks that may use the public endpoint; if empty, its security group decides."),
    ),
    clusterExternalDomain: string("Custom domain of the public endpoint; empty: none."),
    clusterIntranetDomain: string("Custom domain of the internal endpoint; empty: none."),
    securityGroup: string("Security group of the public endpoint; empty: none."),
    clusterIntranetSubnetId: string("Subnet of the internal endpoint; empty: none."),
    intranetSecurityGroup: string("Security group of the internal endpoint; empty: none."),
  },
  errors: ["ResourceNotFound"],
}));

export const modifyClusterEndpointSp = operation("ModifyClusterEndpointSP", () => ({
  summary: "Changes the security group or the IP allowlist of the public endpoint, or both.",
  input: {
    clusterId,
    securityPolicies: strings(
      "IPv4 or IPv6 CIDR blocks or addresses that may use it; if the list is empty, the security group decides.",
    ).optional(),
    securityGroup: string("ID of another security group.").optional(),
  },
  errors: ["InvalidParameter.Param", "ResourceNotFound", "ResourceUnavailable"],
  repeatable: true,
}));

export const describeClusterSecurity = publicApiOperation("DescribeClusterSecurity", () => ({
  summary: "Returns all access data of a cluster: user, authority, addresses, kubeconfig.",
  input: { clusterId },
  output: {
    userName: string("User of the API server."),
    password: sensitive(string("Password of that user; empty: certificates are used.")),
    certificationAuthority: string("Certificate of the authority that signs the API server's certificate, PEM."),
    clusterExternalEndpoint: string("Public address; empty if no public endpoint is open."),
    domain: string("Access domain of the cluster."),
    pgwEndpoint: string("Internal address; empty if no internal endpoint is open."),
    securityPolicy: strings("CIDR blocks that may use the public endpoint."),
    kubeconfig: sensitive(string("Kubeconfig of the caller, YAML.")),
    jnsGwEndpoint: string("Address of a gateway; empty."),
  },
  errors: ["ResourceNotFound"],
}));

export const describeClusterKubeconfig = operation("DescribeClusterKubeconfig", () => ({
  summary: "Returns the caller's kubeconfig. It only works while the endpoint of its direction is open, and until its certificate expires.",
  input: { clusterId, isExtranet: direction },
  output: { kubeconfig: sensitive(string("The kubeconfig, YAML. Its certificate is the caller's own.")) },
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState"],
}));

export const updateClusterKubeconfig = operation("UpdateClusterKubeconfig", () => ({
  summary: "Rotates the certificates of kubeconfigs; older ones stop working.",
  input: {
    clusterId,
    subAccounts: strings("Users whose certificates are rotated; the caller unless given.").optional(),
  },
  output: { updatedSubAccounts: strings("Users whose certificates were rotated.") },
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
