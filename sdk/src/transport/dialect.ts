import type { Product } from "../operation/operation.ts";

/** How calls are signed and labelled on the wire, as data. */
export interface Dialect {
  /** What an `Authorization` begins with. */
  readonly algorithm: string;
  /** What the names of a call's headers begin with, in lower case. */
  readonly headers: string;
  /** What is put before a secret key. */
  readonly secret: string;
  /** What the scope of a signature ends with. */
  readonly scope: string;
  /** Products as the scope of a signature names them. */
  readonly services: Readonly<Record<Product, string>>;
  /** Headers that a signature has to cover where they are sent, in lower case. */
  readonly covered: readonly string[];
}

const always = ["content-type", "host"];

/** The specification's neutral names. The signature covers everything that says what a call is. */
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
    audit: "audit",
    tag: "tag",
    identity: "identity",
  },
  covered: [...always, "x-cp-action", "x-cp-version", "x-cp-region", "x-cp-token"],
};

/** The public API's names. Its clients sign no more than they have to. */
export const publicApi: Dialect = {
  algorithm: "TC3-HMAC-SHA256",
  headers: "x-tc-",
  secret: "TC3",
  scope: "tc3_request",
  services: { cluster: "tke", registry: "tcr", vpc: "vpc", compute: "cvm", audit: "cloudaudit", tag: "tag", identity: "sts" },
  covered: always,
};
