import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const images = new container_platform.RegistryInstance("images", {
    registryName: "acme-images",
    deleteBucket: true,
});
const team = new container_platform.Namespace("team", {
    registryId: images.registryId,
    namespaceName: "team",
    isPublic: false,
    autoScan: true,
    severity: container_platform.NamespaceSeverity.High,
    retentionRule: {
        key: container_platform.NamespaceRetentionRuleKey.LatestPushedK,
        value: 20,
        cronSetting: container_platform.NamespaceRetentionRuleCronSetting.Weekly,
    },
});
export const imagePrefix = team.imagePrefix["public"];
