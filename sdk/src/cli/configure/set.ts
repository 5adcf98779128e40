import { profilesFile, type ProfileSetting, profileSettings } from "../../config/profiles.ts";
import { refuseEndpoint } from "../../transport/connect.ts";
import { UsageError } from "../run/failures.ts";
import { commandOf } from "../command/usage.ts";
import { SecretInput } from "./secret-input.ts";
import { aboutSettings, profileFrom, profileOption, secrets, settingNamed } from "./settings.ts";
import { changeProfile } from "./store.ts";

const setting = {
  name: "configure set",
  words: ["<setting>", "[<value>]..."],
  choices: [profileSettings],
  options: profileOption,
  more: `${aboutSettings}
Type a secret at the prompt, or pipe the secret in: cpcli configure set secretId AKID1 secretKey < file
`,
} as const;

/** `cpcli configure set endpoint local region eu-frankfurt`. */
export const runSet = commandOf(setting, async ({ words, given }, session) => {
  const profile = profileFrom(given);
  const input = new SecretInput();
  const changes = new Map<ProfileSetting, string>();
  for (const [name, value] of pairsIn(words)) changes.set(name, value ?? (await input.read(name)));
  await changeProfile(profile, changes);
  session.say(`${[...changes.keys()].join(", ")} set in the profile ${profile} of ${profilesFile()}`);
});

/** @throws UsageError for a value that is missing or wrong, and for a secret on the command line. */
function pairsIn(words: readonly string[]): [ProfileSetting, string | undefined][] {
  const pairs: [ProfileSetting, string | undefined][] = [];
  for (let at = 0; at < words.length; at++) {
    const name = settingNamed(words[at] ?? "");
    if (secrets.includes(name)) {
      refuseSecret(name, words[at + 1]);
      pairs.push([name, undefined]);
      continue;
    }
    const value = words[++at];
    if (value === undefined || value === "")
      throw new UsageError(`${name} takes a value`, `\`cpcli configure unset ${name}\` takes it out of the profile.`);
    if (name === "endpoint") refuseEndpoint(value);
    pairs.push([name, value]);
  }
  return pairs;
}

function refuseSecret(name: ProfileSetting, next: string | undefined): void {
  if (next === undefined || profileSettings.some((other) => other === next)) return;
  throw new UsageError(
    `${name} is not given on the command line: others see it in the list of processes, and the shell keeps it`,
    `Leave it out, and type it when you are asked for it, or pipe it in: cpcli configure set ${name} < file. Take what you gave for known.`,
  );
}

const unsetting = {
  name: "configure unset",
  words: ["<setting>", "[<setting>]..."],
  choices: [profileSettings],
  options: profileOption,
  more: aboutSettings,
} as const;

/** `cpcli configure unset token`. */
export const runUnset = commandOf(unsetting, async ({ words, given }, session) => {
  const profile = profileFrom(given);
  const changes = new Map(words.map((name) => [settingNamed(name), undefined]));
  await changeProfile(profile, changes);
  session.say(`${[...changes.keys()].join(", ")} taken out of the profile ${profile} of ${profilesFile()}`);
});
