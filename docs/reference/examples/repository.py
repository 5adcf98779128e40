import pulumi
import pulumi_container_platform as container_platform

images = container_platform.RegistryInstance("images",
    registry_name="acme-images",
    delete_bucket=True)
team = container_platform.Namespace("team",
    registry_id=images.registry_id,
    namespace_name="team",
    is_public=False)
web = container_platform.Repository("web",
    registry_id=images.registry_id,
    namespace_name=team.namespace_name,
    repository_name="web",
    brief_description="The shop")
pulumi.export("image", web.image_name.public)
