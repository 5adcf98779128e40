import {
  createInternalEndpointDns,
  deleteInternalEndpointDns,
  describeInternalEndpointDnsStatus,
} from "../../../catalogue/registry/endpoints.ts";
import { type Call, on } from "../../behaviour.ts";
import { passing } from "../../store/timeline.ts";
import { dedicatedDomainOf, publicDomainOf } from "../instances/domains.ts";
import { refuseRegion } from "./internal-access.ts";
import { internalDnsStateAt, internalEndpointStateAt, registryOf, runningRegistry } from "../states.ts";
import { internalEndpoints, internalNames } from "../tables.ts";

interface Target {
  readonly instanceId: string;
  readonly vpcId: string;
  readonly eniLbIp: string;
  readonly usePublicDomain?: boolean | undefined;
}

export const internalNameBehaviours = [
  on(createInternalEndpointDns, (call, { regionId, regionName, ...target }) => {
    refuseRegion(call, { regionId, regionName });
    runningRegistry(call, target.instanceId);
    refuseUnconnected(call, target);
    const { id, domain } = nameOf(call, target);
    const known = call.rows(internalNames).get(id);
    if (known?.address === target.eniLbIp) return {};
    if (known) call.rows(internalNames).remove(id);
    const { instanceId: registryId, vpcId, eniLbIp: address } = target;
    const timeline = passing("DISABLE", call.after("registryName"), "ENABLE");
    call.rows(internalNames).insert({ id, registryId, vpcId, domain, address, timeline }, registryId);
    return {};
  }),

  on(deleteInternalEndpointDns, (call, { regionName, ...target }) => {
    refuseRegion(call, { regionName });
    const { id, domain } = nameOf(call, target);
    const known = call.rows(internalNames).get(id);
    if (known?.address !== target.eniLbIp)
      throw call.error("ResourceNotFound", `VPC ${target.vpcId} does not resolve ${domain} to ${target.eniLbIp}`);
    call.rows(internalNames).remove(id);
    return {};
  }),

  on(describeInternalEndpointDnsStatus, (call, { vpcSet }) => ({
    vpcSet: vpcSet.map(({ regionName, ...target }) => {
      refuseRegion(call, { regionName });
      const known = call.rows(internalNames).get(nameOf(call, target).id);
      const timeline = known?.address === target.eniLbIp ? known.timeline : undefined;
      return { region: call.region, vpcId: target.vpcId, status: internalDnsStateAt(timeline, call.now) };
    }),
  })),
];

/** The name that a call is about: the dedicated domain, or the public one if it asks for that. */
function nameOf(call: Call<"ResourceNotFound">, { instanceId, vpcId, usePublicDomain = false }: Target): { id: string; domain: string } {
  const registry = registryOf(call, instanceId);
  const domain = usePublicDomain ? publicDomainOf(registry) : dedicatedDomainOf(registry);
  return { id: `${instanceId}/${vpcId}/${domain}`, domain };
}

/** Refuses an address that is not that of a running connection. */
function refuseUnconnected(call: Call, { instanceId, vpcId, eniLbIp }: Target): void {
  const own = call
    .rows(internalEndpoints)
    .list(instanceId)
    .filter((endpoint) => endpoint.vpcId === vpcId && internalEndpointStateAt(endpoint.timeline, call.now) === "Running")
    .map(({ address }) => address);
  if (own.includes(eniLbIp)) return;
  const choice = own.length === 0 ? "it has none yet" : `it takes ${own.join(" or ")}`;
  throw call.error("InvalidParameter", `EniLBIp is ${eniLbIp}, which is no address of registry ${instanceId} in VPC ${vpcId}; ${choice}`);
}
