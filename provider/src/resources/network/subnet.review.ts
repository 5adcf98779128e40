import { always, note, partlyUndone, refusedBy, type ReviewOf } from "../../review/assess/reviewed.ts";

export const review: ReviewOf<"Subnet"> = {
  seconds: { create: 3, update: 3, delete: 12 },
  ending: {
    unreachable: () => ["everything with an address in the subnet"],
    undo: partlyUndone("a subnet can be created again, with another id: the resources in it have to be created again, too"),
    refused: "the platform refuses to delete it while anything is in it",
    whileThere: refusedBy("Cluster", "NodePool", "ClusterEndpoint", "RegistryInstance"),
  },
  changes: {
    subnetName: "harmless",
    tags: "harmless",
    ipv6SubnetCidrBlock: ({ before }) =>
      before === undefined
        ? note("new addresses in the subnet can be IPv6, too")
        : always("interrupts", "resources in the subnet lose their IPv6 addresses", {
            unreachable: "whatever in the subnet is reached by IPv6",
            undo: partlyUndone("the old range can be assigned again, unless another subnet has it by then"),
          }),
    routeTableId: always("interrupts", "traffic from the subnet takes other routes", {
      unreachable: "whatever the new routes do not lead to",
    }),
  },
};
