import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const web = new container_platform.SecurityGroup("web", {
    groupDescription: "HTTPS from the internet",
    ingress: [
        {
            protocol: container_platform.SecurityGroupRuleProtocol.TCP,
            port: "443",
            cidrBlock: "0.0.0.0/0",
            action: container_platform.SecurityGroupRuleAction.ACCEPT,
        },
        {
            protocol: container_platform.SecurityGroupRuleProtocol.TCP,
            port: "443",
            ipv6CidrBlock: "::/0",
            action: container_platform.SecurityGroupRuleAction.ACCEPT,
        },
    ],
    egress: [{
        protocol: container_platform.SecurityGroupRuleProtocol.ALL,
        cidrBlock: "0.0.0.0/0",
        action: container_platform.SecurityGroupRuleAction.ACCEPT,
    }],
});
export const securityGroupId = web.securityGroupId;
