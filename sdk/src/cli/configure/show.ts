import { ConfigurationError } from "../../operation/errors.ts";
import { profilesFile, profileSettings, readProfiles } from "../../config/profiles.ts";
import { isObject } from "../../operation/codec.ts";
import { print } from "../output/print.ts";
import { commandOf } from "../command/usage.ts";
import { aboutSettings, masked, profileFrom, profileOption, settingNamed } from "./settings.ts";

const getting = {
  name: "configure get",
  words: ["<setting>"],
  choices: [profileSettings],
  options: profileOption,
  more: aboutSettings,
} as const;

/** `cpcli configure get region`: the value alone, for scripts. Only the end of a secret is printed. */
export const runGet = commandOf(getting, async ({ words: [name = ""], given }) => {
  const profile = profileFrom(given);
  const setting = settingNamed(name);
  const value = settingsIn(profile, await readProfiles()).get(setting);
  if (value === undefined)
    throw new ConfigurationError(
      `the profile ${profile} in ${profilesFile()} has no ${setting}: \`cpcli configure set ${setting}\` gives it one`,
    );
  print(`${value}\n`);
});

const listing = {
  name: "configure list",
  options: { profile: { value: "NAME", summary: "Profile to print. Default: all profiles." } },
} as const;

/** `cpcli configure list`. */
export const runList = commandOf(listing, async ({ given }) => {
  const all = await readProfiles();
  const names = given.profile === undefined ? Object.keys(all) : [given.profile];
  if (names.length === 0)
    throw new ConfigurationError(`there are no profiles in ${profilesFile()}: \`cpcli configure set\` makes the first`);
  for (const name of names) print(`${name}\n${linesOf(settingsIn(name, all))}`);
});

function linesOf(settings: ReadonlyMap<string, string>): string {
  return [...settings].map(([name, value]) => `  ${name.padEnd(18)} ${value}\n`).join("");
}

/** The settings of a profile, masked where they may be secret. A setting that this version does not know may be secret. */
function settingsIn(profile: string, all: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const found = Object.hasOwn(all, profile) ? all[profile] : undefined;
  if (found === undefined)
    throw new ConfigurationError(`there is no profile ${profile} in ${profilesFile()}; there are ${Object.keys(all).join(", ") || "none"}`);
  if (found !== null && !isObject(found))
    throw new ConfigurationError(`the profile ${profile} in ${profilesFile()} is no list of settings`);
  return new Map(Object.entries(found ?? {}).map(([name, value]) => [name, shown(name, value)]));
}

/** Settings that are no secrets. */
const plain = new Set(["endpoint", "region", "secretId", "credentialProcess"]);

function shown(name: string, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return plain.has(name) ? text : masked(text);
}
