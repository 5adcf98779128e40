import pulumi
import pulumi_container_platform as container_platform

network = container_platform.Vpc("network", cidr_block="10.0.0.0/16")
address = container_platform.ElasticIp("address", internet_max_bandwidth_out=100)
gateway = container_platform.NatGateway("gateway",
    vpc_id=network.vpc_id,
    public_ip_addresses=[address.address_ip])
egress = container_platform.RouteTable("egress",
    vpc_id=network.vpc_id,
    routes=[{
        "destination_cidr_block": "0.0.0.0/0",
        "gateway_type": container_platform.RouteTableRouteGatewayType.NAT,
        "gateway_id": gateway.nat_gateway_id,
    }])
nodes = container_platform.Subnet("nodes",
    vpc_id=network.vpc_id,
    zone="eu-frankfurt-1",
    cidr_block="10.0.0.0/20",
    route_table_id=egress.route_table_id)
pulumi.export("routeTableId", egress.route_table_id)
