import type { z } from "zod";
import * as operations from "../../catalogue/vpc.ts";
import { addressAt } from "../../formats/addresses.ts";
import { bandwidthFlaw, networkQuotas, networkRules } from "../../rules/network.ts";
import { type Call, on } from "../behaviour.ts";
import { regions } from "../regions.ts";
import { byId, exactly, listed, type Listing, requireRow, tagFilters } from "../requests/listing.ts";
import { refuseTags, refuseToken, refuseUnlessAllowed } from "../requests/names-and-tags.ts";
import { passing, settled, stateReader } from "../store/timeline.ts";
import { monthsAfter, timestampOf } from "../time.ts";
import { elasticIps, type ElasticIpRow } from "./tables.ts";

/** Addresses that are reserved for documentation. */
const pools = ["198.51.100.0/24", "203.0.113.0/24"] as const;
/** How often the billing of an elastic IP can be changed (public API). */
const mostChargeChanges = 2;

const statusAt = stateReader(operations.addressStatuses);

function addressStatusOf(call: Call, { timeline }: ElasticIpRow) {
  return statusAt(timeline, call.now);
}

const listing: Listing<ElasticIpRow> = {
  table: elasticIps,
  noun: "elastic IP",
  ids: "AddressIds",
  missing: "left out",
  filters: {
    "address-id": byId,
    "address-name": exactly(({ name }) => [name]),
    "address-ip": exactly(({ address }) => [address]),
    "address-status": exactly((row, call) => [addressStatusOf(call, row)]),
    "instance-id": exactly((row, call) => boundTo(call, row)),
    "instance-type": exactly((row, call) => boundTo(call, row).map(() => "NAT")),
    ...tagFilters,
  },
};

/** The gateway that an elastic IP is bound to, if it is. */
export function boundTo(call: Call, row: ElasticIpRow): string[] {
  return row.boundTo === undefined || addressStatusOf(call, row) === "UNBIND" ? [] : [row.boundTo];
}

/** Binds elastic IPs to a gateway, which takes until a moment. */
export function bind(call: Call, rows: readonly ElasticIpRow[], gatewayId: string, until: number): void {
  for (const { id } of rows) call.rows(elasticIps).update(id, { boundTo: gatewayId, timeline: passing("BINDING", until, "BIND") });
}

/** Unbinds elastic IPs, which takes until a moment. */
export function unbind(call: Call, rows: readonly ElasticIpRow[], until: number): void {
  for (const { id } of rows) call.rows(elasticIps).update(id, { timeline: passing("UNBINDING", until, "UNBIND") });
}

export const addressBehaviours = [
  on(operations.allocateAddresses, (call, { addressCount = 1, addressName = "", tags = [], clientToken, ...input }) => {
    const { internetChargeType: chargeType = "TRAFFIC_POSTPAID_BY_HOUR", internetMaxBandwidthOut: bandwidth = 1 } = input;
    const { internetServiceProvider: provider = "BGP" } = input;
    refuseTags(call, tags);
    if (addressName !== "") refuseAddressName(call, addressName);
    refuseToken(call, clientToken);
    const present = call.list(elasticIps);
    const repeated = present.filter(({ token }) => clientToken !== undefined && token === clientToken);
    if (repeated.length > 0) return { addressSet: repeated.map(({ id }) => id) };
    if (addressCount < 1) throw call.error("InvalidParameterValue.Range", `AddressCount is ${addressCount}; it takes 1 or more`);
    if (present.length + addressCount > networkQuotas.elasticIps)
      throw call.error(
        "AddressQuotaLimitExceeded",
        `the account has ${present.length} elastic IPs in ${call.region}; it can have ${networkQuotas.elasticIps}`,
      );
    if (chargeType === "BANDWIDTH_PACKAGE")
      throw call.error("UnsupportedOperation.BandwidthPackageIdNotSupported", "the emulator has no bandwidth packages");
    refuseBandwidth(call, chargeType, bandwidth);
    const prepaid = prepaidOf(call, chargeType, input.addressChargePrepaid);
    const addressSet = Array.from({ length: addressCount }, () => {
      const id = call.world.newId("eip", elasticIps);
      const settings = { provider, chargeType, chargeChanges: 0, prepaid, bandwidth, token: clientToken, tags };
      const timeline = passing("CREATING", call.after("addressAllocate"), "UNBIND");
      call
        .rows(elasticIps)
        .insert({ id, name: addressName, address: drawAddress(call), timeline, createdTime: call.timestamp, ...settings });
      return id;
    });
    return { addressSet };
  }),

  on(operations.describeAddresses, (call, { addressIds, ...asked }) => {
    const { totalCount, rows } = listed(call, listing, { ids: addressIds, ...asked });
    return { totalCount, addressSet: rows.map((row) => recordOf(call, row)) };
  }),

  on(operations.modifyAddressAttribute, (call, { addressId, addressName }) => {
    addressOf(call, addressId);
    if (addressName === undefined) return;
    refuseAddressName(call, addressName);
    call.rows(elasticIps).update(addressId, { name: addressName });
  }),

  on(operations.modifyAddressesBandwidth, (call, { addressIds, internetMaxBandwidthOut: bandwidth }) => {
    for (const id of addressIds) {
      refuseBandwidth(call, addressOf(call, id).chargeType, bandwidth);
      call.rows(elasticIps).update(id, { bandwidth });
    }
    return {};
  }),

  on(
    operations.modifyAddressInternetChargeType,
    (call, { addressId, internetChargeType: chargeType, internetMaxBandwidthOut: bandwidth, ...input }) => {
      const was = addressOf(call, addressId);
      const changeable: readonly operations.ChargeType[] = ["TRAFFIC_POSTPAID_BY_HOUR", "BANDWIDTH_PREPAID_BY_MONTH"];
      if (was.chargeType === chargeType)
        throw call.error("InvalidParameterValue.InternetChargeTypeNotChanged", `${addressId} is billed by ${chargeType} already`);
      if (!changeable.includes(was.chargeType) || !changeable.includes(chargeType))
        throw call.error(
          "InvalidParameterValue.Combination",
          `${addressId} is billed by ${was.chargeType}, and only changes between ${changeable.join(" and ")}`,
        );
      const [bound] = boundTo(call, was);
      if (bound !== undefined)
        throw call.error(
          "UnsupportedOperation.NatNotSupported",
          `${addressId} is bound to ${bound}, which takes addresses billed by traffic`,
        );
      if (was.chargeChanges >= mostChargeChanges)
        throw call.error(
          "LimitExceeded.ModifyAddressInternetChargeTypeQuota",
          `the billing of ${addressId} has been changed ${mostChargeChanges} times, which is the most`,
        );
      refuseBandwidth(call, chargeType, bandwidth);
      const prepaid = prepaidOf(call, chargeType, input.addressChargePrepaid);
      call.rows(elasticIps).update(addressId, { chargeType, bandwidth, prepaid, chargeChanges: was.chargeChanges + 1 });
    },
  ),

  on(operations.releaseAddresses, (call, { addressIds }) => {
    for (const id of addressIds) {
      const row = addressOf(call, id);
      const status = addressStatusOf(call, row);
      const [bound] = boundTo(call, row);
      if (status !== "UNBIND")
        throw call.error(
          "UnsupportedOperation.AddressStatusNotPermit",
          `elastic IP ${id} is ${status}${bound === undefined ? "" : ` (${bound})`}; it is released once it is UNBIND`,
        );
      call.rows(elasticIps).update(id, { timeline: settled("OFFLINING") });
      call.rows(elasticIps).expire(id, call.after("addressAllocate"));
    }
    return {};
  }),
];

function addressOf(call: Call<"ResourceNotFound">, id: string): ElasticIpRow {
  return requireRow(call, elasticIps, "elastic IP", id);
}

function refuseAddressName(call: Call<"InvalidParameterValue.Malformed">, name: string): void {
  refuseUnlessAllowed(call, "InvalidParameterValue.Malformed", "AddressName", name, networkRules.addressName);
}

function refuseBandwidth(
  call: Call<"InvalidParameterValue.BandwidthOutOfRange">,
  chargeType: operations.ChargeType,
  bandwidth: number,
): void {
  const flaw = bandwidthFlaw(chargeType, bandwidth);
  if (flaw !== undefined) throw call.error("InvalidParameterValue.BandwidthOutOfRange", `InternetMaxBandwidthOut ${flaw}`);
}

/** The end of the prepaid period, and its renewal; `undefined` for an elastic IP that is not prepaid. */
function prepaidOf(
  call: Call<"InvalidParameterValue.Combination">,
  chargeType: operations.ChargeType,
  prepaid: z.output<typeof operations.allocateAddresses.input>["addressChargePrepaid"],
): ElasticIpRow["prepaid"] {
  const isPrepaid = chargeType === "BANDWIDTH_PREPAID_BY_MONTH";
  if (isPrepaid !== (prepaid !== undefined))
    throw call.error(
      "InvalidParameterValue.Combination",
      `AddressChargePrepaid is for BANDWIDTH_PREPAID_BY_MONTH alone, which requires it`,
    );
  if (!prepaid) return undefined;
  const renewFlag = ["NOTIFY_AND_MANUAL_RENEW", "NOTIFY_AND_AUTO_RENEW", "DISABLE_NOTIFY_AND_MANUAL_RENEW"][prepaid.autoRenewFlag ?? 0];
  return { until: timestampOf(monthsAfter(call.now, prepaid.period)), renewFlag: renewFlag ?? "NOTIFY_AND_MANUAL_RENEW" };
}

/** An address that no elastic IP of the account has, in any region. */
function drawAddress(call: Call): string {
  const present = regions.flatMap((region) => call.in(region).list(elasticIps));
  for (;;) {
    const drawn = call.world.draw();
    const address = addressAt(pools[drawn.readUInt8(0) % 2 === 0 ? 0 : 1], 1 + (drawn.readUInt8(1) % 254));
    if (!present.some((one) => one.address === address)) return address;
  }
}

function recordOf(call: Call, row: ElasticIpRow) {
  const [bound] = boundTo(call, row);
  return {
    addressId: row.id,
    addressName: row.name,
    addressStatus: addressStatusOf(call, row),
    addressIp: row.address,
    instanceId: bound ?? "",
    instanceType: bound === undefined ? "" : "NAT",
    addressType: "EIP",
    internetServiceProvider: row.provider,
    bandwidth: row.bandwidth,
    internetChargeType: row.chargeType,
    isArrears: false,
    isBlocked: false,
    cascadeRelease: false,
    deadlineDate: row.prepaid?.until,
    renewFlag: row.prepaid?.renewFlag,
    createdTime: row.createdTime,
    tagSet: row.tags,
  };
}
