import pulumi
import pulumi_container_platform as container_platform

images = container_platform.RegistryInstance("images",
    registry_name="acme-images",
    delete_bucket=True)
team = container_platform.Namespace("team",
    registry_id=images.registry_id,
    namespace_name="team",
    is_public=False)
ci = container_platform.ServiceAccount("ci",
    registry_id=images.registry_id,
    name="ci",
    permissions=[{
        "resource": team.namespace_name,
        "actions": [
            container_platform.ServiceAccountPermissionAction.REG_PUSH_REPOSITORY,
            container_platform.ServiceAccountPermissionAction.REG_PULL_REPOSITORY,
        ],
    }])
pulumi.export("username", ci.username)
pulumi.export("password", ci.password)
