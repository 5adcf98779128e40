import { always, partlyUndone, refusedBy, type ReviewOf } from "../../review/assess/reviewed.ts";

export const review: ReviewOf<"Vpc"> = {
  seconds: { create: 2, update: 2, delete: 2 },
  ending: {
    unreachable: () => ["everything in the VPC"],
    undo: partlyUndone("a VPC can be created again, with another id: everything in it has to be created again, too"),
    refused: "the platform refuses to delete it while anything is in it",
    // Its IPv6 block is deleted with it.
    whileThere: refusedBy("Subnet", "Cluster", "RegistryInstance"),
  },
  changes: {
    vpcName: "harmless",
    tags: "harmless",
    dnsServers: always("interrupts", "machines ask other name servers once they renew their lease: those decide where names lead", {
      unreachable: "whatever the new name servers do not know",
    }),
    enableRouteVpcPublishIpv6: always("access-changed", "how the VPC's IPv6 routes are published changes"),
  },
};
