import * as vpc from "@container-platform/sdk/vpc";
import { z } from "zod";
import type { Drifts } from "../../every-kind/drift-law.ts";
import { makeVpc } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import type { KindCases } from "../kind-cases.ts";

async function drifts({ stage }: Place): Promise<Drifts> {
  const vpcId = await makeVpc(stage, "10.97.0.0/16");
  return {
    unread: {},
    cases: [
      {
        input: "vpcId",
        how: "which has no block any more",
        from: { vpcId },
        byHand: () => stage.cloud.call(vpc.unassignIpv6CidrBlock, { vpcId }),
        shows: "gone",
        repairs: ["AssignIpv6CidrBlock"],
      },
    ],
  };
}

const vpcRow = z.object({ ipv6CidrBlock: z.string().optional() });

export const cases: KindCases = {
  drifts,
  creates: { operation: vpc.assignIpv6CidrBlock },
  killed: {
    keyed: async ({ stage }) => {
      const { cloud } = stage;
      const vpcId = await makeVpc(stage, "10.7.0.0/16");
      return {
        args: { vpcId },
        id: vpcId,
        count: async () => ((await cloud.call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet[0]?.ipv6CidrBlock === undefined ? 0 : 1),
        byHand: () => cloud.call(vpc.assignIpv6CidrBlock, { vpcId }),
        undo: () => cloud.call(vpc.unassignIpv6CidrBlock, { vpcId }),
      };
    },
  },
  site: async ({ cloud, idOf }) => {
    const vpcId = idOf("Vpc");
    await cloud.call(vpc.assignIpv6CidrBlock, { vpcId });
    return [vpcId];
  },
  // A block is no row of its own: it is a part of its VPC, and has its id.
  idsIn: ({ things }) => (things["vpcs"] ?? []).filter(({ row }) => vpcRow.parse(row).ipv6CidrBlock !== undefined).map(({ id }) => id),
  program: { one: () => `const block = new Ipv6Block("platform", { vpcId });` },
  random: {
    template: { needs: { vpc: "Vpc" }, onceFor: "vpc", replaces: false, args: (_settings, refer) => ({ vpcId: refer("vpc", "vpcId") }) },
    renamed: { exempt: "has no name" },
    deleted: { exempt: "the platform refuses it while subnets have a part of it" },
    imported: { exempt: "has nothing that could differ from the program" },
  },
  judged: { exempt: "no input changes in place, and a new one opens nothing" },
};
