import { join } from "node:path";
import { z } from "zod";
import type { CredentialPlace } from "../../config/credentials.ts";
import type { CredentialSource } from "../../config/credential-source.ts";
import { renewed } from "../../config/renewed.ts";
import { ConfigurationError } from "../../operation/errors.ts";
import { keySource, textIfThere, textOf } from "./keys.ts";
import type { Role } from "./role.ts";

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

/** What a profile of the vendor's command-line client can need besides its own file. */
export interface ProfileHelp {
  readonly ofInstance: CredentialSource;
  readonly assumed: (role: Role, signer: CredentialSource) => CredentialSource;
}

/** A profile of the vendor's command-line client: keys, a log-in in the browser, a role, or the role of the instance. */
export function clientProfile(profile: string, home: string, help: ProfileHelp): CredentialPlace {
  const file = join(home, ".tccli", `${profile}.credential`);
  const name = `the file ${file}`;
  return {
    name,
    look: () => {
      const written = textIfThere(file);
      if (written === undefined) return Promise.resolve({ lacks: "there is none" });
      const content = contentOf(file, written);
      if (content.type === "cvm-role" || isTrue(content["use-cvm-role"])) return Promise.resolve({ source: help.ofInstance });
      const keys = keysIn(content, file);
      if (!keys) return Promise.resolve({ lacks: "it has no secretId and secretKey" });
      const arn = content["role-arn"];
      const role = arn ? { arn, session: content["role-session-name"] ?? undefined } : undefined;
      return Promise.resolve({ source: role ? help.assumed(role, keys) : keys });
    },
  };
}

function isTrue(value: boolean | string | null | undefined): boolean {
  return value === true || value === "true" || value === "True";
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
