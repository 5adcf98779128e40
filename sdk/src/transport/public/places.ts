import { homedir } from "node:os";
import type { CredentialPlace } from "../../config/credentials.ts";
import type { CredentialSource } from "../../config/credential-source.ts";
import { publicDomain } from "../../dialect/dialect.ts";
import { PlatformError } from "../../operation/errors.ts";
import { clientProfile } from "./client-profile.ts";
import type { Environment } from "./environment.ts";
import { metadataAddress, ofInstance } from "./instance-role.ts";
import { environmentPlace, hasKeys, keysInEnvironment, keysInFile } from "./keys.ts";
import { podIdentity } from "./pod-identity.ts";
import { assumed, type Role, roleIn } from "./role.ts";

/** What is around a process that looks for credentials. */
export interface Surroundings {
  readonly environment: Environment;
  readonly home: string;
  /** The file of credentials for all users of a machine. */
  readonly shared: string;
  /** Where the public API gives temporary credentials. */
  readonly sts: URL;
  /** Where an instance finds its metadata. */
  readonly metadata: URL;
}

/** Where users of the public API have credentials, in the order in which they are looked for. They are for its own hosts alone. */
export function publicPlaces(sts: URL, environment: Environment = process.env): CredentialPlace[] {
  return placesAround({ environment, home: homedir(), shared: "/etc/tencentcloud/credentials", sts, metadata: metadataAddress });
}

/** What says, at an endpoint elsewhere, that keys of the environment are not for it. */
export function unusedPlaces(endpoint: string, environment: Environment = process.env): CredentialPlace[] {
  if (!hasKeys(environment)) return [];
  const lacks =
    `its keys sign calls of ${publicDomain} alone, not of ${endpoint}: ` +
    "set CONTAINER_PLATFORM_SECRET_ID and CONTAINER_PLATFORM_SECRET_KEY if they are meant for it";
  return [{ name: environmentPlace, look: () => Promise.resolve({ lacks }) }];
}

export function placesAround({ environment, home, shared, sts, metadata }: Surroundings): CredentialPlace[] {
  const role = roleIn(environment);
  const instance = ofInstance(metadata);
  const help = {
    ofInstance: instance,
    assumed: (own: Role, signer: CredentialSource) => (role ? signer : assumed(own, signer, sts)),
  };
  const places = [
    keysInEnvironment(environment),
    keysInFile(environment, home, shared),
    clientProfile(environment["TCCLI_PROFILE"] || "default", home, help),
    podIdentity(environment, sts),
    { name: "the role of the instance", look: () => lookedUp(instance) },
  ];
  return role ? places.map((place) => withRole(place, role, sts)) : places;
}

/** Whether there are any is only known once they were asked for. */
async function lookedUp(source: CredentialSource): Promise<{ source: CredentialSource } | { lacks: string }> {
  try {
    await source();
    return { source };
  } catch (error) {
    if (error instanceof PlatformError) return { lacks: error.reason };
    throw error;
  }
}

/** A role of the environment is assumed with whatever is found; it goes before that of a profile. */
function withRole({ name, look }: CredentialPlace, role: Role, sts: URL): CredentialPlace {
  return {
    name: `${name}, with the role ${role.arn}`,
    look: async () => {
      const found = await look();
      return "source" in found ? { source: assumed(role, found.source, sts) } : found;
    },
  };
}
