import * as vpc from "@container-platform/sdk/vpc";
import { unknown } from "../../../support/structs.ts";
import { eachWay, inAndOut, laws, notKnown } from "../../every-kind/change-laws.ts";

/** What each input of an ElasticIp does when it changes and when it is taken out. */
await laws(({ cloud }) => {
  const prepaid = { internetChargeType: "BANDWIDTH_PREPAID_BY_MONTH", addressChargePrepaid: { period: 3 } };
  const tags = { team: "a", stage: "test" };
  const billed = ["ModifyAddressInternetChargeType"];
  return {
    type: "ElasticIp",
    base: {},
    creates: ["AllocateAddresses"],
    full: { ...prepaid, addressName: "one", internetServiceProvider: "CMCC", internetMaxBandwidthOut: 200, tags },
    notFound: ["addressChargePrepaid"],
    deletes: ["ReleaseAddresses"],
    changes: [
      ...eachWay({}, { addressName: ["one", "two"] }, { calls: ["ModifyAddressAttribute"] }),
      ...inAndOut({}, { internetMaxBandwidthOut: 5 }, { calls: ["ModifyAddressesBandwidth"] }),
      ...inAndOut({}, { internetServiceProvider: "CUCC" }, { does: "replace" }),
      { of: "billing, to prepaid", to: { ...prepaid, internetMaxBandwidthOut: 200 }, calls: billed },
      { of: "billing, to traffic", from: prepaid, to: { internetChargeType: undefined, addressChargePrepaid: undefined }, calls: billed },
      ...inAndOut({}, { internetChargeType: "BANDWIDTH_POSTPAID_BY_HOUR" }, { does: "replace" }),
      { of: "addressChargePrepaid", from: prepaid, to: { addressChargePrepaid: { period: 3, autoRenewFlag: 1 } }, calls: [] },
      ...eachWay({}, { tags: [tags, { team: "b", owner: "me" }] }, { calls: ["ModifyResourceTags"] }),
    ],
    unknowns: [
      ...notKnown("update", ["addressName", "internetMaxBandwidthOut", "tags"]),
      ...notKnown("update", ["internetChargeType", "addressChargePrepaid"], prepaid),
      ...notKnown("replace", ["internetServiceProvider"]),
      { of: "one of tags", to: { tags: { team: unknown } }, does: "update" },
    ],
    vanish: (id) => cloud.call(vpc.releaseAddresses, { addressIds: [id] }),
  };
});
