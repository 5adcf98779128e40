import pulumi
import pulumi_container_platform as container_platform

web = container_platform.SecurityGroup("web",
    group_description="HTTPS from the internet",
    ingress=[
        {
            "protocol": container_platform.SecurityGroupRuleProtocol.TCP,
            "port": "443",
            "cidr_block": "0.0.0.0/0",
            "action": container_platform.SecurityGroupRuleAction.ACCEPT,
        },
        {
            "protocol": container_platform.SecurityGroupRuleProtocol.TCP,
            "port": "443",
            "ipv6_cidr_block": "::/0",
            "action": container_platform.SecurityGroupRuleAction.ACCEPT,
        },
    ],
    egress=[{
        "protocol": container_platform.SecurityGroupRuleProtocol.ALL,
        "cidr_block": "0.0.0.0/0",
        "action": container_platform.SecurityGroupRuleAction.ACCEPT,
    }])
pulumi.export("securityGroupId", web.security_group_id)
