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
developer = container_platform.UserPermission("developer",
    target_uin="100000000002",
    cluster_id=platform.cluster_id,
    role_name="svc:ns:dev",
    role_type=container_platform.UserPermissionRoleType.NAMESPACE,
    namespace="team")
