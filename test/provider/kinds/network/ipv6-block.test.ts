import * as vpc from "@container-platform/sdk/vpc";
import { laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeVpc } from "../../stage/outside.ts";

/** What each input of an Ipv6Block does when it changes and when it is taken out. */
await laws(async (stage) => {
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const other = await makeVpc(stage, "10.1.0.0/16");
  return {
    type: "Ipv6Block",
    base: { vpcId },
    creates: ["AssignIpv6CidrBlock"],
    full: { vpcId },
    deletes: ["UnassignIpv6CidrBlock"],
    changes: [{ to: { vpcId: other }, does: "replace" }],
    unknowns: notKnown("replace", ["vpcId"]),
    vanish: (id) => stage.cloud.call(vpc.unassignIpv6CidrBlock, { vpcId: id }),
  };
});
