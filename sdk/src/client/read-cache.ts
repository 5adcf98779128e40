import type { Operation } from "../operation/operation.ts";

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
  AllocateAddresses: ["DescribeAddresses"],
  CreateNatGateway: ["DescribeNatGateways", "DescribeAddresses"],
  CreateRouteTable: ["DescribeRouteTables"],
  CreateRoutes: ["DescribeRouteTables"],
  ReplaceRouteTableAssociation: ["DescribeRouteTables", "DescribeSubnets"],

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

/** Who is asked: the operations whose answers a reading is made of. */
export type Asking = readonly Pick<Operation, "action">[];

/** Recent answers of a platform. Writes through the same `Cloud` outdate those that they may have changed. */
export class Readings {
  #writes = 0;
  /** The last write that may have changed every answer, and the last one by each action whose answers it may have changed. */
  #everything = 0;
  readonly #some = new Map<string, number>();
  readonly #shared = new Map<string, { readonly generation: number; readonly at: number; readonly answer: Promise<unknown> }>();
  readonly #facts = new Map<string, Promise<unknown>>();

  /** Outdates what a write may have changed. */
  forget({ action }: Pick<Operation, "action">): void {
    this.#writes++;
    const outdated = outdatedBy[action];
    if (outdated) for (const one of outdated) this.#some.set(one, this.#writes);
    else this.#everything = this.#writes;
  }

  /** The number of the last write that may have changed the answers of these operations. An answer to a call that began before it is outdated. */
  generationOf(asking: Asking): number {
    return Math.max(this.#everything, ...asking.map(({ action }) => this.#some.get(action) ?? 0));
  }

  /** One call for all who ask with the same key, until its answer is older than `maxAge` milliseconds. A failure is not kept. */
  async share<T>(asking: Asking, key: string, maxAge: number, read: () => Promise<T>): Promise<T> {
    const known = this.known<T>(asking, key, maxAge);
    if (known) return known;
    const answer = read();
    const reading = { generation: this.generationOf(asking), at: performance.now(), answer };
    this.#shared.set(key, reading);
    answer.catch(() => this.#shared.get(key) === reading && this.#shared.delete(key));
    return answer;
  }

  /** What `share` would answer without a call; `undefined` if it would make one. */
  known<T>(asking: Asking, key: string, maxAge: number): Promise<T> | undefined {
    const known = this.#shared.get(key);
    if (known?.generation !== this.generationOf(asking) || performance.now() - known.at > maxAge) return undefined;
    // A key always stands for the same question.
    return known.answer as Promise<T>;
  }

  /** For what never changes: one call for all. A failure is not kept. */
  async remember<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#facts.get(key);
    if (known) return known as Promise<T>;
    const answer = read();
    this.#facts.set(key, answer);
    answer.catch(() => this.#facts.delete(key));
    return answer;
  }
}
