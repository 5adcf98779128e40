/**
 * Writes of which is known what they change: the reading operations whose answers are outdated by them, by their actions. After any other
 * write every answer is outdated, as a write may change more than what it names: a cluster takes addresses of its subnets.
 */
export const outdatedBy: Readonly<Record<string, readonly string[]>> = {
  AssignIpv6CidrBlock: ["DescribeVpcs"],
  AssignIpv6SubnetCidrBlock: ["DescribeSubnets"],
  CreateSecurityGroupPolicies: ["DescribeSecurityGroups", "DescribeSecurityGroupPolicies"],
  DeleteSecurityGroupPolicies: ["DescribeSecurityGroups", "DescribeSecurityGroupPolicies"],
  ReplaceSecurityGroupPolicies: ["DescribeSecurityGroups", "DescribeSecurityGroupPolicies"],
  CreateVpc: ["DescribeVpcs", "DescribeRouteTables"],
  CreateSubnet: ["DescribeSubnets", "DescribeRouteTables"],
  CreateSecurityGroup: ["DescribeSecurityGroups"],

  CreateInstance: ["DescribeInstances", "CheckInstanceName"],
  CreateInstanceToken: ["DescribeInstanceToken"],
  ModifyInstanceToken: ["DescribeInstanceToken"],
  DeleteInstanceToken: ["DescribeInstanceToken"],
  CreateNamespace: ["DescribeNamespaces"],
  CreateTagRetentionRule: ["DescribeTagRetentionRules"],
  ModifyTagRetentionRule: ["DescribeTagRetentionRules"],
  DeleteTagRetentionRule: ["DescribeTagRetentionRules"],
  CreateInternalEndpointDns: ["DescribeInternalEndpointDnsStatus"],
  DeleteInternalEndpointDns: ["DescribeInternalEndpointDnsStatus"],
  // The access takes an address of its subnet, and the registry tells of it.
  ManageInternalEndpoint: ["DescribeInternalEndpoints", "DescribeInternalEndpointDnsStatus", "DescribeInstances", "DescribeSubnets"],

  // Clusters and pools take addresses of their subnets; the count of nodes is the cluster's.
  CreateCluster: ["DescribeClusters", "DescribeNodePools", "DescribeClusterInstances", "DescribeUserPermissions", "DescribeSubnets"],
  CreateNodePool: ["DescribeNodePools", "DescribeClusterInstances", "DescribeClusters", "DescribeSubnets"],
  GrantUserPermissions: ["DescribeUserPermissions"],
  // Access from the VPC takes an address of its subnet.
  CreateClusterEndpoint: ["DescribeClusterEndpointStatus", "DescribeClusterEndpoints", "DescribeClusters", "DescribeSubnets"],
  ModifyClusterEndpointSP: ["DescribeClusterEndpoints", "DescribeClusters"],
};
