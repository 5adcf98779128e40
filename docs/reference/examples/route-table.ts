import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const network = new container_platform.Vpc("network", {cidrBlock: "10.0.0.0/16"});
const address = new container_platform.ElasticIp("address", {internetMaxBandwidthOut: 100});
const gateway = new container_platform.NatGateway("gateway", {
    vpcId: network.vpcId,
    publicIpAddresses: [address.addressIp],
});
const egress = new container_platform.RouteTable("egress", {
    vpcId: network.vpcId,
    routes: [{
        destinationCidrBlock: "0.0.0.0/0",
        gatewayType: container_platform.RouteTableRouteGatewayType.NAT,
        gatewayId: gateway.natGatewayId,
    }],
});
const nodes = new container_platform.Subnet("nodes", {
    vpcId: network.vpcId,
    zone: "eu-frankfurt-1",
    cidrBlock: "10.0.0.0/20",
    routeTableId: egress.routeTableId,
});
export const routeTableId = egress.routeTableId;
