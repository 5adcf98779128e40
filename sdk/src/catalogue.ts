import * as audit from "./catalogue/audit.ts";
import * as cluster from "./catalogue/cluster.ts";
import * as compute from "./catalogue/compute.ts";
import * as identity from "./catalogue/identity.ts";
import * as registry from "./catalogue/registry.ts";
import * as tag from "./catalogue/tag.ts";
import * as vpc from "./catalogue/vpc.ts";
import { inOrder, type Operation, operationsIn } from "./operation.ts";

/** Every operation of the platform, sorted by product, action and version. */
export const catalogue: readonly Operation[] = [audit, cluster, compute, identity, registry, tag, vpc].flatMap((product) =>
  inOrder(operationsIn(product)),
);
