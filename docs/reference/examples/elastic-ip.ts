import * as pulumi from "@pulumi/pulumi";
import * as container_platform from "@container-platform/native";

const egress = new container_platform.ElasticIp("egress", {internetMaxBandwidthOut: 100});
export const address = egress.addressIp;
