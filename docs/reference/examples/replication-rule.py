import pulumi
import pulumi_container_platform as container_platform

images = container_platform.RegistryInstance("images",
    registry_name="acme-images",
    delete_bucket=True)
archive = container_platform.RegistryInstance("archive",
    registry_name="acme-archive",
    delete_bucket=True)
copies = container_platform.Namespace("copies",
    registry_id=archive.registry_id,
    namespace_name="copies",
    is_public=False)
rule = container_platform.ReplicationRule("rule",
    source_registry_id=images.registry_id,
    rule_name="archive",
    destination_registry_id=archive.registry_id,
    dest_namespace=copies.namespace_name,
    filters=[
        {
            "type": container_platform.ReplicationRuleFilterType.NAME,
            "value": "team/**",
        },
        {
            "type": container_platform.ReplicationRuleFilterType.TAG,
            "value": "v*",
        },
    ])
