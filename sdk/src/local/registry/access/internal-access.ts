import { describeInternalEndpoints, manageInternalEndpoint } from "../../../catalogue/registry/endpoints.ts";
import { type Call, on } from "../../behaviour.ts";
import { freeHosts, subnetIn } from "../../cluster/network.ts";
import { requireRow } from "../../requests/require-row.ts";
import { durationOf } from "../../time-scale.ts";
import { numberOfRegion } from "../../regions.ts";
import { passing, settled } from "../../store/timeline.ts";
import { attach, attachmentsBy } from "../../vpc/attachments.ts";
import { freeAddresses } from "../../vpc/subnets.ts";
import { attachments, vpcs } from "../../vpc/tables.ts";
import { internalEndpointStateAt, type Context, registryOf, runningRegistry } from "../states.ts";
import { internalEndpoints, type InternalEndpointRow, internalNames } from "../tables.ts";

interface Target {
  readonly registryId: string;
  readonly vpcId: string;
  readonly subnetId: string;
}

export const internalAccessBehaviours = [
  on(describeInternalEndpoints, (call, { registryId }) => {
    registryOf(call, registryId);
    const connected = connectedAddresses(call, registryId);
    const accessVpcSet = call
      .rows(internalEndpoints)
      .list(registryId)
      .map(({ vpcId, subnetId, timeline, address }) => {
        const status = internalEndpointStateAt(timeline, call.now);
        return { vpcId, subnetId, status, accessIp: status === "Pending" ? "" : address };
      });
    return { internalEndpoint: connected, accessVpcSet, totalCount: connected.length };
  }),

  on(manageInternalEndpoint, (call, { operation, regionId, regionName, ...target }) => {
    refuseRegion(call, { regionId, regionName });
    if (operation === "Create") connect(call, target);
    else disconnect(call, target);
    return { registryId: target.registryId };
  }),
];

/** The addresses of the connections that are running. */
export function connectedAddresses({ world, region, account, now }: Context, registryId: string): string[] {
  return world
    .rows(internalEndpoints, region, account)
    .list(registryId)
    .flatMap(({ timeline, address }) => (internalEndpointStateAt(timeline, now) === "Running" ? [address] : []));
}

/** Refuses another region: a VPC there is only reached through a replica of the registry, and the local platform has none. */
export function refuseRegion(
  call: Call,
  { regionId, regionName }: { readonly regionId?: number | undefined; readonly regionName?: string | undefined },
): void {
  const own = numberOfRegion(call.region);
  if (regionId !== undefined && regionId !== own)
    throw call.error("InvalidParameter", `RegionId is ${regionId}; the registry has no replica there, so it takes ${own} (${call.region})`);
  if (regionName !== undefined && regionName !== call.region)
    throw call.error("InvalidParameter", `RegionName is ${regionName}; the registry has no replica there, so it takes ${call.region}`);
}

function connect(
  call: Call<"ResourceNotFound" | "ResourceInsufficient.ErrorInstanceNotRunning" | "FailedOperation">,
  { registryId, vpcId, subnetId }: Target,
): void {
  runningRegistry(call, registryId);
  requireRow(call, vpcs, "VPC", vpcId);
  const subnet = subnetIn(call, "SubnetId", subnetId, { vpcId, dualStack: false });
  const id = `${registryId}/${vpcId}/${subnetId}`;
  if (call.rows(internalEndpoints).get(id))
    throw call.error(
      "FailedOperation",
      `registry ${registryId} is connected to subnet ${subnetId} already, or that connection is being deleted`,
    );
  const [address] = freeHosts(call, subnet, Math.min(1, freeAddresses(call, subnet)));
  if (address === undefined)
    throw call.error("InvalidParameter", `subnet ${subnetId} has no available address; the registry's connection needs one`);
  const timeline = passing("Pending", call.after("registryConnect"), "Running");
  call.rows(internalEndpoints).insert({ id, registryId, vpcId, subnetId, timeline, address }, registryId);
  attach(call, { owner: registryId, vpcId, subnetId, addresses: 1, ipv6: false, securityGroupIds: [] });
}

/** Deletes a connection, and the names that resolve to its address. */
function disconnect(call: Call<"ResourceNotFound">, { registryId, vpcId, subnetId }: Target): void {
  registryOf(call, registryId);
  const endpoint = call.rows(internalEndpoints).get(`${registryId}/${vpcId}/${subnetId}`);
  if (!endpoint) throw call.error("ResourceNotFound", `registry ${registryId} has no connection to subnet ${subnetId} of VPC ${vpcId}`);
  if (internalEndpointStateAt(endpoint.timeline, call.now) === "Deleting") return;
  const gone = call.after("registryDisconnect");
  call.rows(internalEndpoints).update(endpoint.id, { timeline: settled("Deleting") });
  call.rows(internalEndpoints).expire(endpoint.id, gone);
  for (const { id, vpcId: of, address } of call.rows(internalNames).list(registryId))
    if (of === vpcId && address === endpoint.address) call.rows(internalNames).remove(id);
  release(call, endpoint, gone);
}

/** Releases the address of a connection a little after its deletion. */
function release(call: Call, { registryId, vpcId, subnetId }: InternalEndpointRow, moment: number): void {
  const released = moment + durationOf("addressRelease", call.world.timeScale);
  for (const { id } of attachmentsBy(call, ({ owner, subnetId: of }) => owner === registryId && of === subnetId, vpcId))
    call.rows(attachments).expire(id, released);
}
