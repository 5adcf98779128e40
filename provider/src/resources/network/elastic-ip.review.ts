import { networkQuotas } from "@container-platform/sdk";
import { note, notUndone, refusedBy, type ReviewOf } from "../../review/assess/reviewed.ts";

export const review: ReviewOf<"ElasticIp"> = {
  seconds: { create: 5, update: 3, delete: 5 },
  ending: {
    loses: () => "the public address, which others may have in their allowlists",
    unreachable: () => ["services on the internet that admit only this address"],
    undo: notUndone("a released address goes back to the platform: another elastic IP has another address"),
    refused: "the platform refuses to release it while it is bound",
    whileThere: refusedBy("NatGateway"),
  },
  changes: {
    addressName: "harmless",
    tags: "harmless",
    addressChargePrepaid: "harmless",
    internetMaxBandwidthOut: note("the bandwidth limit changes and, if billed by bandwidth, the price"),
    internetChargeType: note("the price changes, and the platform allows two such changes in the life of an address", {
      undo: { possible: "partly", sentence: "the platform allows two changes of the billing in all" },
    }),
  },
  limit: { what: "elastic IPs", limit: networkQuotas.elasticIps, per: ({ region }) => region ?? "the region", shared: true },
};
