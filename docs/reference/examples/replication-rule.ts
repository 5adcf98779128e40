import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const images = new container_platform.RegistryInstance("images", {
    registryName: "acme-images",
    deleteBucket: true,
});
const archive = new container_platform.RegistryInstance("archive", {
    registryName: "acme-archive",
    deleteBucket: true,
});
const copies = new container_platform.Namespace("copies", {
    registryId: archive.registryId,
    namespaceName: "copies",
    isPublic: false,
});
const rule = new container_platform.ReplicationRule("rule", {
    sourceRegistryId: images.registryId,
    ruleName: "archive",
    destinationRegistryId: archive.registryId,
    destNamespace: copies.namespaceName,
    filters: [
        {
            type: container_platform.ReplicationRuleFilterType.Name,
            value: "team/**",
        },
        {
            type: container_platform.ReplicationRuleFilterType.Tag,
            value: "v*",
        },
    ],
});
