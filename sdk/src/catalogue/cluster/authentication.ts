import { z } from "zod";
import { operations, spelt, state } from "../../operation/operation.ts";
import { authenticationStates } from "./states.ts";
import { clusterId } from "./structures.ts";

const operation = operations("cluster", "2018-05-25");

const serviceAccounts = z.object({
  useServiceDefault: z.boolean().optional().describe("Whether tokens of service accounts are issued with the platform's default issuer."),
  issuer: z.string().optional().describe("Address of the issuer; the platform's where the default is used."),
  jwksUri: spelt(
    "JWKSURI",
    z.string().optional().describe("Address of the issuer's public keys; the platform's where the default is used."),
  ),
  autoCreateDiscoveryAnonymousAuth: z
    .boolean()
    .optional()
    .describe("Whether a rule is made that lets anonymous users read the issuer's documents; false unless given."),
});

const oidcConfig = z.object({
  autoCreateOidcConfig: spelt(
    "AutoCreateOIDCConfig",
    z.boolean().optional().describe("Whether the OIDC configuration is made automatically."),
  ),
  autoCreateClientId: z.array(z.string()).optional().describe("Client ids that are made automatically."),
  autoInstallPodIdentityWebhookAddon: z
    .boolean()
    .optional()
    .describe("Whether the add-on Pod Identity Webhook is installed automatically."),
});

export const modifyClusterAuthenticationOptions = operation("ModifyClusterAuthenticationOptions", () => ({
  summary:
    "Sets how a cluster issues and checks tokens; what is not given stays. It is `Updating` at first; the task `modify_authentication_options` says why it `Failed`.",
  input: {
    clusterId,
    serviceAccounts: serviceAccounts.optional().describe("Issuer of service accounts' tokens."),
    oidcConfig: spelt("OIDCConfig", oidcConfig.optional().describe("OIDC; an empty object: not configured.")),
  },
  output: {},
  errors: ["InvalidParameter.Param", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
  effect: "write",
  repeatable: true,
  source: "specification",
}));

export const describeClusterAuthenticationOptions = operation("DescribeClusterAuthenticationOptions", () => ({
  summary: "Tells how a cluster issues and checks tokens, and what became of the latest change.",
  input: { clusterId },
  output: {
    serviceAccounts: serviceAccounts.describe("Issuer of service accounts' tokens."),
    oidcConfig: spelt("OIDCConfig", oidcConfig.describe("OIDC; an empty object: not configured.")),
    latestOperationState: state(authenticationStates)
      .optional()
      .describe("What became of the latest change; absent while there was none. A change that failed had no effect."),
  },
  errors: ["ResourceNotFound"],
  effect: "read",
  source: "specification",
}));
