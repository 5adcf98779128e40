import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const network = new container_platform.Vpc("network", {
    cidrBlock: "10.0.0.0/16",
    tags: {
        team: "shop",
    },
});
export const vpcId = network.vpcId;
