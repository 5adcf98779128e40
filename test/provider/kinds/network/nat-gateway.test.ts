import * as vpc from "@container-platform/sdk/vpc";
import { unknown } from "../../../support/structs.ts";
import { eachWay, inAndOut, laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeAddress, makeVpc } from "../../stage/outside.ts";

/** What each input of a NatGateway does when it changes and when it is taken out. */
await laws(async (stage) => {
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const elsewhere = await makeVpc(stage, "10.1.0.0/16");
  const [first, second] = [await makeAddress(stage), await makeAddress(stage)];
  const ofOperator = await makeAddress(stage, { internetServiceProvider: "CMCC" });
  const hourly = await makeAddress(stage, { internetChargeType: "BANDWIDTH_POSTPAID_BY_HOUR" });
  const base = { vpcId, publicIpAddresses: [first] };
  const both = { ...base, publicIpAddresses: [first, second] };
  const zoned = { ...base, zone: "eu-frankfurt-1" };
  const tags = { team: "a", stage: "test" };
  const [bind, unbind] = ["AssociateNatGatewayAddress", "DisassociateNatGatewayAddress"];
  return {
    type: "NatGateway",
    base,
    creates: ["CreateNatGateway"],
    full: {
      ...both,
      ...zoned,
      natGatewayName: "one",
      internetMaxBandwidthOut: 20,
      maxConcurrentConnection: 3_000_000,
      tags,
      publicIpAddresses: [first, second],
    },
    notFound: ["zone"],
    updates: ["ModifyNatGatewayAttribute"],
    deletes: ["DeleteNatGateway"],
    changes: [
      { to: { vpcId: elsewhere }, does: "delete-replace" },
      { of: "vpcId, with another address", to: { vpcId: elsewhere, publicIpAddresses: [second] }, does: "replace" },
      { from: zoned, to: { zone: "eu-frankfurt-2" }, does: "delete-replace" },
      { from: zoned, to: { zone: undefined }, calls: [] },
      { of: "publicIpAddresses, one more", to: { publicIpAddresses: [first, second] }, calls: [bind] },
      { of: "publicIpAddresses, one less", from: both, to: { publicIpAddresses: [second] }, calls: [unbind] },
      { of: "publicIpAddresses, another one", to: { publicIpAddresses: [second] }, calls: [bind, unbind] },
      { of: "publicIpAddresses, in another order", from: both, to: { publicIpAddresses: [second, first] }, does: "nothing" },
      ...eachWay(base, { natGatewayName: ["one", "two"] }),
      ...inAndOut(base, { internetMaxBandwidthOut: 5000 }),
      ...inAndOut(base, { maxConcurrentConnection: 10_000_000 }, { calls: ["ResetNatGatewayConnection"] }),
      ...eachWay(base, { tags: [tags, { team: "b", owner: "me" }] }, { calls: ["ModifyResourceTags"] }),
    ],
    refusals: [
      {
        of: "an address of another operator",
        to: { publicIpAddresses: [ofOperator] },
        says: "is of CMCC; a NAT gateway takes BGP addresses",
      },
      {
        of: "an address that is billed by the hour",
        to: { publicIpAddresses: [hourly] },
        says: "a NAT gateway takes addresses billed by traffic",
      },
      {
        of: "an address of another region",
        to: { publicIpAddresses: ["192.0.2.9"] },
        says: "no elastic IP in eu-frankfurt has the address 192.0.2.9",
      },
    ],
    unknowns: [
      ...notKnown("update", ["publicIpAddresses", "natGatewayName", "internetMaxBandwidthOut", "maxConcurrentConnection", "tags"]),
      ...notKnown("delete-replace", ["vpcId"]),
      ...notKnown("delete-replace", ["zone"], zoned),
      { of: "one of publicIpAddresses", to: { publicIpAddresses: [first, unknown] }, does: "update" },
      { of: "one of tags", to: { tags: { team: unknown } }, does: "update" },
    ],
    vanish: (natGatewayId) => stage.cloud.call(vpc.deleteNatGateway, { natGatewayId }),
  };
});
