import { resourceKinds, resourceName } from "../formats/resource-name.ts";
import type { JsonObject } from "../operation/codec.ts";
import { type Place, region } from "./everything.fixture.ts";

/**
 * An input of every operation, in wire spelling, with which it succeeds in the world of `everything.fixture.ts`. The keys are product and
 * action, with the version if an action has several.
 */
export function inputsFor(at: Place): Readonly<Record<string, JsonObject>> {
  return { ...clusterInputs(at), ...poolInputs(at), ...registryInputs(at), ...networkInputs(at), ...otherInputs(at) };
}

const tag = { Key: "team", Value: "platform" };
const labels = [{ Name: "app", Value: "web" }];
const taints = [{ Key: "dedicated", Value: "gpu", Effect: "NoSchedule" }];
const machines = JSON.stringify({ InstanceType: "SA5.LARGE8", InstanceCount: 2 });

function clusterInputs(at: Place): Record<string, JsonObject> {
  const own = { ClusterId: at.clusterId };
  const grant = { ClusterId: at.clusterId, RoleName: "svc:ns:dev", RoleType: "namespace", Namespace: "web" };
  return {
    "cluster AddExistedInstances": {
      ...own,
      InstanceIds: [at.instanceId],
      InstanceAdvancedSettings: { Labels: labels, Taints: taints, Unschedulable: 1, ExtraArgs: { Kubelet: ["max-pods=64"] } },
      EnhancedService: { SecurityService: { Enabled: true }, MonitorService: { Enabled: false } },
      LoginSettings: { KeyIds: [at.keyId] },
      SecurityGroupIds: [at.securityGroupId],
      Tags: [tag],
    },
    "cluster AddVpcCniSubnets": { ClusterId: at.podClusterId, SubnetIds: [at.bareSubnetId], VpcId: at.vpcId },
    "cluster CreateCluster": {
      VpcId: at.vpcId,
      SubnetId: at.subnetId,
      ClusterType: "MANAGED_CLUSTER",
      ClusterCIDRSettings: { ClusterCIDR: "172.30.0.0/16", MaxNodePodNum: 64, MaxClusterServiceNum: 256 },
      ClusterBasicSettings: { ClusterName: 'it\'s a "new" one', TagSpecification: [{ ResourceType: "cluster", Tags: [tag] }] },
      ClusterAdvancedSettings: { DeletionProtection: true, IPVS: true },
    },
    "cluster CreateClusterEndpoint": { ...own, IsExtranet: false, SubnetId: at.subnetId },
    "cluster CreateECMInstances": {
      ClusterID: at.clusterId,
      ModuleId: at.moduleId,
      ZoneInstanceCountISPSet: [{ Zone: `${region}-1`, InstanceCount: 1, ISP: "BGP" }],
      SecurityGroupIds: [at.securityGroupId],
    },
    "cluster DeleteCluster": { ClusterId: at.bareClusterId, InstanceDeleteMode: "terminate" },
    "cluster DeleteClusterEndpoint": { ...own, IsExtranet: true },
    "cluster DeleteClusterInstances": {
      ...own,
      InstanceIds: [at.nodeId, at.oldNodeId],
      InstanceDeleteMode: "terminate",
      ForceDelete: false,
    },
    "cluster DeleteUserPermissions": {
      TargetUin: at.uin,
      Permissions: [{ ClusterId: at.clusterId, RoleName: "svc:ro", RoleType: "cluster", IsCustom: false }],
    },
    "cluster DescribeAvailableClusterVersion": own,
    "cluster DescribeBatchModifyTagsStatus": own,
    "cluster DescribeClusterAuthenticationOptions": own,
    "cluster DescribeClusterEndpoints": own,
    "cluster DescribeClusterEndpointStatus": { ...own, IsExtranet: true },
    "cluster DescribeClusterExtraArgs": own,
    "cluster DescribeClusterInstances": { ...own, InstanceRole: "WORKER", Offset: 0, Limit: 10 },
    "cluster DescribeClusterInstances 2022-05-01": { ...own, SortBy: { FieldName: "CreatedTime", OrderType: "desc" }, NeedTags: true },
    "cluster DescribeClusterKubeconfig": { ...own, IsExtranet: true },
    "cluster DescribeClusterLevelAttribute": { ClusterID: at.clusterId },
    "cluster DescribeClusterMachines": { ...own, Filters: [{ Name: "NodePoolsId", Values: [at.nodePoolId] }] },
    "cluster DescribeClusters": { ClusterIds: [at.clusterId, at.ownClusterId], Limit: 2 },
    "cluster DescribeClusterSecurity": own,
    "cluster DescribeClusterStatus": { ClusterIds: [at.clusterId] },
    "cluster DescribeGPUInfo": { InstanceType: "GN7.2XLARGE32" },
    "cluster DescribeIPAMD": { ClusterId: at.podClusterId },
    "cluster DescribeOSImages": {},
    "cluster DescribeVpcCniPodLimits": { Zone: `${region}-2`, InstanceFamily: "S5", InstanceType: "S5.LARGE8" },
    "cluster DescribeRegions": {},
    "cluster DescribeTasks": {
      Filter: [
        { Name: "ClusterId", Values: [at.clusterId] },
        { Name: "TaskType", Values: ["create_cluster", "node_upgrade"] },
      ],
      Latest: true,
    },
    "cluster DescribeUserPermissions": { TargetUin: at.uin },
    "cluster DescribeVersions": {},
    "cluster DisableClusterDeletionProtection": own,
    "cluster EnableClusterDeletionProtection": own,
    "cluster GetUpgradeInstanceProgress": { ClusterId: at.upgradedClusterId, Limit: 5 },
    "cluster GrantUserPermissions": { TargetUin: at.uin, Permissions: [grant, { ...grant, Namespace: "api", IsCustom: false }] },
    "cluster ModifyClusterAttribute": {
      ...own,
      ClusterName: "renamed",
      ClusterDesc: "line one\nline two: ä€😀",
      AutoUpgradeClusterLevel: { IsAutoUpgrade: true },
    },
    "cluster ModifyClusterAuthenticationOptions": {
      ...own,
      ServiceAccounts: { UseServiceDefault: false, Issuer: "https://issuer.example", JWKSURI: "https://issuer.example/keys" },
      OIDCConfig: { AutoCreateOIDCConfig: true, AutoCreateClientId: ["kubernetes"] },
    },
    "cluster ModifyClusterEndpointSP": { ...own, SecurityPolicies: ["203.0.113.0/24", "198.51.100.7"] },
    "cluster ModifyClusterExtraArgs": { ...own, ClusterExtraArgs: { KubeAPIServer: ["max-requests-inflight=500"] } },
    "cluster ModifyClusterTags": { ...own, Tags: [tag, { Key: "tier", Value: "" }], SyncSubresource: true },
    // The client does not offer what the platform needs here.
    "cluster RotateClusterToken": {},
    "cluster ScaleOutClusterMaster": { ClusterId: at.ownClusterId, RunInstancePara: machines, ExtraArgs: { Etcd: ["quota=8"] } },
    "cluster UpdateClusterKubeconfig": { ...own, SubAccounts: [at.account] },
    "cluster UpdateClusterVersion": { ...own, DstVersion: "1.34.1", MaxNotReadyPercent: 12.5 },
    "cluster UpgradeClusterInstances": {
      ClusterId: at.upgradedClusterId,
      Operation: "create",
      UpgradeType: "reset",
      InstanceIds: [at.outdatedNodeId],
      MaxNotReadyPercent: 50,
      ResetParam: { SecurityGroupIds: [at.securityGroupId] },
    },
  };
}

function poolInputs(at: Place): Record<string, JsonObject> {
  const own = { ClusterId: at.clusterId };
  const pool = { ...own, NodePoolId: at.nodePoolId };
  const old = { ...own, NodePoolId: at.oldPoolId };
  const scaling = { MinReplicas: 0, MaxReplicas: 5 };
  return {
    "cluster CreateClusterNodePool": {
      ...own,
      AutoScalingGroupPara: JSON.stringify({ VpcId: at.vpcId, SubnetIds: [at.subnetId], MinSize: 0, MaxSize: 3, DesiredCapacity: 1 }),
      LaunchConfigurePara: JSON.stringify({ InstanceType: "SA5.MEDIUM4", SystemDisk: { DiskType: "CLOUD_SSD", DiskSize: 60 } }),
      InstanceAdvancedSettings: { Labels: labels, Unschedulable: 0 },
      EnableAutoscale: true,
      Name: "scaled",
    },
    "cluster CreateExternalNodePool": { ...own, Name: "outside", ContainerRuntime: "containerd", RuntimeVersion: "1.6.9", Taints: taints },
    "cluster CreateNodePool": {
      ...own,
      Name: "more",
      Type: "Native",
      Native: {
        Scaling: scaling,
        SubnetIds: [at.subnetId, at.bareSubnetId],
        InstanceChargeType: "POSTPAID_BY_HOUR",
        SystemDisk: { DiskType: "CLOUD_PREMIUM", DiskSize: 50 },
        InstanceTypes: ["SA5.MEDIUM4"],
        KubeletArgs: ["max-pods=64"],
        Management: { Hosts: ["10.0.0.9 'a  b' --now"] },
        Lifecycle: { PreInit: "ZWNobyAx" },
        DataDisks: [{ DiskType: "CLOUD_SSD", FileSystem: "ext4", DiskSize: 60, AutoFormatAndMount: true }],
        Replicas: 1,
      },
      Labels: labels,
      Taints: taints,
      Tags: [{ ResourceType: "machine", Tags: [tag] }],
      DeletionProtection: false,
    },
    "cluster DeleteClusterNodePool": { ...own, NodePoolIds: [at.oldPoolId], KeepInstance: true },
    "cluster DeleteNodePool": pool,
    "cluster DescribeClusterNodePoolDetail": pool,
    "cluster DescribeClusterNodePools": own,
    "cluster DescribeNodePools": { ...own, Filters: [{ Name: "NodePoolsId", Values: [at.nodePoolId, at.oldPoolId] }], Limit: 1, Offset: 1 },
    "cluster ModifyClusterNodePool": { ...old, Name: "renamed", MaxNodesNum: 4, MinNodesNum: 0, Labels: labels, Unschedulable: 0 },
    "cluster ModifyNodePool": { ...pool, Name: "renamed", Native: { Scaling: scaling, Replicas: 3 }, Taints: taints, Unschedulable: true },
    "cluster ModifyNodePoolDesiredCapacityAboutAsg": { ...old, DesiredCapacity: 1 },
    "cluster RemoveNodeFromNodePool": { ...old, InstanceIds: [at.oldNodeId] },
    "cluster ScaleNodePool": { ...pool, Replicas: 3 },
  };
}

function registryInputs(at: Place): Record<string, JsonObject> {
  const own = { RegistryId: at.registryId };
  const image = { ...own, NamespaceName: "team", RepositoryName: "web" };
  const entry = { CidrBlock: "198.51.100.0/24", Description: "branch" };
  const link = { InstanceId: at.registryId, VpcId: at.vpcId, EniLBIp: at.address };
  const rights = [{ Resource: "team/", Actions: ["reg:PullRepository", "reg:PushRepository"] }];
  const retention = { Key: "nDaysSinceLastPush", Value: 30 };
  return {
    "registry CheckInstanceName": { RegistryName: "acme-fresh" },
    "registry CreateInstance": {
      RegistryName: "acme-third",
      RegistryType: "basic",
      TagSpecification: { ResourceType: "instance", Tags: [tag] },
      RegistryChargeType: 0,
      DeletionProtection: false,
    },
    "registry CreateInstanceToken": { ...own, TokenType: "longterm", Desc: "build" },
    "registry CreateInternalEndpointDns": { ...link, RegionName: region },
    "registry CreateMultipleSecurityPolicy": { ...own, SecurityGroupPolicySet: [entry, { CidrBlock: "192.0.2.1/32" }] },
    "registry CreateNamespace": {
      ...own,
      NamespaceName: "fresh",
      IsPublic: true,
      Severity: "high",
      CVEWhitelistItems: [{ CVEID: "CVE-2026-12345" }],
    },
    "registry CreateRepository": { ...own, NamespaceName: "team", RepositoryName: "api", BriefDescription: "the API" },
    "registry CreateSecurityPolicy": { ...own, ...entry },
    "registry CreateServiceAccount": { ...own, Name: "deploy", Permissions: rights, Duration: 30 },
    "registry CreateTagRetentionExecution": { ...own, RetentionId: at.retentionId, DryRun: true },
    "registry CreateTagRetentionRule": { ...own, NamespaceId: at.spareNamespaceId, CronSetting: "daily", RetentionRule: retention },
    "registry DeleteImage": { ...image, ImageVersion: "1.0.0" },
    "registry DeleteInstance": { RegistryId: at.otherRegistryId, DeleteBucket: true },
    "registry DeleteInstanceToken": { ...own, TokenId: at.tokenId },
    "registry DeleteInternalEndpointDns": { ...link, UsePublicDomain: true },
    "registry DeleteMultipleSecurityPolicy": { ...own, SecurityGroupPolicySet: [{ PolicyIndex: 0, CidrBlock: "203.0.113.7/32" }] },
    "registry DeleteNamespace": { ...own, NamespaceName: "spare" },
    "registry DeleteReplicationRule": { SourceRegistryId: at.registryId, RuleName: "mirror" },
    "registry DeleteRepository": { ...image, RepositoryName: "empty" },
    "registry DeleteSecurityPolicy": { ...own, PolicyIndex: 0, CidrBlock: "203.0.113.7/32" },
    "registry DeleteServiceAccount": { ...own, Name: "ci" },
    "registry DeleteTagRetentionRule": { ...own, RetentionId: at.retentionId },
    "registry DescribeExternalEndpointStatus": own,
    "registry DescribeImages": { ...image, ExactMatch: true, ImageVersion: "1.0.0" },
    "registry DescribeInstances": { Registryids: [at.registryId], AllRegion: false },
    "registry DescribeInstanceStatus": { RegistryIds: [at.registryId, at.otherRegistryId] },
    "registry DescribeInstanceToken": { ...own, Limit: 3 },
    "registry DescribeInternalEndpointDnsStatus": { VpcSet: [{ ...link, UsePublicDomain: true }] },
    "registry DescribeInternalEndpoints": own,
    "registry DescribeNamespaces": { ...own, NamespaceName: "team", All: true },
    "registry DescribeReplicationPolicies": { ...own, Page: 1, PageSize: 10 },
    "registry DescribeRepositories": { ...own, SortBy: "-name" },
    "registry DescribeSecurityPolicies": own,
    "registry DescribeServiceAccounts": { ...own, EmbedPermission: true, Filters: [{ Name: "ServiceAccountName", Values: ["ci"] }] },
    "registry DescribeTagRetentionRules": own,
    "registry ManageExternalEndpoint": { ...own, Operation: "Delete" },
    "registry ManageInternalEndpoint": { RegistryId: at.otherRegistryId, Operation: "Create", VpcId: at.vpcId, SubnetId: at.subnetId },
    "registry ManageReplication": {
      SourceRegistryId: at.registryId,
      DestinationRegistryId: at.otherRegistryId,
      Rule: { Name: "second", DestNamespace: "copies", Override: false, Filters: [{ Type: "tag", Value: "1.*" }], Deletion: true },
    },
    "registry ModifyInstance": { ...own, DeletionProtection: true },
    "registry ModifyInstanceToken": { ...own, TokenId: at.tokenId, Enable: false, ModifyFlag: 2 },
    "registry ModifyNamespace": { ...own, NamespaceName: "team", IsPublic: true },
    "registry ModifyReplication": {
      SourceRegistryId: at.registryId,
      RuleName: "mirror",
      Rule: { Filters: [{ Type: "tag", Value: "2.*" }], Enabled: false },
    },
    "registry ModifyRepository": { ...image, BriefDescription: "web", Description: "--the shop" },
    "registry ModifySecurityPolicy": { ...own, PolicyIndex: 0, CidrBlock: "203.0.113.7/32", Description: "--renamed" },
    "registry ModifyServiceAccount": { ...own, Name: "ci", Permissions: rights, Disable: true },
    "registry ModifyServiceAccountPassword": { ...own, Name: "ci", Random: false, Password: "Passw0rd-of-ci" },
    "registry ModifyTagRetentionRule": {
      ...own,
      NamespaceId: at.namespaceId,
      CronSetting: "weekly",
      RetentionId: at.retentionId,
      RetentionRule: retention,
    },
  };
}

function networkInputs(at: Place): Record<string, JsonObject> {
  const rule = { Protocol: "TCP", Port: "8443", CidrBlock: "10.0.0.0/8", Action: "ACCEPT", PolicyDescription: "a, b" };
  const group = { SecurityGroupId: at.securityGroupId };
  const ipv6 = { VpcId: at.vpcId, Ipv6SubnetCidrBlocks: [{ SubnetId: at.podSubnetId, Ipv6SubnetCidrBlock: at.ipv6SubnetCidrBlock }] };
  const second = at.ipv6CidrBlock.replace(/00::\/56$/, "01::/64");
  const gateway = { NatGatewayId: at.natGatewayId };
  const table = { RouteTableId: at.routeTableId };
  const direct = { GatewayType: "EIP", GatewayId: "0" };
  const route = { RouteItemId: at.routeItemId, RouteId: at.routeId };
  return {
    "vpc AllocateAddresses": { AddressName: "fresh", InternetMaxBandwidthOut: 5, Tags: [tag] },
    "vpc AssociateNatGatewayAddress": { ...gateway, PublicIpAddresses: [at.addressIp] },
    "vpc CreateNatGateway": { NatGatewayName: "fresh", VpcId: at.emptyVpcId, PublicIpAddresses: [at.addressIp], Tags: [tag] },
    "vpc CreateRoutes": { ...table, Routes: [{ ...direct, DestinationCidrBlock: "192.0.2.0/24", RouteDescription: "" }] },
    "vpc CreateRouteTable": { VpcId: at.vpcId, RouteTableName: "fresh", Tags: [tag] },
    "vpc DeleteNatGateway": gateway,
    "vpc DeleteRoutes": { ...table, Routes: [{ ...direct, ...route, DestinationCidrBlock: "0.0.0.0/0" }] },
    "vpc DeleteRouteTable": table,
    "vpc DescribeAddresses": { AddressIds: [at.addressId] },
    "vpc DescribeNatGateways": { Filters: [{ Name: "vpc-id", Values: [at.vpcId] }], Limit: 5 },
    "vpc DisassociateNatGatewayAddress": { ...gateway, PublicIpAddresses: [at.boundIp] },
    "vpc ModifyAddressAttribute": { AddressId: at.addressId, AddressName: "renamed" },
    "vpc ModifyAddressesBandwidth": { AddressIds: [at.addressId], InternetMaxBandwidthOut: 7 },
    "vpc ModifyAddressInternetChargeType": {
      AddressId: at.addressId,
      InternetChargeType: "BANDWIDTH_PREPAID_BY_MONTH",
      InternetMaxBandwidthOut: 7,
      AddressChargePrepaid: { Period: 1, AutoRenewFlag: 1 },
    },
    "vpc ModifyNatGatewayAttribute": { ...gateway, NatGatewayName: "renamed", InternetMaxBandwidthOut: 200 },
    "vpc ModifyRouteTableAttribute": { ...table, RouteTableName: "renamed" },
    "vpc ReleaseAddresses": { AddressIds: [at.addressId] },
    "vpc ReplaceRoutes": { ...table, Routes: [{ ...direct, ...route, DestinationCidrBlock: "192.0.2.0/24" }] },
    "vpc ResetNatGatewayConnection": { ...gateway, MaxConcurrentConnection: 3_000_000 },
    "vpc AssignIpv6CidrBlock": { VpcId: at.emptyVpcId, AddressType: "GUA" },
    "vpc AssignIpv6SubnetCidrBlock": {
      VpcId: at.vpcId,
      Ipv6SubnetCidrBlocks: [{ SubnetId: at.bareSubnetId, Ipv6SubnetCidrBlock: second }],
    },
    "vpc CreateSecurityGroup": { GroupName: "fresh", GroupDescription: "it's new", Tags: [tag] },
    "vpc CreateSecurityGroupPolicies": { ...group, SecurityGroupPolicySet: { Egress: [rule, { ...rule, Port: "9443" }] } },
    "vpc CreateSubnet": { VpcId: at.emptyVpcId, SubnetName: "part", CidrBlock: "10.1.0.0/24", Zone: `${region}-2`, Tags: [tag] },
    "vpc CreateVpc": {
      VpcName: "new",
      CidrBlock: "10.9.0.0/16",
      DnsServers: ["192.0.2.1", "192.0.2.2"],
      EnableRouteVpcPublishIpv6: true,
      EnableMulticast: "false",
    },
    "vpc DeleteSecurityGroup": { SecurityGroupId: at.spareGroupId },
    "vpc DeleteSecurityGroupPolicies": { ...group, SecurityGroupPolicySet: { Ingress: [{ PolicyIndex: 0 }] } },
    "vpc DeleteSubnet": { SubnetId: at.bareSubnetId },
    "vpc DeleteVpc": { VpcId: at.emptyVpcId },
    "vpc DescribeRouteTables": { Filters: [{ Name: "vpc-id", Values: [at.vpcId] }], Limit: "5" },
    "vpc DescribeSecurityGroupAssociationStatistics": { SecurityGroupIds: [at.securityGroupId, at.spareGroupId] },
    "vpc DescribeSecurityGroupPolicies": group,
    "vpc DescribeSecurityGroups": { OrderField: "CreatedTime", OrderDirection: "DESC", Offset: "0" },
    "vpc DescribeSubnets": {
      Filters: [
        { Name: "vpc-id", Values: [at.vpcId] },
        { Name: "zone", Values: [`${region}-1`, `${region}-2`] },
      ],
    },
    "vpc DescribeVpcs": { VpcIds: [at.vpcId] },
    "vpc ModifySecurityGroupAttribute": { ...group, GroupDescription: "" },
    "vpc ModifySubnetAttribute": { SubnetId: at.subnetId, SubnetName: "renamed", EnableBroadcast: "true" },
    "vpc ModifyVpcAttribute": { VpcId: at.vpcId, VpcName: "renamed", DnsServers: ["192.0.2.1"] },
    "vpc ReplaceRouteTableAssociation": { RouteTableId: at.routeTableId, SubnetId: at.bareSubnetId },
    "vpc ReplaceSecurityGroupPolicies": { ...group, SecurityGroupPolicySet: { Ingress: [{ ...rule, PolicyIndex: 0 }] } },
    "vpc UnassignIpv6CidrBlock": { VpcId: at.ipv6VpcId },
    "vpc UnassignIpv6SubnetCidrBlock": ipv6,
  };
}

function otherInputs(at: Place): Record<string, JsonObject> {
  const resource = resourceName({ ...resourceKinds.vpc, region, account: at.account, id: at.vpcId });
  return {
    "audit LookUpEvents": {
      StartTime: 0,
      EndTime: 4_000_000_000,
      LookupAttributes: [{ AttributeKey: "EventName", AttributeValue: "CreateVpc" }],
      MaxResults: 2,
    },
    "compute DescribeInstances": { Filters: [{ Name: "vpc-id", Values: [at.vpcId] }], Limit: 3 },
    "compute DescribeKeyPairs": { KeyIds: [at.keyId] },
    "compute DescribeZoneInstanceConfigInfos": { Filters: [{ Name: "zone", Values: [`${region}-2`] }] },
    "compute DescribeZones": {},
    "disk DescribeDiskConfigQuota": { InquiryType: "INQUIRY_CVM_CONFIG", Zones: [`${region}-1`], CPU: 2, DiskUsage: "SYSTEM_DISK" },
    "identity GetCallerIdentity": {},
    "tag AttachResourcesTag": { ServiceType: "vpc", ResourcePrefix: "vpc", ResourceIds: [at.vpcId], TagKey: "team", TagValue: "network" },
    "tag GetResources": { TagFilters: [{ TagKey: "team", TagValue: ["platform"] }], MaxResults: 10 },
    "tag ModifyResourceTags": { Resource: resource, ReplaceTags: [{ TagKey: "team", TagValue: "network" }] },
  };
}
