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
  /** A VPC without IPv6, and its subnet. */
  readonly bare: string;
  readonly bareSubnet: string;
}

/** The conditions that a creation can meet, with their codes. */
export const refusalsOf = ({ bare, bareSubnet }: Place): readonly Refusal[] => [
  {
    of: "a dual-stack cluster in a subnet without a /64",
    type: "Cluster",
    args: { vpcId: bare, subnetId: bareSubnet, isDualStack: true, eniSubnetIds: [bareSubnet] },
    code: "InvalidParameter",
    says: bareSubnet,
  },
];
