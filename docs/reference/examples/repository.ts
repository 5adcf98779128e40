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
const web = new container_platform.Repository("web", {
    registryId: images.registryId,
    namespaceName: team.namespaceName,
    repositoryName: "web",
    briefDescription: "The shop",
});
export const image = web.imageName["public"];
