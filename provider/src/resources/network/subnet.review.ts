import { always, partlyUndone } from "../../review/judge/judgement.ts";
import type { Reviewed } from "../../review/judge/reviewed.ts";
import type { InputOf } from "../../review/plan/definition.ts";

/** What the reviewer knows of a Subnet. */
export const review: Reviewed<InputOf<"Subnet">> = {
  seconds: { create: 3, update: 3, delete: 12 },
  ending: {
    unreachable: () => ["everything with an address in the subnet"],
    undo: partlyUndone("a subnet can be made again, with another id: what stands on it is made anew"),
    refused: "the platform refuses to delete it while anything is in it",
  },
  changes: {
    ipv6SubnetCidrBlock: always("interrupts", "what has an IPv6 address in the subnet loses it", {
      unreachable: "whatever in the subnet is reached by IPv6",
      undo: partlyUndone("the old range can be assigned again, while nobody else has it"),
    }),
    routeTableId: always("interrupts", "traffic of the subnet takes other routes", {
      unreachable: "whatever the new routes do not lead to",
    }),
  },
};
