import * as vpc from "@container-platform/sdk/vpc";
import { nameOf, tagsOf } from "../../../lifecycle/template.ts";
import { altered, type Drifts, setByHand } from "../../every-kind/drift-law.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type KindCases } from "../kind-cases.ts";
import { tagDrifts } from "../tag-drifts.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const { update } = judging("ElasticIp");

function drifts({ stage }: Place): Drifts {
  const { cloud } = stage;
  const renamed = setByHand(
    (change) => (addressId) => cloud.call(vpc.modifyAddressAttribute, { addressId, ...change }),
    ["ModifyAddressAttribute"],
  );
  const prepaid = { internetChargeType: "BANDWIDTH_PREPAID_BY_MONTH", addressChargePrepaid: { period: 1 } } as const;
  return {
    atOnce: 10,
    unread: { addressChargePrepaid: "the platform does not return it" },
    cases: [
      renamed({ addressName: "one" }, { addressName: "two" }),
      altered(stage, "elasticIps")({}, { internetServiceProvider: "CMCC" }, { provider: "CMCC" }),
      {
        input: "internetChargeType",
        from: {},
        byHand: (addressId) => cloud.call(vpc.modifyAddressInternetChargeType, { addressId, internetMaxBandwidthOut: 1, ...prepaid }),
        shows: { internetChargeType: prepaid.internetChargeType },
        repairs: ["ModifyAddressInternetChargeType"],
      },
      {
        input: "internetMaxBandwidthOut",
        from: {},
        byHand: (id) => cloud.call(vpc.modifyAddressesBandwidth, { addressIds: [id], internetMaxBandwidthOut: 7 }),
        shows: { internetMaxBandwidthOut: 7 },
        repairs: ["ModifyAddressesBandwidth"],
      },
      ...tagDrifts(stage, "elasticIp", () => ({})),
    ],
  };
}

export const cases: KindCases = {
  drifts,
  creates: { operation: vpc.allocateAddresses },
  killed: {
    tagged: ({ stage }) => ({
      args: { internetMaxBandwidthOut: 5 },
      count: () => stage.rows("elasticIps"),
      beside: true,
      tags: async (id) => tagRecord((await stage.cloud.call(vpc.describeAddresses, { addressIds: [id] })).addressSet[0]?.tagSet),
    }),
  },
  site: async ({ cloud, index }) => (await cloud.call(vpc.allocateAddresses, { addressName: `site-${index}` })).addressSet,
  idsIn: idsOfTable("elasticIps"),
  program: {
    one: (called) => `const { addressIp } = new ElasticIp("egress", { addressName: "${called}", internetMaxBandwidthOut: 20, tags });`,
    further: `new ElasticIp("prepaid", {
  internetChargeType: "BANDWIDTH_PREPAID_BY_MONTH", internetMaxBandwidthOut: 200, addressChargePrepaid: { period: 1 },
});`,
  },
  random: {
    template: {
      needs: {},
      replaces: false,
      args: ({ version }) => ({ addressName: nameOf(version), internetMaxBandwidthOut: 1 + version, tags: tagsOf(version) }),
    },
    variants: {
      operator: {
        needs: {},
        replaces: true,
        args: ({ version, place }) => ({
          internetServiceProvider: ["CMCC", "CTCC", "CUCC"][place % 3],
          internetMaxBandwidthOut: 1 + version,
        }),
      },
      // The two addresses of one gateway.
      first: { needs: {}, replaces: false, args: ({ version }) => ({ tags: tagsOf(version) }) },
      second: {
        needs: { first: "ElasticIp-first" },
        onceFor: "first",
        replaces: false,
        args: ({ version }) => ({ tags: tagsOf(version) }),
      },
    },
    renamed: (cloud, { id }) => cloud.call(vpc.modifyAddressAttribute, { addressId: id, addressName: "by-hand" }),
    deleted: { exempt: "the platform refuses it while a NAT gateway uses it" },
    imported: async (cloud) => (await cloud.call(vpc.allocateAddresses, { addressName: "by-hand" })).addressSet[0] ?? "",
  },
  judged: {
    "an elastic IP with another bandwidth": update({ internetMaxBandwidthOut: 1 }, { internetMaxBandwidthOut: 2 }, []),
    "an elastic IP with another billing": update(
      { internetChargeType: "TRAFFIC_POSTPAID_BY_HOUR" },
      { internetChargeType: "BANDWIDTH_PREPAID_BY_MONTH" },
      [],
    ),
  },
};
