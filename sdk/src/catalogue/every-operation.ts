import * as audit from "./audit.ts";
import * as cluster from "./cluster.ts";
import * as compute from "./compute.ts";
import * as disk from "./disk.ts";
import * as identity from "./identity.ts";
import * as publicForm from "./public-form.ts";
import * as registry from "./registry.ts";
import * as tag from "./tag.ts";
import * as vpc from "./vpc.ts";
import type { Operation } from "../operation/operation.ts";
import { inOrder, operationsIn } from "../operation/versions.ts";

/** Every operation of the platform, sorted by product, action and version. */
export const catalogue: readonly Operation[] = [audit, cluster, compute, disk, identity, registry, tag, vpc].flatMap((product) =>
  inOrder(operationsIn(product)),
);

/** The operations that only the public API's form has, in the same order. */
export const publicFormCatalogue: readonly Operation[] = inOrder(operationsIn(publicForm));
