import * as vpc from "@container-platform/sdk/vpc";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeVpc } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of an Ipv6Block does when it changes and when it is taken out. */
async function ipv6BlockTable(stage: Stage): Promise<Table> {
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const other = await makeVpc(stage, "10.1.0.0/16");
  return {
    type: "Ipv6Block",
    inputs: ["vpcId"],
    base: { vpcId },
    creates: ["AssignIpv6CidrBlock"],
    full: { vpcId },
    createsFull: ["AssignIpv6CidrBlock"],
    deletes: ["UnassignIpv6CidrBlock"],
    changes: [{ of: "vpcId", to: { vpcId: other }, does: "replace", calls: ["AssignIpv6CidrBlock", "UnassignIpv6CidrBlock"] }],
    unknowns: [{ of: "vpcId", to: { vpcId: unknown }, does: "replace" }],
    vanish: (id) => stage.cloud.call(vpc.unassignIpv6CidrBlock, { vpcId: id }),
  };
}

await laws(ipv6BlockTable);
