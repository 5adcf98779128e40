import pulumi
import pulumi_container_platform as container_platform

egress = container_platform.ElasticIp("egress", internet_max_bandwidth_out=100)
pulumi.export("address", egress.address_ip)
