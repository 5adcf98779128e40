import * as vpc from "@container-platform/sdk/vpc";
import { nameOf, tagsOf } from "../../../lifecycle/template.ts";
import { unknown } from "../../../support/structs.ts";
import { altered, type Drifts, setByHand, unnoticed } from "../../every-kind/drift-law.ts";
import { alter } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type KindCases } from "../kind-cases.ts";
import { tagDrifts } from "../tag-drifts.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const { update } = judging("Vpc");

let networks = 100;
/** A range of its own for each VPC. */
const range = (): string => `10.${networks++}.0.0/16`;

function drifts({ stage }: Place): Drifts {
  const modify = (change: object) => (vpcId: string) => stage.cloud.call(vpc.modifyVpcAttribute, { vpcId, ...change });
  const changed = setByHand(modify, ["ModifyVpcAttribute"]);
  const base = () => ({ cidrBlock: range() });
  const tagged = () => ({ ...base(), tags: { team: "a" } });
  return {
    unread: {},
    cases: [
      changed({ ...base(), vpcName: "one" }, { vpcName: "two" }),
      altered(stage, "vpcs")(base(), { cidrBlock: "10.99.0.0/16" }, { cidrBlock: "10.99.0.0/16", range: "0a630000" }),
      changed(base(), { enableRouteVpcPublishIpv6: true }),
      changed({ ...base(), dnsServers: ["10.0.0.53"] }, { dnsServers: ["10.0.0.53", "10.0.0.54"] }),
      {
        input: "dnsServers",
        how: "left to the platform",
        from: base(),
        byHand: modify({ dnsServers: ["10.0.0.9"] }),
        tells: ["dnsServers"],
      },
      ...tagDrifts(stage, "vpc", base),
      {
        input: "tags",
        how: "taken off, the provider's own with them",
        from: tagged(),
        byHand: (id) => alter(stage, "vpcs", id, { tags: [] }),
        shows: { tags: undefined },
        repairs: ["ModifyResourceTags"],
      },
      unnoticed("tags", "the provider's own", tagged(), (id) => alter(stage, "vpcs", id, { tags: [{ key: "team", value: "a" }] })),
      unnoticed("tags", "empty", { ...base(), tags: {} }),
    ],
  };
}

export const cases: KindCases = {
  drifts,
  creates: { operation: vpc.createVpc },
  killed: {
    tagged: ({ stage }) => ({
      args: { cidrBlock: "10.1.0.0/16" },
      count: () => stage.rows("vpcs"),
      beside: false,
      tags: async (id) => tagRecord((await stage.cloud.call(vpc.describeVpcs, { vpcIds: [id] })).vpcSet[0]?.tagSet),
    }),
  },
  site: async ({ cloud, index }) => {
    const tags = [
      { key: "site", value: `${index}` },
      { key: "acme.example/team", value: "platform=one" },
    ];
    const dns = index % 2 === 0 ? {} : { dnsServers: ["10.0.0.2", "10.0.0.3"] };
    const asked = { vpcName: `site ${index}`, cidrBlock: `10.${index}.0.0/16`, tags, ...dns };
    return [(await cloud.call(vpc.createVpc, asked)).vpc.vpcId];
  },
  idsIn: idsOfTable("vpcs"),
  program: {
    one: (called) => `const tags = { called: "${called}" };
const { vpcId } = new Vpc("platform", { vpcName: "${called}", cidrBlock: "10.0.0.0/16", tags }, { customTimeouts: { create: "10m" } });`,
    further: `new Vpc("named", { cidrBlock: "10.1.0.0/16", dnsServers: ["10.1.0.53"], enableRouteVpcPublishIpv6: true });`,
  },
  random: {
    template: {
      needs: {},
      replaces: true,
      halves: true,
      args: ({ version, place, half }) => ({
        cidrBlock: `10.${place}.0.0/${half ? 17 : 16}`,
        vpcName: nameOf(version),
        tags: tagsOf(version),
      }),
    },
    renamed: (cloud, { id }) => cloud.call(vpc.modifyVpcAttribute, { vpcId: id, vpcName: "by-hand" }),
    deleted: { exempt: "the platform refuses it while subnets are in it" },
    imported: async (cloud, { place }) =>
      (await cloud.call(vpc.createVpc, { vpcName: "by-hand", cidrBlock: `10.${place}.0.0/16` })).vpc.vpcId,
  },
  judged: {
    "another name": update({ vpcName: "a" }, { vpcName: "b" }, [], { undo: "yes" }),
    "a name that is not known yet": update({ vpcName: "a" }, { vpcName: unknown }, []),
    "a VPC with other name servers": update({}, { dnsServers: ["10.0.0.53"] }, ["interrupts"]),
    "a VPC whose IPv6 routes are published": update({}, { enableRouteVpcPublishIpv6: true }, ["access-changed"]),
  },
};
