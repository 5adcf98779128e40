import pulumi
import pulumi_container_platform as container_platform

network = container_platform.Vpc("network",
    cidr_block="10.0.0.0/16",
    tags={
        "team": "shop",
    })
pulumi.export("vpcId", network.vpc_id)
