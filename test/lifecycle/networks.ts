import { cidrSubnet } from "@container-platform/pulumi";
import { type Declaration, type Program, Reference } from "./program.ts";

/** A VPC, and a subnet in each of two zones. */
export const net: Declaration = { type: "Vpc", name: "net", args: { cidrBlock: "10.0.0.0/16" } };
const subnet = (zone: 1 | 2): Declaration => ({
  type: "Subnet",
  name: `zone-${zone}`,
  args: { vpcId: new Reference("Vpc net", "vpcId"), cidrBlock: `10.0.${zone}.0/24`, zone: `eu-frankfurt-${zone}` },
});
export const network: Program = [net, subnet(1), subnet(2)];

/** A network with the way out of `Network({ egress: "nat" })`: one gateway with its address, and the route table of its subnets. */
export function wayOut({ cidrBlock = "10.0.0.0/16", isChanged = false } = {}): Program {
  const vpcId = new Reference("Vpc out", "vpcId");
  const tags = isChanged ? { team: "platform" } : undefined;
  const [address, gateway, table] = [isChanged ? "second" : "first", "gateway", "private"];
  const routed = new Reference(`RouteTable ${table}`, "routeTableId");
  const route = { gatewayType: "NAT", gatewayId: new Reference(`NatGateway ${gateway}`, "natGatewayId") };
  return [
    { type: "Vpc", name: "out", args: { cidrBlock } },
    { type: "ElasticIp", name: "kept", args: { internetMaxBandwidthOut: isChanged ? 100 : 50, tags } },
    // The gateway gets another one, and gives this one back.
    { type: "ElasticIp", name: address, args: {} },
    {
      type: "NatGateway",
      name: gateway,
      args: {
        vpcId,
        publicIpAddresses: ["kept", address].map((name) => new Reference(`ElasticIp ${name}`, "addressIp")),
        ...(isChanged && { natGatewayName: "renamed", internetMaxBandwidthOut: 200, maxConcurrentConnection: 3_000_000 }),
        tags,
      },
    },
    {
      type: "RouteTable",
      name: table,
      args: {
        vpcId,
        routes: [
          { ...route, destinationCidrBlock: isChanged ? "192.0.2.0/24" : "0.0.0.0/0" },
          { ...route, destinationCidrBlock: "198.51.100.0/24", routeDescription: isChanged ? "changed" : "" },
        ],
        ...(isChanged && { routeTableName: "renamed" }),
        tags,
      },
    },
    ...[0, 1].map((index) => ({
      type: "Subnet",
      name: `private-${index}`,
      args: {
        vpcId,
        cidrBlock: cidrSubnet(cidrBlock, 24, index),
        zone: `eu-frankfurt-${index + 1}`,
        // The second one goes back to the main route table.
        routeTableId: isChanged && index === 1 ? undefined : routed,
      },
    })),
  ];
}
