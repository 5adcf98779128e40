import * as vpc from "@container-platform/sdk/vpc";
import { unknown } from "../../../support/structs.ts";
import { eachWay, inAndOut, laws, notKnown, refusedOnceSet } from "../../every-kind/change-laws.ts";

/** What each input of a Vpc does when it changes and when it is taken out. */
await laws(({ cloud }) => {
  const cidrBlock = "10.0.0.0/16";
  const base = { cidrBlock };
  const resolving = { cidrBlock, dnsServers: ["10.0.0.53"] };
  const tagged = { cidrBlock, tags: { team: "a", stage: "test" } };
  const retag = ["ModifyResourceTags"];
  return {
    type: "Vpc",
    base,
    creates: ["CreateVpc"],
    full: { ...resolving, ...tagged, vpcName: "one", enableRouteVpcPublishIpv6: true },
    notFound: ["dnsServers"],
    updates: ["ModifyVpcAttribute"],
    deletes: ["DeleteVpc"],
    changes: [
      ...eachWay(base, { vpcName: ["one", "two"] }),
      { of: "cidrBlock, to one apart", to: { cidrBlock: "10.1.0.0/16" }, does: "replace" },
      { of: "cidrBlock, to one that overlaps", to: { cidrBlock: "10.0.0.0/17" }, does: "delete-replace" },
      ...inAndOut(base, { enableRouteVpcPublishIpv6: true }),
      { of: "enableRouteVpcPublishIpv6, to its default", to: { enableRouteVpcPublishIpv6: false }, does: "nothing" },
      { to: { dnsServers: ["10.0.0.53"] } },
      { from: resolving, to: { dnsServers: ["10.0.0.54", "10.0.0.55"] } },
      ...eachWay(base, { tags: [tagged.tags, { team: "b", owner: "me" }] }, { calls: retag }),
      { of: "tags, none to empty", to: { tags: {} }, does: "nothing" },
      { of: "tags, emptied", from: tagged, to: { tags: {} }, calls: retag },
    ],
    refusals: refusedOnceSet(resolving, "dnsServers"),
    unknowns: [
      ...notKnown("update", ["vpcName", "enableRouteVpcPublishIpv6", "dnsServers", "tags"]),
      ...notKnown("delete-replace", ["cidrBlock"]),
      { of: "one of dnsServers", to: { dnsServers: ["10.0.0.53", unknown] }, does: "update" },
      { of: "one of tags", to: { tags: { team: unknown } }, does: "update" },
    ],
    vanish: (vpcId) => cloud.call(vpc.deleteVpc, { vpcId }),
  };
});
