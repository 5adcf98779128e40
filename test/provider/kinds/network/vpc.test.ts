import * as vpc from "@container-platform/sdk/vpc";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a Vpc does when it changes and when it is taken out. */
function vpcTable({ cloud }: Stage): Promise<Table> {
  const cidrBlock = "10.0.0.0/16";
  const named = { cidrBlock, vpcName: "one" };
  const resolving = { cidrBlock, dnsServers: ["10.0.0.53"] };
  const tagged = { cidrBlock, tags: { team: "a", stage: "test" } };
  const routed = { cidrBlock, enableRouteVpcPublishIpv6: true };
  return Promise.resolve({
    type: "Vpc",
    inputs: ["vpcName", "cidrBlock", "enableRouteVpcPublishIpv6", "dnsServers", "tags"],
    base: { cidrBlock },
    creates: ["CreateVpc"],
    full: { ...named, ...resolving, ...tagged, ...routed },
    notFound: ["dnsServers"],
    createsFull: ["CreateVpc"],
    deletes: ["DeleteVpc"],
    changes: [
      { of: "vpcName", from: named, to: { vpcName: "two" }, does: "update", calls: ["ModifyVpcAttribute"] },
      { of: "vpcName, taken out", from: named, to: { vpcName: undefined }, does: "update", calls: ["ModifyVpcAttribute"] },
      { of: "cidrBlock, to one apart", to: { cidrBlock: "10.1.0.0/16" }, does: "replace", calls: ["CreateVpc", "DeleteVpc"] },
      {
        of: "cidrBlock, to one that overlaps",
        to: { cidrBlock: "10.0.0.0/17" },
        does: "delete-replace",
        calls: ["DeleteVpc", "CreateVpc"],
      },
      { of: "enableRouteVpcPublishIpv6", to: { enableRouteVpcPublishIpv6: true }, does: "update", calls: ["ModifyVpcAttribute"] },
      {
        of: "enableRouteVpcPublishIpv6, taken out",
        from: routed,
        to: { enableRouteVpcPublishIpv6: undefined },
        does: "update",
        calls: ["ModifyVpcAttribute"],
      },
      { of: "enableRouteVpcPublishIpv6, to its default", to: { enableRouteVpcPublishIpv6: false }, does: "nothing", calls: [] },
      { of: "dnsServers, put in", to: { dnsServers: ["10.0.0.53"] }, does: "update", calls: ["ModifyVpcAttribute"] },
      { of: "dnsServers", from: resolving, to: { dnsServers: ["10.0.0.54", "10.0.0.55"] }, does: "update", calls: ["ModifyVpcAttribute"] },
      { of: "tags, put in", to: { tags: { team: "a" } }, does: "update", calls: ["ModifyResourceTags"] },
      { of: "tags", from: tagged, to: { tags: { team: "b", owner: "me" } }, does: "update", calls: ["ModifyResourceTags"] },
      { of: "tags, taken out", from: tagged, to: { tags: undefined }, does: "update", calls: ["ModifyResourceTags"] },
      { of: "tags, none to empty", to: { tags: {} }, does: "nothing", calls: [] },
      { of: "tags, emptied", from: tagged, to: { tags: {} }, does: "update", calls: ["ModifyResourceTags"] },
    ],
    refusals: [
      {
        of: "dnsServers, taken out",
        from: resolving,
        to: { dnsServers: undefined },
        says: "dnsServers: cannot be taken out once it is set",
      },
    ],
    unknowns: [
      { of: "vpcName", to: { vpcName: unknown }, does: "update" },
      { of: "cidrBlock", to: { cidrBlock: unknown }, does: "delete-replace" },
      { of: "enableRouteVpcPublishIpv6", to: { enableRouteVpcPublishIpv6: unknown }, does: "update" },
      { of: "dnsServers", to: { dnsServers: unknown }, does: "update" },
      { of: "one of dnsServers", to: { dnsServers: ["10.0.0.53", unknown] }, does: "update" },
      { of: "tags", to: { tags: unknown }, does: "update" },
      { of: "one of tags", to: { tags: { team: unknown } }, does: "update" },
    ],
    vanish: (vpcId) => cloud.call(vpc.deleteVpc, { vpcId }),
  });
}

await laws(vpcTable);
