import type { Behaviour } from "../behaviour.ts";
import { vpcBehaviours } from "./vpcs.ts";
import { securityGroupBehaviours } from "./security-groups.ts";
import { subnetBehaviours } from "./subnets.ts";

/** The behaviours of the private-network service. */
export const networkBehaviours: readonly Behaviour[] = [...vpcBehaviours, ...subnetBehaviours, ...securityGroupBehaviours];
