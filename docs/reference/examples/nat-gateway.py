import pulumi
import pulumi_container_platform as container_platform

network = container_platform.Vpc("network", cidr_block="10.0.0.0/16")
address = container_platform.ElasticIp("address", internet_max_bandwidth_out=100)
egress = container_platform.NatGateway("egress",
    vpc_id=network.vpc_id,
    public_ip_addresses=[address.address_ip])
pulumi.export("natGatewayId", egress.nat_gateway_id)
