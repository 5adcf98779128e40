import pulumi
import pulumi_container_platform as container_platform

network = container_platform.Vpc("network", cidr_block="10.0.0.0/16")
nodes = container_platform.Subnet("nodes",
    vpc_id=network.vpc_id,
    zone="eu-frankfurt-1",
    cidr_block="10.0.0.0/20")
platform = container_platform.Cluster("platform",
    vpc_id=network.vpc_id,
    subnet_id=nodes.subnet_id,
    cluster_cidr="172.16.0.0/16")
pulumi.export("clusterVersion", platform.cluster_version)
