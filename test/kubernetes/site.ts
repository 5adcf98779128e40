import { Cloud } from "@container-platform/sdk";
import {
  createCluster,
  createClusterEndpoint,
  createNodePool,
  describeClusterKubeconfig,
  modifyClusterEndpointSp,
} from "@container-platform/sdk/cluster";
import { LocalPlatform, putSubAccount, type World } from "@container-platform/sdk/local";
import { createSecurityGroup, createSubnet, createVpc } from "@container-platform/sdk/vpc";

const region = "eu-frankfurt";

/** A VPC in a world whose pace is instant, and what is made there. */
export async function siteIn(world: World) {
  const cloudOf = (uin = world.account) => new Cloud({ transport: new LocalPlatform(world, { uin }), region });
  const cloud = cloudOf();
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const place = { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/20", zone: `${region}-1` };
  const { subnetId } = (await cloud.call(createSubnet, place)).subnet;
  const group = { groupName: "g", groupDescription: "" };
  const { securityGroupId: securityGroup } = (await cloud.call(createSecurityGroup, group)).securityGroup;
  const native = {
    subnetIds: [subnetId],
    instanceTypes: ["SA5.MEDIUM4"],
    instanceChargeType: "POSTPAID_BY_HOUR" as const,
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    scaling: { minReplicas: 0, maxReplicas: 10 },
    replicas: 2,
  };
  /** Makes a cluster with two nodes and both endpoints; this machine may come in. */
  const cluster = async ({ version = "1.34.1", clusterCidr = "172.16.0.0/16" } = {}) => {
    const asked = { vpcId, subnetId, clusterCidrSettings: { clusterCidr }, clusterBasicSettings: { clusterVersion: version } };
    const { clusterId } = await cloud.call(createCluster, asked);
    await cloud.call(createNodePool, { clusterId, name: "p", type: "Native", native });
    await cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
    await cloud.call(createClusterEndpoint, { clusterId, isExtranet: false, subnetId });
    await cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: ["127.0.0.1/32"] });
    return clusterId;
  };
  const subAccount = (name: string) => putSubAccount(world, { name, allow: ["*"] });
  const kubeconfigOf = async (clusterId: string, { uin = world.account, isExtranet = true } = {}) =>
    (await cloudOf(uin).call(describeClusterKubeconfig, { clusterId, isExtranet })).kubeconfig;
  return { cloud, cloudOf, vpcId, subnetId, cluster, subAccount, kubeconfigOf };
}
