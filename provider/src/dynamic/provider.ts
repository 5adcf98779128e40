import { Config, type CustomResourceOptions, type Input, type Output, output, ProviderResource } from "@pulumi/pulumi";
import { misuse, withTimes } from "./options.ts";
import { instead } from "../schema/validate.ts";
import { namespace, type ProviderOwn } from "../runtime/configuration.ts";

export interface ProviderArgs {
  /** How the platform is reached: `local`, `local:<file>`, an address such as `https://platform.example`, or `cli:<program>`. */
  endpoint?: Input<string>;
  /** The region, such as `eu-frankfurt`. */
  region?: Input<string>;
  /** A profile of `~/.container-platform/credentials.yaml`. Credentials for an address are taken from there or from the environment. */
  profile?: Input<string>;
  /** Tags for all resources that take tags. A resource's own tags win over them. */
  defaultTags?: Input<Record<string, Input<string>>>;
  /** How many calls of each product may begin within a second, 1 at least. Default: 15 for an address that is not on this machine, else no limit. */
  callsPerSecond?: Input<number>;
  /** A file that each call is written into, as a line of JSON. Default: none. */
  record?: Input<string>;
}

/** What a `Provider` is configured with, by name; values that are no texts as JSON. */
export type ProviderSettings = Readonly<Record<string, string>>;

/**
 * Another platform, region or account for some resources of a program. What is given here wins over environment variables. Of what is
 * left out, only the endpoint is taken from the stack's configuration, with its credentials.
 *
 * @example
 * const singapore = new Provider("singapore", { endpoint: "local", region: "ap-singapore" });
 * const vpc = new Vpc("second", { cidrBlock: "10.1.0.0/16" }, { provider: singapore });
 */
export class Provider extends ProviderResource {
  readonly #settings: Output<ProviderSettings>;

  constructor(name: string, args: ProviderArgs, opts?: CustomResourceOptions) {
    refuseUnknown(name, args);
    const { endpoint, region, profile, record } = args;
    // Values that are no texts are passed as JSON.
    const [defaultTags, callsPerSecond] = [asText(args.defaultTags), asText(args.callsPerSecond)];
    const given = present({ endpoint, region, profile, defaultTags, callsPerSecond, record });
    const own: ProviderOwn = { name, given: Object.keys(given) };
    const settings: Readonly<Record<string, Input<string>>> = { ...placeOfStack(args), ...given, provider: JSON.stringify(own) };
    const named = Object.fromEntries(Object.entries(settings).map(([key, value]) => [`${namespace}:${key}`, value]));
    super("pulumi-nodejs", name, named, withTimes(`Provider ${name}`, opts));
    this.#settings = output(settings);
  }

  /** @internal What functions read with; `undefined` for another kind of provider. */
  static settingsOf(provider: unknown): Output<ProviderSettings> | undefined {
    return typeof provider === "object" && provider !== null && #settings in provider ? provider.#settings : undefined;
  }
}

const known: Readonly<Record<keyof ProviderArgs, true>> = {
  endpoint: true,
  region: true,
  profile: true,
  defaultTags: true,
  callsPerSecond: true,
  record: true,
};

/** @throws RunError for what JavaScript lets pass */
function refuseUnknown(name: string, args: unknown): void {
  const given = typeof args === "object" && args !== null ? Object.keys(args) : undefined;
  if (given === undefined) throw misuse(`Provider ${name}`, 'takes its arguments as an object, such as { region: "eu-frankfurt" }');
  const [strange] = given.filter((key) => !Object.hasOwn(known, key));
  if (strange !== undefined) throw misuse(`Provider ${name}`, `has no argument ${strange}; ${instead([strange], Object.keys(known))}`);
}

/** The stack's endpoint and credentials, for a Provider that names no other place. */
function placeOfStack({ endpoint, profile }: ProviderArgs): Readonly<Record<string, Input<string>>> {
  if (endpoint !== undefined || profile !== undefined) return {};
  const stack = new Config(namespace);
  return present({
    endpoint: stack.get("endpoint"),
    profile: stack.get("profile"),
    credentialProcess: stack.get("credentialProcess"),
    secretId: stack.getSecret("secretId"),
    secretKey: stack.getSecret("secretKey"),
    token: stack.getSecret("token"),
  });
}

function present(settings: Readonly<Record<string, Input<string> | undefined>>): Readonly<Record<string, Input<string>>> {
  return Object.fromEntries(Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

function asText(value: Input<unknown>): Input<string> | undefined {
  return value === undefined ? undefined : output(value).apply((given) => JSON.stringify(given));
}
