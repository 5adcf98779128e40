import * as vpc from "@container-platform/sdk/vpc";
import type { Drifts } from "../../every-kind/drift-law.ts";
import { alter, makeVpc, retag } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

let networks = 100;
/** A range of its own for each VPC. */
const range = (): string => `10.${networks++}.0.0/16`;

export function vpcDrifts(stage: Stage): Drifts {
  const { cloud } = stage;
  const modify = ["ModifyVpcAttribute"];
  const retags = ["ModifyResourceTags"];
  return {
    type: "Vpc",
    unread: {},
    cases: [
      {
        input: "vpcName",
        from: { cidrBlock: range(), vpcName: "one" },
        byHand: (vpcId) => cloud.call(vpc.modifyVpcAttribute, { vpcId, vpcName: "two" }),
        shows: { vpcName: "two" },
        repairs: modify,
      },
      {
        input: "cidrBlock",
        from: { cidrBlock: range() },
        byHand: (id) => alter(stage, "vpcs", id, { cidrBlock: "10.99.0.0/16", range: "0a630000" }),
        shows: { cidrBlock: "10.99.0.0/16" },
        plan: "replace",
        repairs: ["CreateVpc", "DeleteVpc"],
      },
      {
        input: "enableRouteVpcPublishIpv6",
        from: { cidrBlock: range() },
        byHand: (vpcId) => cloud.call(vpc.modifyVpcAttribute, { vpcId, enableRouteVpcPublishIpv6: true }),
        shows: { enableRouteVpcPublishIpv6: true },
        repairs: modify,
      },
      {
        input: "dnsServers",
        from: { cidrBlock: range(), dnsServers: ["10.0.0.53"] },
        byHand: (vpcId) => cloud.call(vpc.modifyVpcAttribute, { vpcId, dnsServers: ["10.0.0.53", "10.0.0.54"] }),
        shows: { dnsServers: ["10.0.0.53", "10.0.0.54"] },
        repairs: modify,
      },
      {
        input: "dnsServers",
        how: "left to the platform",
        from: { cidrBlock: range() },
        byHand: (vpcId) => cloud.call(vpc.modifyVpcAttribute, { vpcId, dnsServers: ["10.0.0.9"] }),
        tells: ["dnsServers"],
      },
      {
        input: "tags",
        from: { cidrBlock: range(), tags: { team: "a", stage: "test" } },
        byHand: (id) => retag(stage, "vpc", id, { team: "b", stage: undefined, owner: "me" }),
        shows: { tags: { team: "b", owner: "me" } },
        repairs: retags,
      },
      {
        input: "tags",
        how: "put on where there were none",
        from: { cidrBlock: range() },
        byHand: (id) => retag(stage, "vpc", id, { owner: "me" }),
        shows: { tags: { owner: "me" } },
        repairs: retags,
      },
      {
        input: "tags",
        how: "taken off, the provider's own with them",
        from: { cidrBlock: range(), tags: { team: "a" } },
        byHand: (id) => alter(stage, "vpcs", id, { tags: [] }),
        shows: { tags: undefined },
        repairs: retags,
      },
      {
        input: "tags",
        how: "the provider's own",
        from: { cidrBlock: range(), tags: { team: "a" } },
        byHand: (id) => alter(stage, "vpcs", id, { tags: [{ key: "team", value: "a" }] }),
      },
      { input: "tags", how: "empty", from: { cidrBlock: range(), tags: {} } },
    ],
  };
}

export async function ipv6BlockDrifts(stage: Stage): Promise<Drifts> {
  const vpcId = await makeVpc(stage, "10.97.0.0/16");
  return {
    type: "Ipv6Block",
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
