import { always, note, partlyUndone } from "../../review/judge/judgement.ts";
import type { Reviewed } from "../../review/judge/reviewed.ts";
import type { InputOf } from "../../review/plan/definition.ts";

/** What the reviewer knows of a Vpc. */
export const review: Reviewed<InputOf<"Vpc">> = {
  seconds: { create: 2, update: 2, delete: 2 },
  ending: {
    unreachable: () => ["everything in the VPC"],
    undo: partlyUndone("a VPC can be made again, with another id: all that is in it is made anew"),
    refused: "the platform refuses to delete it while anything is in it",
  },
  changes: {
    dnsServers: note("machines take the new name servers when they renew their lease"),
    enableRouteVpcPublishIpv6: always("access-changed", "how the VPC's IPv6 routes are published changes"),
  },
};
