import { Cluster, Ipv6Block, Subnet, Vpc } from "@container-platform/pulumi";

const vpc = new Vpc("demo", { cidrBlock: "10.0.0.0/16" });
const ipv6 = new Ipv6Block("demo", { vpcId: vpc.vpcId });
const { subnetId } = new Subnet("demo", {
  vpcId: vpc.vpcId,
  zone: "eu-frankfurt-1",
  cidrBlock: "10.0.0.0/20",
  ipv6SubnetCidrBlock: ipv6.subnetCidrBlock(0),
});
const cluster = new Cluster("demo", { vpcId: vpc.vpcId, subnetId, eniSubnetIds: [subnetId], isDualStack: true });

export const { clusterId, clusterVersion } = cluster;
