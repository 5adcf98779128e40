import type { Product } from "../operation/operation.ts";
import { publicDifferences } from "./public/differences.ts";
import { services } from "./public/services.ts";
import { Translator } from "./translator.ts";

/** How calls are written on the wire, as data: their signature, the names of their headers, and those of their fields. */
export interface WireFormat {
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
  /** What the header `…content-sha256` says of a call whose signature leaves its body out; it is signed in place of the body. */
  readonly unsignedBody?: string;
  /** Headers that a client sends besides, by name in lower case. */
  readonly extra: Readonly<Record<string, string>>;
  /** Whether a call has to name the version of its action. */
  readonly versionRequired: boolean;
  /** How calls and answers get the catalogue's form; `undefined`: they have it. */
  readonly translator: Translator | undefined;
}

const always = ["content-type", "host"];

/** The specification's neutral names. The signature covers all headers that identify a call. */
export const neutral: WireFormat = {
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
  extra: {},
  versionRequired: false,
  translator: undefined,
};

/** The public API's form. Its clients sign only the headers that they have to. */
export const publicApi: WireFormat = {
  algorithm: "TC3-HMAC-SHA256",
  headers: "x-tc-",
  secret: "TC3",
  scope: "tc3_request",
  services,
  covered: always,
  unsignedBody: "UNSIGNED-PAYLOAD",
  extra: { "x-tc-language": "en-US" },
  versionRequired: true,
  translator: new Translator(publicDifferences),
};

/** The public API's own domain. */
export const publicDomain = "tencentcloudapi.com";

/** The address of each product in a domain of the public API: its own one, unless another is given. It is the same for all regions. */
export function addressesIn(domain = publicDomain) {
  return (product: Product): URL => new URL(`https://${publicApi.services[product]}.${domain}`);
}

/** Whether a domain is the public API's own one, or below it. */
export function isOwnDomain(domain = publicDomain): boolean {
  return `.${domain.toLowerCase()}`.endsWith(`.${publicDomain}`);
}
