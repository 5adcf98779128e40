import { type Cloud, InputError } from "@container-platform/sdk";
import { Config, type Output, ProviderResource, Resource } from "@pulumi/pulumi";
import { describeValue } from "../dynamic/describe-value.ts";
import { knownValue } from "../dynamic/known.ts";
import { Provider, type ProviderSettings } from "../dynamic/provider.ts";
import { typeToken } from "../dynamic/stub.ts";
import { isProps } from "../schema/values.ts";
import { configurationFrom, namespace, openConnection } from "../runtime/configuration.ts";

const opened = new Map<string, Promise<Cloud>>();
/** Why there was no client, by what it says. */
const failures = new Map<string, unknown>();

/**
 * The client with which the functions of this folder read the platform while a program runs. It is configured as the resources of a
 * `Provider` are, or else by the environment, the stack's configuration, or a profile. There is one for each configuration, because
 * programs of several stacks may run in one process.
 */
export async function connected(name: string, provider: Output<ProviderSettings> | undefined): Promise<Cloud> {
  try {
    return await connection(name, provider);
  } catch (error) {
    // Pulumi shows an error once, however many have waited in vain, if all of them have the same one.
    const first = failures.get(String(error)) ?? error;
    failures.set(String(error), first);
    throw first;
  }
}

async function connection(name: string, provider: Output<ProviderSettings> | undefined): Promise<Cloud> {
  const stack = new Config(namespace);
  const settings = provider && confined(await known(name, provider), stack);
  const configuration = await configurationFrom((key) => (settings ? settings[key] : stack.get(key)));
  const key = JSON.stringify(configuration);
  const cloud = opened.get(key) ?? openConnection(configuration).then((here) => here.cloud);
  opened.set(key, cloud);
  // After a failure, the next call tries again.
  cloud.catch(() => opened.delete(key));
  return cloud;
}

interface Where {
  readonly provider?: ProviderResource | undefined;
  readonly parent?: Resource | undefined;
}

/** The settings of the `Provider` that a resource with these options would have; `undefined` for those of the stack. */
export function settingsFor(options: Where): Output<ProviderSettings> | undefined {
  refuseOptions(options);
  const provider = options.provider ?? options.parent?.getProvider(typeToken("Vpc"));
  if (provider === undefined) return undefined;
  const settings = Provider.settingsOf(provider);
  if (settings) return settings;
  throw new InputError(
    "the provider is no Provider of this copy of @container-platform/pulumi: pass one that `new Provider(…)` has made, and install the package once",
  );
}

/** What a program in JavaScript may give instead of options. */
function refuseOptions(options: unknown): void {
  if (!isProps(options)) throw new InputError(`takes an object of options, { provider, parent }, not ${describeValue(options)}`);
  const unknown = Object.keys(options).find((key) => key !== "provider" && key !== "parent");
  if (unknown === "dependsOn")
    throw new InputError(
      "there is no option dependsOn: to read once a resource is there, call it in an output of that resource, resource.id.apply(() => …)",
    );
  if (unknown !== undefined) throw new InputError(`there is no option ${unknown}; there are provider and parent`);
  const { provider, parent } = options;
  if (provider !== undefined && !ProviderResource.isInstance(provider))
    throw new InputError(`the option provider takes what \`new Provider(…)\` has made, not ${describeValue(provider)}`);
  if (parent !== undefined && !Resource.isInstance(parent))
    throw new InputError(`the option parent takes a resource or a component, not ${describeValue(parent)}`);
}

/** The settings of a Provider as they are now. */
async function known(name: string, provider: Output<ProviderSettings>): Promise<ProviderSettings> {
  const found = await knownValue(provider);
  if (found) return found;
  throw new InputError(`${name} cannot read yet: the settings of its Provider are known after \`pulumi up\` only; use ${name}Output`);
}

/** A test's stack reaches its own platform only, whatever a `Provider` says. */
function confined(settings: ProviderSettings, stack: Config): ProviderSettings {
  if (stack.get("confined") !== "true") return settings;
  return { ...settings, endpoint: stack.require("endpoint"), record: stack.require("record") };
}
