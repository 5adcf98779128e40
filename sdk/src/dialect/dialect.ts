import type { Product } from "../operation/operation.ts";

/** How calls are signed on the wire, and how their headers are named, as data. */
export interface Dialect {
  /** The beginning of an `Authorization`. */
  readonly algorithm: string;
  /** The prefix of a call's headers, in lower case. */
  readonly headers: string;
  /** The prefix that a secret key gets for signing. */
  readonly secret: string;
  /** The end of a signature's scope. */
  readonly scope: string;
  /** The names of products in a signature's scope. */
  readonly services: Readonly<Record<Product, string>>;
  /** Headers, in lower case, that a signature has to cover if they are sent. */
  readonly covered: readonly string[];
}

const always = ["content-type", "host"];

/** The specification's neutral names. The signature covers all headers that identify a call. */
export const neutral: Dialect = {
  algorithm: "CP3-HMAC-SHA256",
  headers: "x-cp-",
  secret: "CP3",
  scope: "cp3_request",
  services: {
    cluster: "cluster",
    registry: "registry",
    vpc: "vpc",
    compute: "compute",
    disk: "disk",
    audit: "audit",
    tag: "tag",
    identity: "identity",
  },
  covered: [...always, "x-cp-action", "x-cp-version", "x-cp-region", "x-cp-token"],
};

/** The public API's names. Its clients sign only the headers that they have to. */
export const publicApi: Dialect = {
  algorithm: "TC3-HMAC-SHA256",
  headers: "x-tc-",
  secret: "TC3",
  scope: "tc3_request",
  services: {
    cluster: "tke",
    registry: "tcr",
    vpc: "vpc",
    compute: "cvm",
    disk: "cbs",
    audit: "cloudaudit",
    tag: "tag",
    identity: "sts",
  },
  covered: always,
};
