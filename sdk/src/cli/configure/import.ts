import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { ConfigurationError } from "../../operation/errors.ts";
import { profilesFile, type ProfileSetting } from "../../config/profiles.ts";
import { commandOf } from "../command/usage.ts";
import { profileFrom, profileOption } from "./settings.ts";
import { changeProfile } from "./store.ts";

const importing = {
  name: "configure import",
  options: {
    from: { value: "NAME", summary: "Profile of tccli to import. Default: default." },
    ...profileOption,
  },
  more: "Reads ~/.tccli/<NAME>.credential and ~/.tccli/<NAME>.configure, and does not change them.\n",
} as const;

const text = z.string().nullish();
const credentialForm = z.object({ secretId: text, secretKey: text, token: text, type: text, "role-arn": text });
const configureForm = z.object({ _sys_param: z.object({ region: text }).optional(), region: text }).catchall(z.unknown());

/** `cpcli configure import`: region and keys of the public API's client. */
export const runImport = commandOf(importing, async ({ given }, session) => {
  const { from = "default" } = given;
  const profile = profileFrom(given);
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
  if (!existsSync(keys) && !existsSync(settings)) throw new ConfigurationError(`there is neither ${keys} nor ${settings}`);
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
    return form.parse(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
  } catch {
    throw new ConfigurationError(`${file} is not a file of tccli: it has to be JSON, with texts for keys and region`);
  }
}
