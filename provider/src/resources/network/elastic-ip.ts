import { randomUUID } from "node:crypto";
import { bandwidthFlaw, networkRules, readinessOf } from "@container-platform/sdk";
import { elasticIpFinder, everyElasticIp } from "@container-platform/sdk/finders/vpc";
import * as vpc from "@container-platform/sdk/vpc";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { ProviderError } from "../../definition/codes.ts";
import { noRemarks } from "../../definition/definition.ts";
import { joined } from "../../definition/ids.ts";
import { allowed, cleared, named, object, tagPairs } from "../../definition/inputs.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { resource } from "../../definition/resource.ts";
import { retagged, tagList, tagRecord } from "../tags.ts";
import { chargeChangesAreFew } from "./nat-addresses.ts";

/** The arguments of `ElasticIp`. */
export interface ElasticIpArgs {
  /** Name in the console, 1 to 128 letters, digits, `-` and `_`. Default: the resource's name and a short suffix. */
  addressName?: Input<string | undefined>;
  /**
   * Network operator: `BGP` (routes of all operators, which a NAT gateway requires), `CMCC`, `CTCC` or `CUCC`. A change replaces the elastic
   * IP: its address changes.
   */
  internetServiceProvider?: Input<"BGP" | "CMCC" | "CTCC" | "CUCC" | undefined>;
  /**
   * How it is billed: `TRAFFIC_POSTPAID_BY_HOUR` (by traffic, which a NAT gateway requires), `BANDWIDTH_POSTPAID_BY_HOUR` or
   * `BANDWIDTH_PREPAID_BY_MONTH`. The platform allows two changes between traffic and prepaid; other changes replace the elastic IP.
   */
  internetChargeType?: Input<"TRAFFIC_POSTPAID_BY_HOUR" | "BANDWIDTH_POSTPAID_BY_HOUR" | "BANDWIDTH_PREPAID_BY_MONTH" | undefined>;
  /** Bandwidth to the internet in Mbps: 1 to 100, or to 200 if prepaid. */
  internetMaxBandwidthOut?: Input<number | undefined>;
  /** Prepaid period, from the moment when prepaid billing begins. Required with `BANDWIDTH_PREPAID_BY_MONTH`. */
  addressChargePrepaid?: Input<ElasticIpAddressChargePrepaid | undefined>;
  /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

export interface ElasticIpAddressChargePrepaid {
  /** Months, 1 to 60. */
  period: Input<number>;
  /** Renewal: 0 by hand, with a notice; 1 automatic; 2 by hand, without a notice. Default: 0. */
  autoRenewFlag?: Input<number | undefined>;
}

/** The properties of an `ElasticIp` once they are known. */
export interface ElasticIpState extends ResolvedWithDefaults<
  ElasticIpArgs,
  "addressName" | "internetServiceProvider" | "internetChargeType" | "internetMaxBandwidthOut" | "autoRenewFlag"
> {
  /** ID of the elastic IP, such as `eip-3f8a0c1e`. */
  addressId: string;
  /** The public IPv4 address. */
  addressIp: string;
}

const chargeTypes = ["TRAFFIC_POSTPAID_BY_HOUR", "BANDWIDTH_POSTPAID_BY_HOUR", "BANDWIDTH_PREPAID_BY_MONTH"] as const;
const cannotChange = "BANDWIDTH_POSTPAID_BY_HOUR";

/**
 * An elastic IP: a public IPv4 address of the account, which a NAT gateway uses. It is billed until it is deleted.
 *
 * @example
 * const address = new ElasticIp("egress", { internetMaxBandwidthOut: 100 });
 */
export class ElasticIp extends resource<ElasticIpArgs, ElasticIpState>()("ElasticIp", {
  inputs: {
    addressName: named(allowed(z.string(), networkRules.addressName)),
    internetServiceProvider: z.enum(vpc.serviceProviders).default("BGP"),
    internetChargeType: z.enum(chargeTypes).default("TRAFFIC_POSTPAID_BY_HOUR"),
    internetMaxBandwidthOut: z.int().default(1),
    addressChargePrepaid: cleared(object({ period: z.int().min(1).max(60), autoRenewFlag: z.int().min(0).max(2).default(0) })),
    tags: cleared(tagPairs),
  },
  outputs: { addressId: z.string(), addressIp: z.string() },
  states: { addressStatus: readinessOf.elasticIp },
  id: joined("eip-3f8a0c1e", "addressId"),
}).managed({
  create: async (cloud, { tags, ...desired }) => {
    // The token makes a repeated call harmless.
    const asked = { ...desired, tags: tagList(tags), clientToken: randomUUID() };
    const [addressId] = (await cloud.call(vpc.allocateAddresses, asked)).addressSet;
    if (addressId === undefined) throw new ProviderError("Failed", "the platform has allocated no address, and gives no reason");
    return { addressId };
  },
  owned: "elasticIp",
  read: async (cloud, { addressId, addressChargePrepaid }) => {
    const found = await elasticIpFinder.find(cloud, addressId);
    if (!found) return undefined;
    return {
      ...found,
      ...noRemarks,
      internetServiceProvider: vpc.serviceProviders.find((one) => one === found.internetServiceProvider),
      internetChargeType: chargeTypes.find((one) => one === found.internetChargeType),
      internetMaxBandwidthOut: found.bandwidth,
      addressChargePrepaid,
      tags: tagRecord(found.tagSet),
    };
  },
  list: everyElasticIp,
  delete: (cloud, { addressId }) => cloud.call(vpc.releaseAddresses, { addressIds: [addressId] }),

  changes: {
    internetServiceProvider: "replace",
    addressName: (cloud, { addressId, addressName }) => cloud.call(vpc.modifyAddressAttribute, { addressId, addressName }),
    internetChargeType: {
      replaces: (desired, before) => desired === cannotChange || before === cannotChange,
      step: (cloud, { addressId, internetChargeType, internetMaxBandwidthOut, addressChargePrepaid }) =>
        cloud.call(vpc.modifyAddressInternetChargeType, { addressId, internetChargeType, internetMaxBandwidthOut, addressChargePrepaid }),
    },
    internetMaxBandwidthOut: (cloud, { addressId, internetMaxBandwidthOut }) =>
      cloud.call(vpc.modifyAddressesBandwidth, { addressIds: [addressId], internetMaxBandwidthOut }),
    addressChargePrepaid: "local-only",
    tags: (cloud, { addressId, tags }, live) => retagged(cloud, "elasticIp", addressId, tags, live.tags),
  },
  rules: [
    {
      of: "internetMaxBandwidthOut",
      broken: ({ internetChargeType, internetMaxBandwidthOut }) => bandwidthFlaw(internetChargeType, internetMaxBandwidthOut),
    },
    {
      of: "addressChargePrepaid",
      broken: ({ internetChargeType, addressChargePrepaid }) =>
        (internetChargeType === "BANDWIDTH_PREPAID_BY_MONTH") !== (addressChargePrepaid !== undefined) &&
        "goes with internetChargeType BANDWIDTH_PREPAID_BY_MONTH, which requires it, and with no other",
    },
  ],
  invariants: { diff: [chargeChangesAreFew] },
  hints: {
    "LimitExceeded.ModifyAddressInternetChargeTypeQuota":
      "Undo the change, or replace the elastic IP (`pulumi up --replace <URN>`), which changes its address",
    "UnsupportedOperation.AddressStatusNotPermit": "Unbind it from what uses it, on the platform or in the program that declares it",
  },
  holdsWorkloads: true,
  references: ({ addressIp }) => [[String(addressIp), ".addressIp"]],
}) {}
export interface ElasticIp extends Outputs<ElasticIpState> {}
