import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { isMap } from "yaml";
import { z } from "zod";
import { parsedProfiles } from "../config/profile-document.ts";
import { profileNamed, type ProfileSetting, profileSettings, profilesFile, readProfiles } from "../config/profiles.ts";
import { isObject } from "../operation/codec.ts";
import { ConfigurationError } from "../operation/errors.ts";
import { refuseEndpoint } from "../transport/connect.ts";
import { commandOf, groupOf, guess, type Options } from "./command.ts";
import { print, tell, UsageError } from "./run.ts";

const profileOption = {
  profile: { value: "NAME", summary: "Profile. Default: CONTAINER_PLATFORM_PROFILE, or else default." },
} as const satisfies Options;

const aboutSettings = `Settings:
  endpoint           Platform to call: local, local:<file>, an http:// or https:// address, or for programs cli:<program>.
  region             Region of calls, such as eu-frankfurt.
  secretId           ID of the access key that signs calls.
  secretKey          Secret of the access key. Never on the command line.
  token              Token of a temporary access key. Never on the command line.
  credentialProcess  Command that prints an access key as JSON, in place of the three above.
`;

const ofSettings = { choices: [profileSettings], options: profileOption, more: aboutSettings } as const;

/** Settings that must not be on a command line, which other users can read. */
const secrets: readonly ProfileSetting[] = ["secretKey", "token"];

/** @throws UsageError for an unknown setting. */
function settingNamed(name: string): ProfileSetting {
  const known = profileSettings.find((setting) => setting === name);
  if (known) return known;
  throw new UsageError(`there is no setting ${name}; there are ${profileSettings.join(", ")}`, guess(name, profileSettings));
}

/** A secret as it is shown: of a long one the end, to recognise it by. */
function masked(secret: string): string {
  return `${"*".repeat(16)}${secret.length >= 20 ? secret.slice(-4) : ""}`;
}

/** A function that reads secrets: typed at a terminal without an echo, or piped in with a line for each. It throws a UsageError if there is none. */
function secretInput(): (name: string) => Promise<string> {
  let lines: string[] | undefined;
  return async (name) => {
    if (!process.stdin.isTTY) lines ??= (await text(process.stdin)).split("\n");
    const secret = (lines ? (lines.shift() ?? "") : await typed(name)).trim();
    if (secret !== "") return secret;
    throw new UsageError(
      `there is no ${name} on standard input`,
      `Pipe it in, a line for each secret, or type it at a terminal: \`cpcli configure set ${name}\`.`,
    );
  };
}

async function typed(name: string): Promise<string> {
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  // From here on the terminal does not echo what is typed.
  tell(`${name} (not shown): `);
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  // In this mode, Control-C arrives as a key.
  lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return await Promise.race([lines.question(""), ended]);
  } finally {
    lines.close();
    tell("\n");
  }
}

const setting = {
  name: "configure set",
  words: ["<setting>", "[<value>]..."],
  ...ofSettings,
  more: `${aboutSettings}
Type a secret at the prompt, or pipe the secret in: cpcli configure set secretId AKID1 secretKey < file
`,
} as const;

/** `cpcli configure set endpoint local region eu-frankfurt`. */
const runSet = commandOf(setting, async ({ words, given }, session) => {
  const profile = profileNamed(given.profile);
  const readSecret = secretInput();
  const changes = new Map<ProfileSetting, string>();
  for (const [name, value] of pairsIn(words)) changes.set(name, value ?? (await readSecret(name)));
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

const unsetting = { name: "configure unset", words: ["<setting>", "[<setting>]..."], ...ofSettings } as const;

/** `cpcli configure unset token`. */
const runUnset = commandOf(unsetting, async ({ words, given }, session) => {
  const profile = profileNamed(given.profile);
  const changes = new Map(words.map((name) => [settingNamed(name), undefined]));
  await changeProfile(profile, changes);
  session.say(`${[...changes.keys()].join(", ")} taken out of the profile ${profile} of ${profilesFile()}`);
});

const getting = { name: "configure get", words: ["<setting>"], ...ofSettings } as const;

/** `cpcli configure get region`: the value alone, for scripts. Only the end of a secret is printed. */
const runGet = commandOf(getting, async ({ words: [name = ""], given }) => {
  const profile = profileNamed(given.profile);
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

const runList = commandOf(listing, async ({ given }) => {
  const all = await readProfiles();
  const names = given.profile === undefined ? Object.keys(all) : [given.profile];
  if (names.length === 0)
    throw new ConfigurationError(`there are no profiles in ${profilesFile()}: \`cpcli configure set\` makes the first`);
  for (const name of names) {
    const lines = [...settingsIn(name, all)].map(([setting, value]) => `  ${setting.padEnd(18)} ${value}\n`);
    print(`${name}\n${lines.join("")}`);
  }
});

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

const importing = {
  name: "configure import",
  options: {
    from: { value: "NAME", summary: "Profile of tccli to import. Default: default." },
    ...profileOption,
  },
  more: "Reads ~/.tccli/<NAME>.credential and ~/.tccli/<NAME>.configure, and does not change them.\n",
} as const;

const someText = z.string().nullish();
const credentialForm = z.object({ secretId: someText, secretKey: someText, token: someText, type: someText, "role-arn": someText });
const configureForm = z.object({ _sys_param: z.object({ region: someText }).optional(), region: someText }).catchall(z.unknown());

/** `cpcli configure import`: region and keys of the public API's client. */
const runImport = commandOf(importing, async ({ given }, session) => {
  const { from = "default" } = given;
  const profile = profileNamed(given.profile);
  const changes = new Map<ProfileSetting, string | undefined>(foundIn(from));
  // A new key without a token must not keep the token of the old one.
  if (changes.has("secretId") && !changes.has("token")) changes.set("token", undefined);
  await changeProfile(profile, changes);
  const taken = [...changes].flatMap(([name, value]) => (value === undefined ? [] : [name]));
  session.say(`${taken.join(", ")} of tccli's profile ${from} set in the profile ${profile} of ${profilesFile()}`);
  session.say(
    `tccli has an endpoint for each product, which is not taken over: \`cpcli configure set endpoint\` sets the one of this profile`,
  );
});

function foundIn(name: string): (readonly [ProfileSetting, string])[] {
  const [keys, settings] = [fileOf(name, "credential"), fileOf(name, "configure")];
  if (!fs.existsSync(keys) && !fs.existsSync(settings)) throw new ConfigurationError(`there is neither ${keys} nor ${settings}`);
  const { secretId, secretKey, token, type, "role-arn": role } = contentOf(keys, credentialForm);
  const { _sys_param: shared, region } = contentOf(settings, configureForm);
  if (role || type === "cvm-role")
    throw new ConfigurationError(
      `the profile ${name} of tccli assumes a role: the endpoint public does so with that file as it is, any other needs a credentialProcess`,
    );
  const found = [
    ["region", shared?.region ?? region],
    ["secretId", secretId],
    ["secretKey", secretKey],
    ["token", token],
  ] as const;
  const present = found.flatMap(([setting, value]) => (value ? [[setting, value] as const] : []));
  if (present.length === 0) throw new ConfigurationError(`the profile ${name} of tccli has no region and no keys`);
  return present;
}

function fileOf(name: string, kind: string): string {
  return join(homedir(), ".tccli", `${name}.${kind}`);
}

/** The content of a file of tccli. The error does not show its values. */
function contentOf<Form extends z.ZodObject>(file: string, form: Form): z.output<Form> {
  try {
    return form.parse(fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {});
  } catch {
    throw new ConfigurationError(`${file} is not a file of tccli: it has to be JSON, with texts for keys and region`);
  }
}

/** `cpcli configure`: endpoints, regions and keys by the names of profiles. */
export const runConfigure = groupOf("configure", {
  set: ["Sets values of a profile.", runSet],
  unset: ["Removes values from a profile.", runUnset],
  get: ["Prints one value of a profile.", runGet],
  list: ["Prints the profiles.", runList],
  import: ["Imports a profile of the client tccli.", runImport],
});

/** The new values of settings; `undefined` removes one. */
type Changes = ReadonlyMap<ProfileSetting, string | undefined>;

/** Milliseconds after which a writer is taken for dead. */
const abandoned = 10_000;

/**
 * Changes a profile. Everything else in the file stays, comments included. The file is replaced at once. Several processes change it
 * one after the other.
 *
 * @throws ConfigurationError if the file is no list of profiles. It then stays as it is.
 */
async function changeProfile(name: string, changes: Changes, file = profilesFile()): Promise<void> {
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  fs.chmodSync(dirname(file), 0o700);
  // A link stays one.
  const real = fs.existsSync(file) ? fs.realpathSync(file) : file;
  // The new file is also the lock: only one process can create it. While it exists, this process waits for nothing.
  const next = `${real}.lock`;
  const descriptor = await made(next);
  try {
    fs.writeFileSync(descriptor, changed(fs.existsSync(real) ? fs.readFileSync(real, "utf8") : "", { name, changes, file }));
    fs.fsyncSync(descriptor);
    fs.renameSync(next, real);
  } catch (error) {
    fs.rmSync(next, { force: true });
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

function changed(text: string, { name, changes, file }: { name: string; changes: Changes; file: string }): string {
  const document = parsedProfiles(text, file);
  const found: unknown = document.get(name, true);
  const isEmpty = document.get(name) === undefined || document.get(name) === null;
  if (!isEmpty && !isMap(found)) throw new ConfigurationError(`the profile ${name} in ${file} is no list of settings`);
  const set = [...changes].flatMap(([setting, value]) => (value === undefined ? [] : [[setting, value]]));
  if (isEmpty) document.set(name, document.createNode(Object.fromEntries(set)));
  for (const [setting, value] of changes)
    if (value === undefined) document.deleteIn([name, setting]);
    else document.setIn([name, setting], value);
  return document.toString({ lineWidth: 0 });
}

/** Creates a file. Waits as long as it exists. */
async function made(file: string): Promise<number> {
  for (;;) {
    try {
      return fs.openSync(file, "wx", 0o600);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const age = Date.now() - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > abandoned) fs.rmSync(file, { force: true });
    else await sleep(10 + Math.random() * 20);
  }
}
