import { always, note, partlyUndone } from "../../review/judge/judgement.ts";
import type { ReviewOf } from "../../review/judge/reviewed.ts";

/** What the reviewer knows about a Vpc. */
export const review: ReviewOf<"Vpc"> = {
  seconds: { create: 2, update: 2, delete: 2 },
  ending: {
    unreachable: () => ["everything in the VPC"],
    undo: partlyUndone("a VPC can be created again, with another id: everything in it has to be created again, too"),
    refused: "the platform refuses to delete it while anything is in it",
  },
  changes: {
    vpcName: "harmless",
    tags: "harmless",
    dnsServers: note("machines use the new name servers once they renew their lease"),
    enableRouteVpcPublishIpv6: always("access-changed", "how the VPC's IPv6 routes are published changes"),
  },
};
