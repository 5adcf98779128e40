import type { Behaviour } from "../behaviour.ts";
import { ipv6Behaviours } from "./ipv6.ts";
import { policyBehaviours } from "./policies.ts";
import { routeTableBehaviours } from "./route-tables.ts";
import { securityGroupBehaviours } from "./security-groups.ts";
import { subnetBehaviours } from "./subnets.ts";
import { vpcBehaviours } from "./vpcs.ts";

/** The behaviours of the private-network service. */
export const networkBehaviours: readonly Behaviour[] = [
  ...vpcBehaviours,
  ...ipv6Behaviours,
  ...subnetBehaviours,
  ...routeTableBehaviours,
  ...securityGroupBehaviours,
  ...policyBehaviours,
];
