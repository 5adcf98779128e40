import { type Declaration, type Program, Reference } from "./program.ts";

/** A VPC, and a subnet in each of two zones. */
export const net: Declaration = { type: "Vpc", name: "net", args: { cidrBlock: "10.0.0.0/16" } };
const subnet = (zone: 1 | 2): Declaration => ({
  type: "Subnet",
  name: `zone-${zone}`,
  args: { vpcId: new Reference("Vpc net", "vpcId"), cidrBlock: `10.0.${zone}.0/24`, zone: `eu-frankfurt-${zone}` },
});
export const network: Program = [net, subnet(1), subnet(2)];
