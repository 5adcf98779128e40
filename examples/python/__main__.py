"""The platform of examples/platform in Python, with the SDK that `npm run sdks` generates."""

import pulumi
import pulumi_container_platform as cp

config = pulumi.Config("platform")
region = pulumi.Config("container-platform").require("region")

cidr_block = config.get("cidrBlock") or "10.0.0.0/16"
zones = config.get_object("zones") or [f"{region}-1", f"{region}-2", f"{region}-3"]
allowed_cidr_blocks = config.get_object("allowedCidrBlocks") or ["203.0.113.0/24"]
nodes = config.get_int("nodes") or 3
team = config.get("team") or "team"

# The private network, and its IPv6 block, a /56: each subnet gets a /64 of it.
vpc = cp.Vpc("platform", cidr_block=cidr_block)
ipv6 = cp.Ipv6Block("platform", vpc_id=vpc.vpc_id)

# The way out for the nodes of all zones, over IPv4. Nothing on the internet reaches the nodes through it.
egress = cp.ElasticIp("platform", internet_max_bandwidth_out=100)
gateway = cp.NatGateway("platform", vpc_id=vpc.vpc_id, public_ip_addresses=[egress.address_ip])
routes = cp.RouteTable(
    "platform",
    vpc_id=vpc.vpc_id,
    routes=[{"destination_cidr_block": "0.0.0.0/0", "gateway_type": "NAT", "gateway_id": gateway.nat_gateway_id}],
)

# One subnet in each zone, with addresses of both families. The first is that of the control plane.
subnets = [
    cp.Subnet(
        f"nodes-{index + 1}",
        vpc_id=vpc.vpc_id,
        zone=zone,
        cidr_block=cp.cidr_subnet(range=cidr_block, prefix=20, index=index).cidr_block,
        ipv6_subnet_cidr_block=cp.subnet_cidr_block_output(ipv6_cidr_block=ipv6.ipv6_cidr_block, index=index).cidr_block,
        route_table_id=routes.route_table_id,
    )
    for index, zone in enumerate(zones)
]
subnet_ids = [subnet.subnet_id for subnet in subnets]

# The traffic that may reach nodes and API server, over IPv4 and IPv6.
group = cp.SecurityGroup(
    "platform",
    group_description="Nodes and API server of the platform",
    ingress=[
        {"protocol": "ALL", "self": True, "action": "ACCEPT", "policy_description": "nodes among each other"},
        {"protocol": "ALL", "cidr_block": cidr_block, "action": "ACCEPT", "policy_description": "the VPC, over IPv4"},
        {
            "protocol": "ALL",
            "ipv6_cidr_block": ipv6.ipv6_cidr_block,
            "action": "ACCEPT",
            "policy_description": "the VPC, over IPv6",
        },
        *({"protocol": "TCP", "port": "443", "cidr_block": block, "action": "ACCEPT"} for block in allowed_cidr_blocks),
        {"protocol": "ICMPV6", "ipv6_cidr_block": "::/0", "action": "ACCEPT", "policy_description": "IPv6 needs ICMP"},
    ],
    egress=[
        {"protocol": "ALL", "cidr_block": "0.0.0.0/0", "action": "ACCEPT"},
        {"protocol": "ALL", "ipv6_cidr_block": "::/0", "action": "ACCEPT"},
    ],
)

# A dual-stack cluster: pods and services have IPv4 and IPv6 addresses, taken from the subnets.
cluster = cp.Cluster(
    "platform",
    vpc_id=vpc.vpc_id,
    subnet_id=subnet_ids[0],
    eni_subnet_ids=subnet_ids,
    network_type="VPC-CNI",
    is_dual_stack=True,
    service_cidr=config.get("serviceCidr") or "172.20.0.0/16",
)

# Nodes, spread over the zones.
workers = cp.NodePool(
    "workers",
    cluster_id=cluster.cluster_id,
    labels={"pool": "workers"},
    taints=[{"key": "dedicated", "value": "platform", "effect": "PreferNoSchedule"}],
    native={
        "subnet_ids": subnet_ids,
        "instance_types": [config.get("instanceType") or "SA5.MEDIUM4"],
        "system_disk": {"disk_type": "CLOUD_PREMIUM", "disk_size": 50},
        "security_group_ids": [group.security_group_id],
        "scaling": {"min_replicas": nodes, "max_replicas": nodes},
    },
)

# Access from the internet, for the allowed ranges only, and from the VPC.
public = cp.ClusterEndpoint(
    "public",
    cluster_id=cluster.cluster_id,
    is_extranet=True,
    security_group=group.security_group_id,
    allowed_cidr_blocks=allowed_cidr_blocks,
    node_pool_ids=[workers.node_pool_id],
)
internal = cp.ClusterEndpoint(
    "internal",
    cluster_id=cluster.cluster_id,
    is_extranet=False,
    subnet_id=subnet_ids[0],
    node_pool_ids=[workers.node_pool_id],
)

# The team's own registry. The cluster's VPC reaches it, the internet does not. No bucket is left, and billed, after the stack is destroyed.
registry = cp.RegistryInstance(
    "platform",
    registry_name=config.get("registryName") or "platform-images",
    internal_access=[{"vpc_id": vpc.vpc_id, "subnet_id": subnet_ids[0]}],
    delete_bucket=True,
)

# The team's images. The newest twenty of each repository are kept.
images = cp.Namespace(
    "team",
    registry_id=registry.registry_id,
    namespace_name=team,
    is_public=False,
    auto_scan=True,
    severity="high",
    retention_rule={"key": "latestPushedK", "value": 20, "cron_setting": "weekly"},
)

# The login of the nodes at the registry, and the content of a secret of type `kubernetes.io/dockerconfigjson` with it.
pull = cp.Token("pull", registry_id=registry.registry_id, desc=f"pulled by {team}")
server = cp.pull_server_output(
    registry_name=registry.registry_name, vpc_id=vpc.vpc_id, internal_domains=registry.internal_domains
).server
pull_secret = cp.pull_secret_output(server=server, username=pull.username, password=pull.token).docker_config_json

# The team works in its own namespace of the cluster. Auditors can read everything in the cluster, and change nothing.
for uin in config.get_object("developers") or ["100000000002"]:
    cp.UserPermission(
        f"developer-{uin}",
        target_uin=uin,
        cluster_id=cluster.cluster_id,
        role_name="svc:ns:dev",
        role_type="namespace",
        namespace=team,
    )
for uin in config.get_object("auditors") or ["100000000003"]:
    cp.UserPermission(
        f"auditor-{uin}", target_uin=uin, cluster_id=cluster.cluster_id, role_name="svc:ro", role_type="cluster"
    )

pulumi.export("vpcId", vpc.vpc_id)
pulumi.export("ipv6CidrBlock", ipv6.ipv6_cidr_block)
pulumi.export("egressIp", egress.address_ip)
pulumi.export("subnetIds", subnet_ids)
pulumi.export("clusterId", cluster.cluster_id)
pulumi.export("clusterVersion", cluster.cluster_version)
pulumi.export("publicAddress", public.address)
pulumi.export("internalAddress", internal.address)
pulumi.export("registryServer", server)
pulumi.export("imagePrefix", images.image_prefix.vpc)
# For `kubectl`: `pulumi stack output kubeconfig --show-secrets > kubeconfig.yaml`.
pulumi.export("kubeconfig", public.kubeconfig)
pulumi.export("pullSecret", pull_secret)
