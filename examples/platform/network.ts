import { cidrSubnet, ElasticIp, Ipv6Block, NatGateway, RouteTable, SecurityGroup, Subnet, Vpc } from "@container-platform/pulumi";
import { settings } from "./settings.ts";

/** The private network. */
export const vpc = new Vpc("platform", { cidrBlock: settings.cidrBlock });

/** Its IPv6 block, a /56: each subnet gets a /64 of it. */
export const ipv6 = new Ipv6Block("platform", { vpcId: vpc.vpcId });

/** The public address from which the nodes reach the internet over IPv4. */
export const egress = new ElasticIp("platform", { internetMaxBandwidthOut: 100 });

/** The way out for all zones. Nothing on the internet reaches the nodes through it. */
const gateway = new NatGateway("platform", { vpcId: vpc.vpcId, publicIpAddresses: [egress.addressIp] });

const routes = new RouteTable("platform", {
  vpcId: vpc.vpcId,
  routes: [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId: gateway.natGatewayId }],
});

/** A subnet with addresses of both families. It has a way out over IPv4 alone. */
function subnet(zone: string, index: number): Subnet {
  return new Subnet(`nodes-${index + 1}`, {
    vpcId: vpc.vpcId,
    zone,
    cidrBlock: cidrSubnet(settings.cidrBlock, 20, index),
    ipv6SubnetCidrBlock: ipv6.subnetCidrBlock(index),
    routeTableId: routes.routeTableId,
  });
}

const [firstZone, ...otherZones] = settings.zones;

/** The subnet of the control plane. */
export const controlSubnet = subnet(firstZone, 0);

/** One subnet in each zone. */
export const subnets = [controlSubnet, ...otherZones.map((zone, index) => subnet(zone, index + 1))];

/** The traffic that may reach nodes and API server, over IPv4 and IPv6. */
export const group = new SecurityGroup("platform", {
  groupDescription: "Nodes and API server of the platform",
  ingress: [
    { protocol: "ALL", self: true, action: "ACCEPT", policyDescription: "nodes among each other" },
    { protocol: "ALL", cidrBlock: settings.cidrBlock, action: "ACCEPT", policyDescription: "the VPC, over IPv4" },
    { protocol: "ALL", ipv6CidrBlock: ipv6.ipv6CidrBlock, action: "ACCEPT", policyDescription: "the VPC, over IPv6" },
    ...settings.allowedCidrBlocks.map((cidrBlock) => ({ protocol: "TCP", port: "443", cidrBlock, action: "ACCEPT" }) as const),
    { protocol: "ICMPV6", ipv6CidrBlock: "::/0", action: "ACCEPT", policyDescription: "IPv6 needs ICMP" },
  ],
  egress: [
    { protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT" },
    { protocol: "ALL", ipv6CidrBlock: "::/0", action: "ACCEPT" },
  ],
});
