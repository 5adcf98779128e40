import type { z } from "zod";
import { addressFamily, parseCidr } from "../../../formats/addresses.ts";
import * as operations from "../../../catalogue/cluster/endpoints.ts";
import { jsonIn } from "../../../formats/texts.ts";
import { type Call, on } from "../../behaviour.ts";
import { requireRow } from "../../requests/listing.ts";
import { passing, reasonAt, settled } from "../../store/timeline.ts";
import { attach } from "../../vpc/subnets.ts";
import { addressOf, domainOf, servedClusters } from "../control-plane/clusters.ts";
import { freeHosts, refuseMissingGroups, releaseOwners, subnetIn } from "../network.ts";
import { clusterOf, endpointStateAt, nodeStateOf, requireUsable } from "../states.ts";
import { authorities, clusterEndpoints, type ClusterRow, type EndpointRow, nodes } from "../tables.ts";

export const endpointBehaviours = [
  on(operations.createClusterEndpoint, async (call, input) => {
    const { clusterId, isExtranet, domain = "", securityGroup = "", subnetId = "" } = input;
    const cluster = clusterOf(call, clusterId);
    refuseParameters(call, input);
    requireUsable(call, cluster);
    if (endpointOf(call, clusterId, isExtranet))
      throw call.error(
        "ResourceInUse",
        `cluster ${clusterId} has ${isExtranet ? "a public" : "an internal"} endpoint; DeleteClusterEndpoint closes it`,
      );
    if (securityGroup !== "") refuseMissingGroups(call, [securityGroup]);
    const address = isExtranet ? publicAddress(call) : internalAddress(call, cluster, subnetId);
    // Public API: `EmptyClusterNotSupport`.
    if (!call.list(nodes, clusterId).some((node) => !node.leaving && nodeStateOf(call, node) === "running"))
      throw call.error("InternalError.EmptyClusterNotSupport", `cluster ${clusterId} has no running node; an access endpoint needs one`);
    const fault = call.faults.endFor("clusterEndpoint");
    const timeline = passing("Creating", call.after("endpointCreate"), fault?.endState ?? "Created", fault?.reason);
    const id = `${clusterId}/${directionOf(isExtranet)}`;
    call
      .rows(clusterEndpoints)
      .insert({ id, clusterId, isExtranet, timeline, address, domain, securityGroup, subnetId, acl: [] }, clusterId);
    attachEndpoint(call, cluster, { id, subnetId, securityGroup });
    // Its address is told as soon as it is open.
    await servedClusters.get(call.world)?.addressFor(isExtranet ? undefined : cluster.vpcId);
  }),

  on(operations.deleteClusterEndpoint, (call, { clusterId, isExtranet = false }) => {
    const cluster = clusterOf(call, clusterId);
    const endpoint = endpointOf(call, clusterId, isExtranet);
    if (!endpoint) throw call.error("ResourceNotFound", `cluster ${clusterId} has no ${directionOf(isExtranet)} endpoint`);
    if (endpointStateAt(endpoint.timeline, call.now) === "Deleting") return;
    const gone = call.after("endpointDelete");
    call.rows(clusterEndpoints).update(endpoint.id, { timeline: settled("Deleting") });
    call.rows(clusterEndpoints).expire(endpoint.id, gone);
    releaseOwners(call, cluster, [endpoint.id], gone);
  }),

  on(operations.describeClusterEndpointStatus, (call, { clusterId, isExtranet = false }) => {
    clusterOf(call, clusterId);
    const timeline = endpointOf(call, clusterId, isExtranet)?.timeline ?? settled("NotFound");
    return { status: endpointStateAt(timeline, call.now), errorMsg: reasonAt(timeline, call.now) };
  }),

  on(operations.describeClusterEndpoints, (call, { clusterId }) => {
    clusterOf(call, clusterId);
    const outside = endpointOf(call, clusterId, true);
    const inside = endpointOf(call, clusterId, false);
    return {
      certificationAuthority: requireRow(call, authorities, "authority of cluster", clusterId).certificate,
      clusterExternalEndpoint: addressOf(call, clusterId, "public"),
      clusterIntranetEndpoint: addressOf(call, clusterId, "internal"),
      domain: domainOf(clusterId),
      clusterDomain: domainOf(clusterId),
      clusterExternalAcl: outside?.acl ?? [],
      clusterExternalDomain: outside?.domain ?? "",
      clusterIntranetDomain: inside?.domain ?? "",
      securityGroup: outside?.securityGroup ?? "",
      clusterIntranetSubnetId: inside?.subnetId ?? "",
      intranetSecurityGroup: inside?.securityGroup ?? "",
    };
  }),

  on(operations.modifyClusterEndpointSp, (call, { clusterId, securityPolicies, securityGroup }) => {
    const cluster = clusterOf(call, clusterId);
    const endpoint = endpointOf(call, clusterId, true);
    if (!endpoint) throw call.error("ResourceNotFound", `cluster ${clusterId} has no public endpoint`);
    const state = endpointStateAt(endpoint.timeline, call.now);
    if (state !== "Created")
      throw call.error(
        "ResourceUnavailable",
        `the public endpoint of cluster ${clusterId} is ${state}; it can be changed when it is Created`,
      );
    if (securityPolicies === undefined && securityGroup === undefined)
      throw call.error("MissingParameter", "SecurityPolicies or SecurityGroup is required");
    const odd = securityPolicies?.find((range) => addressFamily(range) === undefined && parseCidr(range) === undefined);
    if (odd !== undefined)
      throw call.error(
        "InvalidParameter.Param",
        `SecurityPolicies has ${JSON.stringify(odd)}; it takes addresses or ranges such as 203.0.113.7/32`,
      );
    if (securityGroup !== undefined) {
      refuseMissingGroups(call, [securityGroup]);
      releaseOwners(call, cluster, [endpoint.id], call.now);
      attachEndpoint(call, cluster, { ...endpoint, securityGroup });
    }
    call.rows(clusterEndpoints).update(endpoint.id, {
      acl: securityPolicies ?? endpoint.acl,
      securityGroup: securityGroup ?? endpoint.securityGroup,
    });
  }),
];

export function endpointOf(call: Call, clusterId: string, isExtranet: boolean): EndpointRow | undefined {
  return call.rows(clusterEndpoints).get(`${clusterId}/${directionOf(isExtranet)}`);
}

function directionOf(isExtranet: boolean): "public" | "internal" {
  return isExtranet ? "public" : "internal";
}

/** Attaches an endpoint to the VPC: to its security group and, if it is internal, to an address of its subnet. */
function attachEndpoint(
  call: Call,
  { vpcId, network }: ClusterRow,
  { id: owner, subnetId, securityGroup }: Pick<EndpointRow, "id" | "subnetId" | "securityGroup">,
): void {
  const isInternal = subnetId !== "";
  attach(call, {
    owner,
    vpcId,
    ...(isInternal && { subnetId }),
    addresses: isInternal ? 1 : 0,
    ipv6: isInternal && network.isDualStack,
    securityGroupIds: securityGroup === "" ? [] : [securityGroup],
  });
}

/** Refuses parameters that do not go with the direction, or are invalid. */
function refuseParameters(
  call: Call<"InvalidParameter.Param" | "ResourceNotFound">,
  given: z.output<typeof operations.createClusterEndpoint.input>,
): void {
  const { isExtranet, securityGroup = "", subnetId = "", extensiveParameters, existedLoadBalancerId } = given;
  if (isExtranet && securityGroup === "") throw call.error("MissingParameter", "SecurityGroup is required with IsExtranet true");
  if (isExtranet && subnetId !== "")
    throw call.error("InvalidParameter", `SubnetId is ${subnetId}, but IsExtranet is true; only the internal endpoint is in a subnet`);
  if (!isExtranet && subnetId === "")
    throw call.error("MissingParameter", "SubnetId is required with IsExtranet false: a subnet of the cluster's VPC");
  if (extensiveParameters !== undefined && jsonIn(extensiveParameters) === undefined)
    throw call.error(
      "InvalidParameter.Param",
      "ExtensiveParameters is not JSON; it takes settings of the load balancer, a JSON object as text",
    );
  if (existedLoadBalancerId !== undefined)
    throw call.error("ResourceNotFound", `there is no load balancer ${existedLoadBalancerId} in ${call.region}`);
}

/** A documentation address (RFC 5737), which belongs to nobody. */
function publicAddress(call: Call): string {
  return `203.0.113.${1 + (call.world.draw().readUInt16BE(0) % 254)}`;
}

function internalAddress(call: Call<"ResourceNotFound">, cluster: ClusterRow, subnetId: string): string {
  const subnet = subnetIn(call, "SubnetId", subnetId, cluster);
  const [address] = freeHosts(call, subnet, 1);
  if (address === undefined)
    throw call.error("InvalidParameter", `subnet ${subnetId} has no available address; the internal endpoint needs one`);
  return address;
}
