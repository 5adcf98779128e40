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
workers = container_platform.NodePool("workers",
    cluster_id=platform.cluster_id,
    labels={
        "pool": "workers",
    },
    native={
        "subnet_ids": [nodes.subnet_id],
        "instance_types": ["SA5.MEDIUM4"],
        "system_disk": {
            "disk_type": "CLOUD_PREMIUM",
            "disk_size": 50,
        },
        "replicas": 2,
    })
pulumi.export("nodePoolId", workers.node_pool_id)
