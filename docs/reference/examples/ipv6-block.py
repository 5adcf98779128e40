import pulumi
import pulumi_container_platform as container_platform

network = container_platform.Vpc("network", cidr_block="10.0.0.0/16")
block = container_platform.Ipv6Block("block", vpc_id=network.vpc_id)
nodes = container_platform.Subnet("nodes",
    vpc_id=network.vpc_id,
    zone="eu-frankfurt-1",
    cidr_block="10.0.0.0/20",
    ipv6_subnet_cidr_block=container_platform.subnet_cidr_block_output(ipv6_cidr_block=block.ipv6_cidr_block,
        index=0).cidr_block)
pulumi.export("ipv6CidrBlock", block.ipv6_cidr_block)
