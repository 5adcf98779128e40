import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const network = new container_platform.Vpc("network", {cidrBlock: "10.0.0.0/16"});
const nodes = new container_platform.Subnet("nodes", {
    vpcId: network.vpcId,
    zone: "eu-frankfurt-1",
    cidrBlock: "10.0.0.0/20",
});
const images = new container_platform.RegistryInstance("images", {
    registryName: "acme-images",
    internalAccess: [{
        vpcId: network.vpcId,
        subnetId: nodes.subnetId,
    }],
    deleteBucket: true,
});
const address = container_platform.pullServerOutput({
    registryName: images.registryName,
    vpcId: network.vpcId,
    internalDomains: images.internalDomains,
}).server;
export const server = address;
