import { notUndone, type ReviewOf } from "../../review/assess/reviewed.ts";

export const review: ReviewOf<"Ipv6Block"> = {
  seconds: { create: 2, update: 2, delete: 12 },
  ending: {
    loses: () => "its IPv6 range; the platform chooses another one next time",
    unreachable: () => ["whatever is reached by its IPv6 addresses"],
    undo: notUndone("the platform chooses the range, and will choose another one"),
    refused: "the platform refuses it while a subnet has a part of the range",
    whileThere: ({ id }, { kind, inputs: { vpcId, ipv6SubnetCidrBlock } }) =>
      kind === "Subnet" && vpcId === id && ipv6SubnetCidrBlock !== undefined ? "refuses" : undefined,
  },
  changes: {},
};
