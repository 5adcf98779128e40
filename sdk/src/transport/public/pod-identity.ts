import type { CredentialPlace } from "../../config/credentials.ts";
import { renewed } from "../../config/renewed.ts";
import type { Environment } from "./environment.ts";
import { ConfigurationError } from "../../operation/errors.ts";
import { textIfThere } from "./keys.ts";
import { temporaryFrom } from "./sts.ts";

const names = ["TKE_REGION", "TKE_PROVIDER_ID", "TKE_WEB_IDENTITY_TOKEN_FILE", "TKE_ROLE_ARN"] as const;

/** @throws ConfigurationError if the file is not there, or has nothing in it. */
function tokenIn(file: string): string {
  const token = textIfThere(file)?.trim();
  if (token) return token;
  const lacks = token === undefined ? "does not exist" : "is empty";
  throw new ConfigurationError(`TKE_WEB_IDENTITY_TOKEN_FILE names ${file}, which ${lacks}: correct it, or unset the four variables TKE_…`);
}

/** The identity that a cluster gives a pod: a token in a file, which is exchanged for the credentials of a role. */
export function podIdentity(environment: Environment, address: URL): CredentialPlace {
  return {
    name: "the identity of the pod (TKE_…)",
    look: () => {
      const [region, provider, file, role] = names.map((name) => environment[name]);
      if (!region || !provider || !file || !role) {
        const missing = names.filter((name) => !environment[name]);
        return Promise.resolve({ lacks: `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set` });
      }
      const source = renewed(() => {
        const body = {
          ProviderId: provider,
          // The cluster writes a new token before the old one ends.
          WebIdentityToken: tokenIn(file),
          RoleArn: role,
          RoleSessionName: "container-platform",
        };
        return temporaryFrom({ address, region, action: "AssumeRoleWithWebIdentity", body, signer: undefined });
      });
      return Promise.resolve({ source });
    },
  };
}
