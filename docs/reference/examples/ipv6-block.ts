import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const network = new container_platform.Vpc("network", {cidrBlock: "10.0.0.0/16"});
const block = new container_platform.Ipv6Block("block", {vpcId: network.vpcId});
const nodes = new container_platform.Subnet("nodes", {
    vpcId: network.vpcId,
    zone: "eu-frankfurt-1",
    cidrBlock: "10.0.0.0/20",
    ipv6SubnetCidrBlock: container_platform.subnetCidrBlockOutput({
        ipv6CidrBlock: block.ipv6CidrBlock,
        index: 0,
    }).cidrBlock,
});
export const ipv6CidrBlock = block.ipv6CidrBlock;
