import { makeNetwork } from "../stage/outside.ts";
import type { Stage } from "../stage/stage.ts";

/** A network for all that lives in one. */
export interface Network {
  readonly vpcId: string;
  readonly subnetIds: readonly [string, string, string];
  /** A cluster whose pods have addresses of subnets: any number fits into the network. */
  readonly pods: { readonly vpcId: string; readonly subnetId: string; readonly eniSubnetIds: readonly string[] };
  /** A cluster whose pods have a range of their own, by its second number. */
  readonly ranged: (second: number) => { readonly vpcId: string; readonly subnetId: string; readonly clusterCidr: string };
}

export async function networkOf(stage: Stage): Promise<Network> {
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const [subnetId, second] = subnetIds;
  return {
    vpcId,
    subnetIds,
    pods: { vpcId, subnetId, eniSubnetIds: [subnetId, second] },
    ranged: (number) => ({ vpcId, subnetId, clusterCidr: `172.${number}.0.0/16` }),
  };
}
