import { always, note, partlyUndone, type ReviewOf } from "../../review/assess/reviewed.ts";

export const review: ReviewOf<"NatGateway"> = {
  seconds: { create: 60, update: 10, delete: 60 },
  ending: {
    loses: () => "the routes that lead to it",
    unreachable: () => ["the internet over IPv4, from the subnets whose routes lead to it"],
    undo: partlyUndone("a NAT gateway can be created again with the same addresses, with another id: routes have to lead to it again"),
  },
  changes: {
    natGatewayName: "harmless",
    tags: "harmless",
    internetMaxBandwidthOut: note("the bandwidth limit and the price change"),
    maxConcurrentConnection: note("the limit of connections and the price change"),
    publicIpAddresses: always("interrupts", "connections over addresses that are unbound end, and later ones have other addresses", {
      unreachable: "services on the internet that admit only the old addresses",
      undo: partlyUndone("the old addresses can be bound again, while the account has them"),
    }),
  },
};
