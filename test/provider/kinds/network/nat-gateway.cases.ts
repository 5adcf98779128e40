import * as vpc from "@container-platform/sdk/vpc";
import { nameOf, tagsOf } from "../../../lifecycle/template.ts";
import { altered, type Drifts, setByHand } from "../../every-kind/drift-law.ts";
import { makeAddress, makeVpc } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type KindCases, type Site } from "../kind-cases.ts";
import { tagDrifts } from "../tag-drifts.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const { update } = judging("NatGateway");

async function drifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const vpcId = await makeVpc(stage, "10.64.0.0/16");
  const elsewhere = await makeVpc(stage, "10.65.0.0/16");
  const [one, two, three] = [await makeAddress(stage), await makeAddress(stage), await makeAddress(stage)];
  const addresses = [one, two, three];
  // At most three at once.
  let count = 0;
  const base = () => ({ vpcId, publicIpAddresses: [addresses[count++ % 3] ?? ""] });
  const further = await makeAddress(stage);
  const modify = (change: object) => (natGatewayId: string) => cloud.call(vpc.modifyNatGatewayAttribute, { natGatewayId, ...change });
  const changed = setByHand(modify, ["ModifyNatGatewayAttribute"]);
  const connections = { maxConcurrentConnection: 3_000_000 };
  const lasting = altered(stage, "natGateways");
  return {
    atOnce: 3,
    unread: {},
    cases: [
      changed({ ...base(), natGatewayName: "one" }, { natGatewayName: "two" }),
      changed(base(), { internetMaxBandwidthOut: 200 }),
      {
        input: "maxConcurrentConnection",
        from: base(),
        byHand: (natGatewayId) => cloud.call(vpc.resetNatGatewayConnection, { natGatewayId, ...connections }),
        shows: connections,
        repairs: ["ResetNatGatewayConnection"],
      },
      {
        input: "publicIpAddresses",
        from: { vpcId, publicIpAddresses: [one] },
        byHand: (natGatewayId) => cloud.call(vpc.associateNatGatewayAddress, { natGatewayId, publicIpAddresses: [further] }),
        shows: { publicIpAddresses: [one, further] },
        repairs: ["DisassociateNatGatewayAddress"],
      },
      lasting({ vpcId, publicIpAddresses: [two] }, { vpcId: elsewhere }),
      lasting({ vpcId, publicIpAddresses: [three], zone: "eu-frankfurt-2" }, { zone: "eu-frankfurt-3" }),
      ...tagDrifts(stage, "natGateway", base),
    ],
  };
}

/** With the elastic IP of the site. */
async function site({ cloud, index, idOf }: Site): Promise<readonly string[]> {
  const [found] = (await cloud.call(vpc.describeAddresses, { addressIds: [idOf("ElasticIp")] })).addressSet;
  const asked = { natGatewayName: `site-${index}`, vpcId: idOf("Vpc"), publicIpAddresses: [found?.addressIp ?? ""] };
  return (await cloud.call(vpc.createNatGateway, asked)).natGatewaySet.map(({ natGatewayId }) => natGatewayId);
}

export const cases: KindCases = {
  drifts,
  creates: { operation: vpc.createNatGateway },
  killed: {
    tagged: ({ stage, vpcId, address }) => ({
      args: { vpcId, publicIpAddresses: [address] },
      count: () => stage.rows("natGateways"),
      beside: false,
      tags: async (id) => tagRecord((await stage.cloud.call(vpc.describeNatGateways, { natGatewayIds: [id] })).natGatewaySet[0]?.tagSet),
    }),
  },
  site,
  idsIn: idsOfTable("natGateways"),
  program: {
    one: (called) => `const { natGatewayId } = new NatGateway("egress", {
  natGatewayName: "${called}", vpcId, publicIpAddresses: [addressIp], zone: "eu-frankfurt-1", tags,
});`,
  },
  random: {
    template: {
      needs: { vpc: "Vpc", address: "ElasticIp" },
      onceFor: "address",
      replaces: true,
      args: ({ version, place }, refer) => ({
        vpcId: refer("vpc", "vpcId"),
        publicIpAddresses: [refer("address", "addressIp")],
        zone: `eu-frankfurt-${(place % 3) + 1}`,
        natGatewayName: nameOf(version),
        tags: tagsOf(version),
      }),
    },
    variants: {
      // With one address, both, and the other one.
      two: {
        needs: { vpc: "Vpc", second: "ElasticIp-second" },
        onceFor: "second",
        replaces: false,
        args: ({ version }, refer) => ({
          vpcId: refer("vpc", "vpcId"),
          publicIpAddresses: ["second.first", "second"].flatMap((role, index) =>
            version % 3 === 2 - index ? [] : [refer(role, "addressIp")],
          ),
        }),
      },
    },
    renamed: (cloud, { id }) => cloud.call(vpc.modifyNatGatewayAttribute, { natGatewayId: id, natGatewayName: "by-hand" }),
    deleted: (cloud, { id }) => cloud.call(vpc.deleteNatGateway, { natGatewayId: id }),
    imported: { exempt: "would need a VPC that was made by hand, too" },
  },
  judged: {
    "a gateway with another address": update(
      { publicIpAddresses: ["198.51.100.7"] },
      { publicIpAddresses: ["198.51.100.8"] },
      ["interrupts"],
      {
        undo: "partly",
      },
    ),
    "a gateway with another bandwidth": update({ internetMaxBandwidthOut: 100 }, { internetMaxBandwidthOut: 200 }, []),
  },
};
