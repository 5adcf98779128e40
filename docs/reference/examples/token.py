import pulumi
import pulumi_container_platform as container_platform

images = container_platform.RegistryInstance("images",
    registry_name="acme-images",
    delete_bucket=True)
pull = container_platform.Token("pull",
    registry_id=images.registry_id,
    desc="for the nodes")
pulumi.export("username", pull.username)
pulumi.export("token", pull.token)
