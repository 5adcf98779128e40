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
});
const ci = new container_platform.ServiceAccount("ci", {
    registryId: images.registryId,
    name: "ci",
    permissions: [{
        resource: team.namespaceName,
        actions: [
            container_platform.ServiceAccountPermissionAction.Reg_PushRepository,
            container_platform.ServiceAccountPermissionAction.Reg_PullRepository,
        ],
    }],
});
export const username = ci.username;
export const password = ci.password;
