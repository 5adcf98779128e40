import pulumi
import pulumi_container_platform as container_platform

network = container_platform.Vpc("network", cidr_block="10.0.0.0/16")
nodes = container_platform.Subnet("nodes",
    vpc_id=network.vpc_id,
    zone="eu-frankfurt-1",
    cidr_block="10.0.0.0/20")
images = container_platform.RegistryInstance("images",
    registry_name="acme-images",
    internal_access=[{
        "vpc_id": network.vpc_id,
        "subnet_id": nodes.subnet_id,
    }],
    delete_bucket=True)
address = container_platform.pull_server_output(registry_name=images.registry_name,
    vpc_id=network.vpc_id,
    internal_domains=images.internal_domains).server
pulumi.export("server", address)
