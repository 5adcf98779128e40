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
