import { profileNamed, type ProfileSetting, profileSettings } from "../../config/profiles.ts";
import type { Options } from "../command/arguments.ts";
import { UsageError } from "../run/failures.ts";
import { guess } from "../command/suggestions.ts";

export const profileOption = {
  profile: { value: "NAME", summary: "Profile. Default: CONTAINER_PLATFORM_PROFILE, or else default." },
} as const satisfies Options;

/** The help for the settings. */
export const aboutSettings = `Settings:
  endpoint           Platform to call: local, local:<file>, an http:// or https:// address, or for programs cli:<program>.
  region             Region of calls, such as eu-frankfurt.
  secretId           ID of the access key that signs calls.
  secretKey          Secret of the access key. Never on the command line.
  token              Token of a temporary access key. Never on the command line.
  credentialProcess  Command that prints an access key as JSON, in place of the three above.
`;

/** Settings that must not be on a command line, which other users can read. */
export const secrets: readonly ProfileSetting[] = ["secretKey", "token"];

export function profileFrom(given: { readonly profile?: string }): string {
  return profileNamed(given.profile);
}

/** @throws UsageError for an unknown setting. */
export function settingNamed(name: string): ProfileSetting {
  const known = profileSettings.find((setting) => setting === name);
  if (known) return known;
  throw new UsageError(`there is no setting ${name}; there are ${profileSettings.join(", ")}`, guess(name, profileSettings));
}

/** A secret as it is shown: of a long one the end, to recognise it by. */
export function masked(secret: string): string {
  return `${"*".repeat(16)}${secret.length >= 20 ? secret.slice(-4) : ""}`;
}
