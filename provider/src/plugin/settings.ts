import { InputError } from "@container-platform/sdk";
import { inputError, messageOf, render } from "../definition/codes.ts";
import { configurationFrom, type ProviderOwn, settings } from "../runtime/configuration.ts";
import { asSecret } from "../schema/secrets.ts";
import { holdsUnknown, type Props } from "../schema/values.ts";

/** What the engine adds to them, and `TestStack`, which says the same in the environment. */
const ofOthers: readonly string[] = ["version", "pluginDownloadURL", "pluginChecksums", "parameterization", "confined"];

function ownSettings(props: Props): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => !ofOthers.includes(key) && !key.startsWith("__")));
}

/** Why the provider cannot be configured with these, one sentence each. What is not known yet is not looked at. */
export async function refusedSettings(name: string, props: Props): Promise<readonly string[]> {
  const own = ownSettings(props);
  const strange = Object.keys(own).filter((key) => !Object.hasOwn(settings, key));
  if (strange.length > 0)
    return strange.map((key) =>
      render(inputError(key, `there is no such setting; there are ${Object.keys(settings).join(", ")}`, "Configuration")),
    );
  if (holdsUnknown(own)) return [];
  try {
    await configurationFrom(settingsReader(name, own));
    return [];
  } catch (error) {
    if (error instanceof InputError) return [messageOf(error)];
    throw error;
  }
}

/** Settings to return, in which credentials are secrets. */
export function settingsToReturn(props: Props): Props {
  const secret = (key: string) => Object.entries(settings).some(([name, about]) => name === key && "secret" in about);
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, secret(key) ? asSecret(value) : value]));
}

/**
 * The settings as texts, which `configurationFrom` reads. What a provider of the program is given wins over the environment; the one that
 * the engine makes by default has the stack's configuration.
 *
 * @param name the provider's name in the program
 */
export function settingsReader(name: string, props: Props): (key: string) => string | undefined {
  const own = ownSettings(props);
  const given = Object.keys(own).filter((key) => own[key] !== undefined);
  const provider: ProviderOwn = { name, given };
  return (key) => {
    // The engine calls its own provider `default`, or with its version `default_1_2_3`. One of the program that is called so looks the same.
    if (key === "provider") return /^default(_\d+_\d+_\d+(_|$)|$)/.test(name) ? undefined : JSON.stringify(provider);
    const value = own[key];
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  };
}
