import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type CredentialSource, renewed } from "../../config/credential-source.ts";
import type { CredentialPlace } from "../../config/credentials.ts";
import { ConfigurationError, PlatformError } from "../../operation/errors.ts";
import { publicDomain } from "../../wire-format/wire-format.ts";
import { type Environment, environmentPlace, hasKeys, keysInEnvironment, keysInFile, keySource, textIfThere, textOf } from "./keys.ts";
import { assumed, metadataAddress, ofInstance, podIdentity, type Role, roleIn } from "./roles.ts";

const text = z.string().nullish();
const form = z.object({
  secretId: text,
  secretKey: text,
  token: text,
  "role-arn": text,
  "role-session-name": text,
  "use-cvm-role": z.union([z.boolean(), z.string()]).nullish(),
  type: text,
  expiresAt: z.number().nullish(),
});

/** A profile of the vendor's command-line client: keys, a log-in in the browser, a role, or the role of the instance. */
function clientProfile(
  profile: string,
  home: string,
  instance: CredentialSource,
  roleOf: (role: Role, signer: CredentialSource) => CredentialSource,
): CredentialPlace {
  const file = join(home, ".tccli", `${profile}.credential`);
  const name = `the file ${file}`;
  return {
    name,
    look: () => {
      const written = textIfThere(file);
      if (written === undefined) return Promise.resolve({ lacks: "there is none" });
      const content = contentOf(file, written);
      const isOfInstance = content.type === "cvm-role" || [true, "true", "True"].includes(content["use-cvm-role"] ?? false);
      if (isOfInstance) return Promise.resolve({ source: instance });
      const keys = keysIn(content, file);
      if (!keys) return Promise.resolve({ lacks: "it has no secretId and secretKey" });
      const arn = content["role-arn"];
      const role = arn ? { arn, session: content["role-session-name"] ?? undefined } : undefined;
      return Promise.resolve({ source: role ? roleOf(role, keys) : keys });
    },
  };
}

type Content = z.output<typeof form>;

/** Keys of a log-in in the browser have an end. That client renews them in its file, which is read again then. */
function keysIn(content: Content, file: string): CredentialSource | undefined {
  const keys = sourceIn(content, file);
  if (!keys || typeof content.expiresAt !== "number") return keys;
  return renewed(async () => {
    const now = contentOf(file, textOf(file));
    const end = (now.expiresAt ?? 0) * 1000;
    const source = sourceIn(now, file);
    if (!source || end <= Date.now())
      throw new ConfigurationError(
        `the log-in of the file ${file} has expired: log in again with \`tccli ${now.type === "sso" ? "sso" : "auth"} login\``,
      );
    return { credentials: await source(), renewal: end - 60_000, end };
  });
}

function sourceIn({ secretId, secretKey, token }: Content, file: string): CredentialSource | undefined {
  return keySource({ secretId: secretId ?? undefined, secretKey: secretKey ?? undefined, token: token ?? undefined }, `the file ${file}`);
}

/** The content of the file. The error does not show its values. */
function contentOf(file: string, written: string): Content {
  try {
    return form.parse(JSON.parse(written));
  } catch {
    throw new ConfigurationError(`${file} is not a file of tccli: it has to be JSON, with texts for keys`);
  }
}

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
  const roleOf = (own: Role, signer: CredentialSource) => (role ? signer : assumed(own, signer, sts));
  const places = [
    keysInEnvironment(environment),
    keysInFile(environment, home, shared),
    clientProfile(environment["TCCLI_PROFILE"] || "default", home, instance, roleOf),
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
