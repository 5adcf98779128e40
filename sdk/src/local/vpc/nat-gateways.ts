import * as operations from "../../catalogue/vpc.ts";
import type { addressErrors } from "../../catalogue/vpc/nat-gateways.ts";
import { natAddressFlaw, networkQuotas } from "../../rules/network.ts";
import { type Call, on } from "../behaviour.ts";
import { zonesOf } from "../regions.ts";
import { given } from "../requests/input.ts";
import { byId, byParent, exactly, listed, type Listing, partly, requireRow, tagFilters } from "../requests/listing.ts";
import { refuseName, refuseTags } from "../requests/names-and-tags.ts";
import { passing, settled, stateAt, stateReader } from "../store/timeline.ts";
import { bind, boundTo, unbind } from "./addresses.ts";
import { removeRoutesTo } from "./route-tables.ts";
import { elasticIps, type ElasticIpRow, natGateways, type NatGatewayRow, vpcs } from "./tables.ts";

const natGatewayStateAt = stateReader(operations.natGatewayStates);

function stateOf(call: Call, { timeline }: NatGatewayRow) {
  return natGatewayStateAt(timeline, call.now);
}

const listing: Listing<NatGatewayRow> = {
  table: natGateways,
  noun: "NAT gateway",
  ids: "NatGatewayIds",
  filters: {
    "nat-gateway-id": byId,
    "vpc-id": byParent(({ vpcId }) => vpcId),
    "nat-gateway-name": partly(({ name }) => [name]),
    "nat-state": exactly((row, call) => [stateOf(call, row)]),
    ...tagFilters,
  },
};

export const natGatewayBehaviours = [
  on(operations.createNatGateway, (call, { natGatewayName, vpcId, publicIpAddresses = [], tags = [], ...input }) => {
    requireRow(call, vpcs, "VPC", vpcId);
    refuseName(call, "NatGatewayName", natGatewayName);
    refuseTags(call, tags);
    const { internetMaxBandwidthOut: bandwidth = 100, maxConcurrentConnection: connections = operations.natConnections[0] } = input;
    refuseUnlessOneOf(call, "InternetMaxBandwidthOut", bandwidth, operations.natBandwidths);
    refuseUnlessOneOf(call, "MaxConcurrentConnection", connections, operations.natConnections);
    const usable = zonesOf(call.region).flatMap(({ zone, available }) => (available ? [zone] : []));
    const { zone = usable[0] ?? "" } = input;
    if (!usable.includes(zone)) throw call.error("UnsupportedOperation.NotSupportZone", `Zone is ${zone}; it takes ${usable.join(", ")}`);
    if (call.rows(natGateways).count(vpcId) >= networkQuotas.natGateways)
      throw call.error(
        "LimitExceeded.NatGatewayPerVpcLimitExceeded",
        `VPC ${vpcId} has ${networkQuotas.natGateways} NAT gateways, and cannot have more`,
      );
    if (publicIpAddresses.length === 0) throw call.error("MissingParameter", "PublicIpAddresses is empty; a NAT gateway has one at least");
    const bound = bindable(call, publicIpAddresses, []);
    const fault = call.faults.endFor("natGateway");
    const until = call.after("natCreate");
    const timeline = passing("PENDING", until, fault?.endState ?? "AVAILABLE", fault?.reason);
    const id = call.world.newId("nat", natGateways);
    const made = { id, vpcId, name: natGatewayName, zone, bandwidth, connections, timeline, createdTime: call.timestamp, tags };
    const row = call.rows(natGateways).insert(made, vpcId);
    bind(call, bound, id, until);
    return { totalCount: 1, natGatewaySet: [recordOf(call, row)] };
  }),

  on(operations.describeNatGateways, (call, { natGatewayIds, ...asked }) => {
    const { totalCount, rows } = listed(call, listing, { ids: natGatewayIds, ...asked });
    return { totalCount, natGatewaySet: rows.map((row) => recordOf(call, row)) };
  }),

  on(operations.modifyNatGatewayAttribute, (call, { natGatewayId, natGatewayName: name, internetMaxBandwidthOut: bandwidth }) => {
    available(call, natGatewayId);
    if (name !== undefined) refuseName(call, "NatGatewayName", name);
    if (bandwidth !== undefined) refuseUnlessOneOf(call, "InternetMaxBandwidthOut", bandwidth, operations.natBandwidths);
    call.rows(natGateways).update(natGatewayId, given({ name, bandwidth }));
  }),

  on(operations.resetNatGatewayConnection, (call, { natGatewayId, maxConcurrentConnection: connections }) => {
    const was = gatewayOf(call, natGatewayId);
    refuseUnlessOneOf(call, "MaxConcurrentConnection", connections, operations.natConnections);
    const current = stateOf(call, was);
    if (current !== "AVAILABLE") throw call.error("UnsupportedOperation.NatGatewayIsBusy", `NAT gateway ${natGatewayId} is ${current}`);
    call.rows(natGateways).update(natGatewayId, { connections });
  }),

  on(operations.associateNatGatewayAddress, (call, { natGatewayId, publicIpAddresses = [] }) => {
    const row = available(call, natGatewayId);
    if (publicIpAddresses.length === 0) throw call.error("MissingParameter", "PublicIpAddresses is empty");
    bind(call, bindable(call, publicIpAddresses, addressesOf(call, row)), natGatewayId, updating(call, row));
  }),

  on(operations.disassociateNatGatewayAddress, (call, { natGatewayId, publicIpAddresses }) => {
    const row = available(call, natGatewayId);
    const own = addressesOf(call, row);
    const odd = publicIpAddresses.find((text) => !own.some(({ address }) => address === text));
    if (odd !== undefined)
      throw call.error("UnsupportedOperation.PublicIpAddressIsNotExisted", `NAT gateway ${natGatewayId} does not have ${odd}`);
    const gone = own.filter(({ address }) => publicIpAddresses.includes(address));
    if (gone.length === own.length)
      throw call.error(
        "UnsupportedOperation.PublicIpAddressDisassociate",
        `NAT gateway ${natGatewayId} has no other elastic IP; a gateway keeps one at least`,
      );
    unbind(call, gone, updating(call, row));
  }),

  on(operations.deleteNatGateway, (call, { natGatewayId }) => {
    const row = gatewayOf(call, natGatewayId);
    const current = stateOf(call, row);
    if (current === "DELETING") return;
    if (current === "PENDING" || current === "UPDATING")
      throw call.error("UnsupportedOperation.MutexOperationTaskRunning", `NAT gateway ${natGatewayId} is ${current}`);
    const gone = call.after("natDelete");
    removeRoutesTo(call, row.vpcId, natGatewayId);
    unbind(call, addressesOf(call, row), gone);
    call.rows(natGateways).update(natGatewayId, { timeline: settled("DELETING") });
    call.rows(natGateways).expire(natGatewayId, gone);
  }),
];

function gatewayOf(call: Call<"ResourceNotFound">, id: string): NatGatewayRow {
  return requireRow(call, natGateways, "NAT gateway", id);
}

/** A gateway that can be changed now. */
function available(call: Call<"ResourceNotFound" | "UnsupportedOperation.InvalidState">, id: string): NatGatewayRow {
  const row = gatewayOf(call, id);
  const current = stateOf(call, row);
  if (current !== "AVAILABLE")
    throw call.error("UnsupportedOperation.InvalidState", `NAT gateway ${id} is ${current}; it is changed while it is AVAILABLE`);
  return row;
}

/** Begins an update of a gateway. Returns the moment at which it is done. */
function updating(call: Call, { id }: NatGatewayRow): number {
  const until = call.after("natUpdate");
  call.rows(natGateways).update(id, { timeline: passing("UPDATING", until, "AVAILABLE") });
  return until;
}

function addressesOf(call: Call, { id }: NatGatewayRow): ElasticIpRow[] {
  return call.list(elasticIps).filter((row) => boundTo(call, row).includes(id) && stateAt(row.timeline, call.now) !== "UNBINDING");
}

/** The elastic IPs of some addresses, which a gateway can take besides its own. */
function bindable(call: Call<(typeof addressErrors)[number]>, addresses: readonly string[], own: readonly ElasticIpRow[]): ElasticIpRow[] {
  if (own.length + addresses.length > networkQuotas.addressesOfGateway)
    throw call.error(
      "LimitExceeded.PublicIpAddressPerNatGatewayLimitExceeded",
      `a NAT gateway has ${networkQuotas.addressesOfGateway} elastic IPs at most`,
    );
  const all = call.list(elasticIps);
  return addresses.map((text) => {
    const row = all.find(({ address }) => address === text);
    if (!row)
      throw call.error("UnsupportedOperation.PublicIpAddressIsNotExisted", `no elastic IP in ${call.region} has the address ${text}`);
    const [bound] = boundTo(call, row);
    if (bound !== undefined) throw call.error("ResourceInUse.Address", `elastic IP ${row.id} (${text}) is bound to ${bound}`);
    const flaw = natAddressFlaw(row.provider, row.chargeType);
    if (flaw !== undefined)
      throw call.error(
        row.provider === "BGP"
          ? "UnsupportedOperation.PublicIpAddressNotBilledByTraffic"
          : "UnsupportedOperation.PublicIpAddressIsNotBGPIp",
        `elastic IP ${row.id} (${text}) ${flaw}`,
      );
    return row;
  });
}

function refuseUnlessOneOf(call: Call<"InvalidParameterValue.Range">, field: string, value: number, values: readonly number[]): void {
  if (!values.includes(value)) throw call.error("InvalidParameterValue.Range", `${field} is ${value}; it takes ${values.join(", ")}`);
}

function recordOf(call: Call, row: NatGatewayRow) {
  return {
    natGatewayId: row.id,
    natGatewayName: row.name,
    state: stateOf(call, row),
    networkState: "AVAILABLE",
    vpcId: row.vpcId,
    zone: row.zone,
    internetMaxBandwidthOut: row.bandwidth,
    maxConcurrentConnection: row.connections,
    publicIpAddressSet: addressesOf(call, row).map(({ id, address }) => ({ addressId: id, publicIpAddress: address, isBlocked: false })),
    natProductVersion: 1,
    createdTime: row.createdTime,
    tagSet: row.tags,
  };
}
