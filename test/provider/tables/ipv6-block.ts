import * as vpc from "@container-platform/sdk/vpc";
import { unknown } from "../../support/structs.ts";
import type { Table } from "../laws.ts";
import { makeVpc } from "../outside.ts";
import type { Stage } from "../stage.ts";

/** RESOURCES.md, Ipv6Block. */
export async function ipv6BlockTable(stage: Stage): Promise<Table> {
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
