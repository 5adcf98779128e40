import type { Behaviour } from "../behaviour.ts";
import { addressBehaviours } from "./addresses.ts";
import { natGatewayBehaviours } from "./nat-gateways.ts";
import { routeTableBehaviours } from "./route-tables.ts";
import { vpcBehaviours } from "./vpcs.ts";
import { securityGroupBehaviours } from "./security-groups.ts";
import { subnetBehaviours } from "./subnets.ts";

/** The behaviours of the private-network service. */
export const networkBehaviours: readonly Behaviour[] = [
  ...vpcBehaviours,
  ...subnetBehaviours,
  ...routeTableBehaviours,
  ...addressBehaviours,
  ...natGatewayBehaviours,
  ...securityGroupBehaviours,
];
