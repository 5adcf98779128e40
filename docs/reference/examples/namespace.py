import pulumi
import pulumi_container_platform as container_platform

images = container_platform.RegistryInstance("images",
    registry_name="acme-images",
    delete_bucket=True)
team = container_platform.Namespace("team",
    registry_id=images.registry_id,
    namespace_name="team",
    is_public=False,
    auto_scan=True,
    severity=container_platform.NamespaceSeverity.HIGH,
    retention_rule={
        "key": container_platform.NamespaceRetentionRuleKey.LATEST_PUSHED_K,
        "value": 20,
        "cron_setting": container_platform.NamespaceRetentionRuleCronSetting.WEEKLY,
    })
pulumi.export("imagePrefix", team.image_prefix.public)
