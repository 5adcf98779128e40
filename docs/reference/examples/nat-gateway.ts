import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const network = new container_platform.Vpc("network", {cidrBlock: "10.0.0.0/16"});
const address = new container_platform.ElasticIp("address", {internetMaxBandwidthOut: 100});
const egress = new container_platform.NatGateway("egress", {
    vpcId: network.vpcId,
    publicIpAddresses: [address.addressIp],
});
export const natGatewayId = egress.natGatewayId;
