import type { Props } from "../../support/structs.ts";

interface Refusal {
  readonly of: string;
  readonly type: string;
  readonly args: Props;
  readonly code: string;
  /** Part of the platform's sentence. */
  readonly says: string;
  /** Part of what is said to do, where the platform's sentence does not say it. */
  readonly todo?: string;
}

/** What is there. */
interface Place {
  /** A subnet with fewer than 10 free addresses. */
  readonly tight: string;
  /** A VPC without IPv6, and its subnet. */
  readonly bare: string;
  readonly bareSubnet: string;
  readonly clusterId: string;
  /** Inputs that would do. */
  readonly subnet: Props;
  readonly native: Props;
  readonly gr: Props;
}

/** The conditions that a creation can meet, with their codes. */
export const refusalsOf = ({ tight, bare, bareSubnet, clusterId, subnet, native, gr }: Place): readonly Refusal[] => [
  {
    of: "a VPC outside of the private ranges",
    type: "Vpc",
    args: { cidrBlock: "11.0.0.0/16" },
    code: "InvalidParameterValue.Malformed",
    says: "11.0.0.0/16",
  },
  {
    of: "a VPC that is too small",
    type: "Vpc",
    args: { cidrBlock: "10.9.0.0/29" },
    code: "InvalidParameterValue.Malformed",
    says: "10.9.0.0/29",
  },
  {
    of: "an unknown zone",
    type: "Subnet",
    args: { ...subnet, zone: "eu-frankfurt-9" },
    code: "InvalidZone.ZoneNotAvailable",
    says: "eu-frankfurt-1",
  },
  {
    of: "an unavailable zone",
    type: "Subnet",
    args: { ...subnet, zone: "eu-frankfurt-4" },
    code: "InvalidZone.ZoneNotAvailable",
    says: "eu-frankfurt-4",
  },
  {
    of: "a VPC that is not there",
    type: "Subnet",
    args: { ...subnet, vpcId: "vpc-nowhere" },
    code: "ResourceNotFound",
    says: "vpc-nowhere",
  },
  {
    of: "a cluster in a subnet with too few addresses",
    type: "Cluster",
    args: { ...gr, subnetId: tight },
    code: "InvalidParameter",
    says: "has 9 available addresses; a cluster needs 10 or more",
  },
  {
    of: "a dual-stack cluster in a subnet without a /64",
    type: "Cluster",
    args: { vpcId: bare, subnetId: bareSubnet, isDualStack: true, eniSubnetIds: [bareSubnet] },
    code: "InvalidParameter",
    says: bareSubnet,
  },
  {
    of: "a version that is not offered",
    type: "Cluster",
    args: { ...gr, clusterVersion: "9.9.9" },
    code: "InvalidParameter",
    says: "1.34.1",
  },
  {
    of: "a node pool of a type of instance that the zone does not have",
    type: "NodePool",
    args: { clusterId, native: { ...native, instanceTypes: ["t3.medium"] } },
    code: "InvalidParameter",
    says: 'Native.InstanceTypes is "t3.medium", which eu-frankfurt-1 does not have; it takes types such as S5.SMALL2, S5.MEDIUM2',
    todo: "). native.instanceTypes takes types that getInstanceTypes({ zone }) lists",
  },
  {
    of: "a node pool of a type of disk that the zone does not have",
    type: "NodePool",
    args: { clusterId, native: { ...native, systemDisk: { diskType: "gp3", diskSize: 50 } } },
    code: "InvalidParameter",
    says: 'Native.SystemDisk.DiskType is "gp3", which eu-frankfurt-1 does not have as a SYSTEM_DISK; it takes CLOUD_PREMIUM, CLOUD_BSSD',
    todo: "). diskType takes a type that getDiskTypes({ zone }) lists",
  },
  {
    of: "a cluster that is not there",
    type: "NodePool",
    args: { clusterId: "cls-nowhere", native },
    code: "ResourceNotFound",
    says: "cls-nowhere",
  },
  {
    of: "a pool in a subnet of another VPC",
    type: "NodePool",
    args: { clusterId, native: { ...native, subnetIds: [bareSubnet] } },
    code: "InvalidParameter",
    says: bareSubnet,
  },
];
