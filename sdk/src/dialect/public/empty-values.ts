import type { EmptyValues } from "../unset.ts";

/** Which empty values of a call are meant: the catalogue's schemas do not tell a text that may be empty from an id, a name or a kind. */
export const emptyValues: EmptyValues = {
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
