import type { Product } from "../../operation/operation.ts";
import type { Difference, Differences, EmptyValues } from "../rule.ts";
import { renamedServices } from "./services.ts";

/** Which empty values of a call are meant: the catalogue's schemas do not tell a text that may be empty from an id, a name or a kind. */
const emptyValues: EmptyValues = {
  meant: new Set([
    "BriefDescription",
    "ClusterDesc",
    "ClusterDescription",
    "CustomImage",
    "Desc",
    "Description",
    "DestNamespace",
    "DomainName",
    "GroupDescription",
    "HealthCheckPolicyName",
    "HostNamePattern",
    "JWKSURI",
    "Namespace",
    // The specification: an empty one removes the configuration.
    "OIDCConfig",
    "PolicyDescription",
    "PostInit",
    "PreInit",
    "PreStartUserScript",
    "UserData",
    "UserScript",
    "Value",
  ]),
  noZero: new Set([
    "DestinationRegionId",
    "Duration",
    "ExpiresAt",
    "Limit",
    "MaxResults",
    "Page",
    "PageSize",
    "RegionId",
    "ThroughputPerformance",
  ]),
};

/**
 * Words of the platform's messages that are others there: values, permissions and products. Each is found by what stands around it,
 * because a message may have a user's text in it.
 */
const words: readonly (readonly [here: RegExp, there: string])[] = [
  [/(?<=\btakes |, )svc:(?=(?:ns:)?(?:admin|ops|dev|ro)\b)/g, "tke:"],
  [/(?<=\bwhich does not begin with )svc:/g, "tke:"],
  [/^"cp::(?=.*" names no resource;)/, '"qcs::'],
  [/(?<=\bnames are |, )cp::(?=[^, ]*<id>)/g, "qcs::"],
  [/(?<=\bservice account )reg\$/g, "tcr$$"],
  [/(?<=\btakes |, )reg:(?=[A-Z*])/g, "tcr:"],
  [/(?<=\blacks the permission )reg:/g, "tcr:"],
  ...renamedServices.map(([here, there]) => [new RegExp(`(?<=\\blacks the permission )${here}:`, "g"), `${there}:`] as const),
  [/(?<=^filter direction has .*; it takes ALL, )ingress, egress$/g, "INBOUND, OUTBOUND"],
  ...renamedServices.map(([here, there]) => [new RegExp(`^${here}(?= has no )`), there] as const),
];

/** Codes of errors that are others there, by the catalogue's. */
const codes: Readonly<Record<string, string>> = {
  "InvalidParameter.SubnetConflict": "InvalidParameterValue.SubnetConflict",
  "UnsupportedOperation.InvalidRegion": "UnsupportedRegion",
  "UnauthorizedOperation.AccessMgmtNoAuth": "UnauthorizedOperation.CamNoAuth",
};

const byProduct: Readonly<Partial<Record<Product, () => Promise<readonly Difference[]>>>> = {
  audit: () => import("./audit.ts").then(({ auditDifferences }) => auditDifferences),
  cluster: () => import("./cluster.ts").then(({ clusterDifferences }) => clusterDifferences),
  registry: () => import("./registry.ts").then(({ registryDifferences }) => registryDifferences),
  tag: () => import("./tag.ts").then(({ tagDifferences }) => tagDifferences),
  vpc: () => import("./vpc.ts").then(({ vpcDifferences }) => vpcDifferences),
};

/** How the operations of the public API differ from the catalogue's. All others are the same. */
export const publicDifferences: Differences = { of: async (product) => (await byProduct[product]?.()) ?? [], codes, words, emptyValues };
