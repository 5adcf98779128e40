import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const images = new container_platform.RegistryInstance("images", {
    registryName: "acme-images",
    deleteBucket: true,
});
const pull = new container_platform.Token("pull", {
    registryId: images.registryId,
    desc: "for the nodes",
});
export const username = pull.username;
export const token = pull.token;
