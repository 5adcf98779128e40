import type { Product } from "../../operation/operation.ts";
import type { Difference, Differences } from "../rule.ts";
import { codes } from "./codes.ts";
import { emptyValues } from "./empty-values.ts";
import { words } from "./words.ts";

const nothing = () => Promise.resolve<readonly Difference[]>([]);

const byProduct: Readonly<Record<Product, () => Promise<readonly Difference[]>>> = {
  audit: () => import("./audit.ts").then(({ auditDifferences }) => auditDifferences),
  cluster: () =>
    Promise.all([
      import("./cluster.ts").then(({ controlPlaneDifferences }) => controlPlaneDifferences),
      import("./nodes.ts").then(({ nodeDifferences }) => nodeDifferences),
    ]).then((parts) => parts.flat()),
  compute: nothing,
  disk: nothing,
  identity: nothing,
  registry: () => import("./registry.ts").then(({ registryDifferences }) => registryDifferences),
  tag: () => import("./tag.ts").then(({ tagDifferences }) => tagDifferences),
  vpc: () => import("./vpc.ts").then(({ vpcDifferences }) => vpcDifferences),
};

/** How the operations of the public API differ from the catalogue's. All others are the same. */
export const publicDifferences: Differences = { of: (product) => byProduct[product](), codes, words, emptyValues };
