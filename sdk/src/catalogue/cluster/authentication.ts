import { z } from "zod";
import { boolean, operations, spelt, state, string, strings } from "../../operation/operation.ts";
import { authenticationStates } from "./states.ts";
import { clusterId } from "./structures.ts";

const { operation } = operations("cluster", "2018-05-25");

export const serviceAccounts = z.object({
  useServiceDefault: boolean("Whether tokens of service accounts are issued with the platform's default issuer.").optional(),
  issuer: string("URL of the issuer; the platform's if the default is used.").optional(),
  jwksUri: spelt("JWKSURI", string("URL of the issuer's public keys; the platform's if the default is used.").optional()),
  autoCreateDiscoveryAnonymousAuth: boolean(
    "Whether anonymous users may read the issuer's discovery documents; false unless given.",
  ).optional(),
});

export const oidcConfig = z.object({
  autoCreateOidcConfig: spelt("AutoCreateOIDCConfig", boolean("Whether the OIDC configuration is created automatically.").optional()),
  autoCreateClientId: strings("Client IDs that are created automatically.").optional(),
  autoInstallPodIdentityWebhookAddon: boolean("Whether the add-on Pod Identity Webhook is installed automatically.").optional(),
});

export const modifyClusterAuthenticationOptions = operation("ModifyClusterAuthenticationOptions", () => ({
  summary:
    "Changes how a cluster issues and checks tokens; options that are not given remain unchanged. The change is `Updating` at first. If it is `Failed`, the task `modify_authentication_options` has the reason.",
  input: {
    clusterId,
    serviceAccounts: serviceAccounts.optional().describe("Issuer of service accounts' tokens."),
    oidcConfig: spelt("OIDCConfig", oidcConfig.optional().describe("OIDC; an empty object: not configured.")),
  },
  errors: ["InvalidParameter.Param", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
  repeatable: true,
}));

export const describeClusterAuthenticationOptions = operation("DescribeClusterAuthenticationOptions", () => ({
  summary: "Returns how a cluster issues and checks tokens, and the state of the latest change.",
  input: { clusterId },
  output: {
    serviceAccounts: serviceAccounts.describe("Issuer of service accounts' tokens."),
    oidcConfig: spelt("OIDCConfig", oidcConfig.describe("OIDC; an empty object: not configured.")),
    latestOperationState: state(authenticationStates)
      .optional()
      .describe("State of the latest change; absent if there was none. A change that failed has no effect."),
  },
  errors: ["ResourceNotFound"],
}));
