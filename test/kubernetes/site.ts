import { Cloud } from "@container-platform/sdk";
import * as api from "@container-platform/sdk/cluster";
import { LocalPlatform, putSubAccount, type World } from "@container-platform/sdk/local";
import { createSecurityGroup, createSubnet, createVpc } from "@container-platform/sdk/vpc";
import { nativeIn } from "../../sdk/src/local/cluster/native.fixture.ts";

const region = "eu-frankfurt";

export interface ClusterAsked {
  readonly version?: string;
  readonly nodes?: number;
  /** The subnet of its pods, in a cluster in which they and Services have addresses of both families. */
  readonly podSubnetId?: string;
  readonly clusterCidr?: string;
  readonly serviceCidr?: string;
  readonly maxNodePodNum?: number;
}

/** A VPC in a world with the time scale instant, and what is made there. */
export async function siteIn(world: World) {
  const cloudOf = (uin = world.account) => new Cloud({ transport: new LocalPlatform(world, { uin }), region });
  const cloud = cloudOf();
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const subnet = async (third: number) => {
    const place = { vpcId, subnetName: `s${third}`, cidrBlock: `10.0.${third}.0/24`, zone: `${region}-1` };
    return (await cloud.call(createSubnet, place)).subnet.subnetId;
  };
  const subnetId = await subnet(0);
  const group = { groupName: "g", groupDescription: "" };
  const { securityGroupId: securityGroup } = (await cloud.call(createSecurityGroup, group)).securityGroup;
  const pool = async (clusterId: string, replicas: number) => {
    const native = { ...nativeIn(subnetId), replicas };
    return (await cloud.call(api.createNodePool, { clusterId, name: "p", type: "Native", native })).nodePoolId;
  };
  /** Makes a cluster with nodes and both endpoints; this machine may come in. */
  const cluster = async ({ version = "1.34.1", nodes = 2, podSubnetId, ...ranges }: ClusterAsked = {}) => {
    const { clusterId } = await cloud.call(api.createCluster, {
      ...{ vpcId, subnetId, clusterBasicSettings: { clusterVersion: version } },
      ...(podSubnetId === undefined
        ? { clusterCidrSettings: { clusterCidr: "172.16.0.0/16", ...ranges } }
        : {
            clusterCidrSettings: { eniSubnetIds: [podSubnetId], ...ranges },
            clusterAdvancedSettings: { networkType: "VPC-CNI" as const, isDualStack: true },
          }),
    });
    await pool(clusterId, nodes);
    await cloud.call(api.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
    await cloud.call(api.createClusterEndpoint, { clusterId, isExtranet: false, subnetId });
    await cloud.call(api.modifyClusterEndpointSp, { clusterId, securityPolicies: ["127.0.0.1/32"] });
    return clusterId;
  };
  const subAccount = (name: string) => putSubAccount(world, { name, allow: ["*"] });
  const kubeconfigOf = async (clusterId: string, { uin = world.account, isExtranet = true } = {}) =>
    (await cloudOf(uin).call(api.describeClusterKubeconfig, { clusterId, isExtranet })).kubeconfig;
  return { cloud, region, vpcId, subnetId, subnet, pool, cluster, subAccount, kubeconfigOf };
}
