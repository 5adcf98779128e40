import type { Answer } from "@container-platform/sdk";
import * as audit from "@container-platform/sdk/audit";
import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import * as disk from "@container-platform/sdk/disk";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import type * as z from "@container-platform/sdk/zod";

// The results of functions: items of lists in the catalogue. The published declarations have an interface in place of each type, with the
// catalogue's descriptions as comments, which `scripts/docs/results.ts` writes.

export const lists = () => ({
  ClusterRecord: cluster.describeClusters.output.shape.clusters,
  ClusterStatusRecord: cluster.describeClusterStatus.output.shape.clusterStatusSet,
  NodeRecord: cluster.describeClusterInstances.output.shape.instanceSet,
  NodePoolRecord: cluster.describeNodePools.output.shape.nodePools,
  PermissionRecord: cluster.describeUserPermissions.output.shape.permissions,
  TaskRecord: cluster.describeTasks.output.shape.tasks,
  RegionRecord: cluster.describeRegions.output.shape.regionInstanceSet,
  OsImageRecord: cluster.describeOsImages.output.shape.osImageSeriesSet,
  ZoneRecord: compute.describeZones.output.shape.zoneSet,
  KeyPairRecord: compute.describeKeyPairs.output.shape.keyPairSet,
  InstanceTypeRecord: compute.describeZoneInstanceConfigInfos.output.shape.instanceTypeQuotaSet,
  DiskTypeRecord: disk.describeDiskConfigQuota.output.shape.diskConfigSet,
  VpcRecord: vpc.describeVpcs.output.shape.vpcSet,
  SubnetRecord: vpc.describeSubnets.output.shape.subnetSet,
  SecurityGroupRecord: vpc.describeSecurityGroups.output.shape.securityGroupSet,
  RegistryRecord: registry.describeInstances.output.shape.registries,
  NamespaceRecord: registry.describeNamespaces.output.shape.namespaceList,
  RepositoryRecord: registry.describeRepositories.output.shape.repositoryList,
  ImageRecord: registry.describeImages.output.shape.imageInfoList,
  EventRecord: audit.lookUpEvents.output.shape.events,
});

type Lists = ReturnType<typeof lists>;
type Item<Name extends keyof Lists> = Answer<z.output<Lists[Name]>>[number];

export type ClusterRecord = Item<"ClusterRecord">;
export type ClusterStatusRecord = Item<"ClusterStatusRecord">;
export type NodeRecord = Item<"NodeRecord">;
export type NodePoolRecord = Item<"NodePoolRecord">;
export type PermissionRecord = Item<"PermissionRecord">;
export type TaskRecord = Item<"TaskRecord">;
export type RegionRecord = Item<"RegionRecord">;
export type OsImageRecord = Item<"OsImageRecord">;
export type ZoneRecord = Item<"ZoneRecord">;
export type KeyPairRecord = Item<"KeyPairRecord">;
export type InstanceTypeRecord = Item<"InstanceTypeRecord">;
export type DiskTypeRecord = Item<"DiskTypeRecord">;
export type VpcRecord = Item<"VpcRecord">;
export type SubnetRecord = Item<"SubnetRecord">;
export type SecurityGroupRecord = Item<"SecurityGroupRecord">;
export type RegistryRecord = Item<"RegistryRecord">;
export type NamespaceRecord = Item<"NamespaceRecord">;
export type RepositoryRecord = Item<"RepositoryRecord">;
export type ImageRecord = Item<"ImageRecord">;
export type EventRecord = Item<"EventRecord">;

export type TagRecord = VpcRecord["tagSet"][number];
export type LabelRecord = NodePoolRecord["labels"][number];
export type TaintRecord = NodePoolRecord["taints"][number];
export type AnnotationRecord = NodePoolRecord["annotations"][number];
export type InstanceSettingsRecord = NodeRecord["instanceAdvancedSettings"];
