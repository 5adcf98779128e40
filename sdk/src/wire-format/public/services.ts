import type { Product } from "../../operation/operation.ts";

/** The names of products there. */
export const services = {
  cluster: "tke",
  registry: "tcr",
  vpc: "vpc",
  compute: "cvm",
  disk: "cbs",
  audit: "cloudaudit",
  tag: "tag",
  identity: "sts",
} as const satisfies Readonly<Record<Product, string>>;

/** Those that have another name here, with both. */
export const renamedServices = Object.entries(services).filter(([here, there]) => here !== there);
