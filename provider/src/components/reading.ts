import type { Cloud } from "@container-platform/sdk";
import { type ComponentResource, type Output, output, type ProviderResource } from "@pulumi/pulumi";
import { connected } from "../functions/cloud.ts";
import { configurationFrom, namespace, openConnection } from "../runtime/configuration.ts";
import { typeToken } from "../pulumi/stub.ts";

const opened = new Map<string, Promise<Cloud>>();

/**
 * What a component reads from the platform while the program runs: through the provider that it was given, else as the stack is
 * configured. Unknown in a preview if the provider is made of what is not known yet.
 */
export function reading<T>(component: ComponentResource, read: (cloud: Cloud) => Promise<T>): Output<T> {
  const provider = component.getProvider(typeToken("Vpc"));
  const settings = provider && settingsOf(provider);
  return output(settings).apply(async (own) => read(await (own === undefined ? connected() : connection(own))));
}

type Settings = Readonly<Record<string, string>>;

function settingsOf(provider: ProviderResource): Output<Settings> {
  const own = Object.entries(provider).filter(([key]) => key.startsWith(`${namespace}:`));
  return output(Object.fromEntries(own)).apply((all: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : []))),
  );
}

async function connection(settings: Settings): Promise<Cloud> {
  const configuration = await configurationFrom((key) => settings[`${namespace}:${key}`]);
  const key = JSON.stringify(configuration);
  const known = opened.get(key) ?? openConnection(configuration).then(({ cloud }) => cloud);
  opened.set(key, known);
  return known;
}
