import { type CustomResourceOptions, type Input, output, ProviderResource } from "@pulumi/pulumi";
import { namespace } from "../runtime/configuration.ts";

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

/**
 * Another platform, region or account for some resources of a program. Settings that are left out here are not taken from the stack's
 * configuration. Environment variables win over both.
 *
 * @example
 * const singapore = new Provider("singapore", { endpoint: "local", region: "ap-singapore" });
 * const vpc = new Vpc("second", { cidrBlock: "10.1.0.0/16" }, { provider: singapore });
 */
export class Provider extends ProviderResource {
  constructor(name: string, args: ProviderArgs, opts?: CustomResourceOptions) {
    const { endpoint, region, profile, record } = args;
    // Values that are no texts are passed as JSON.
    const [defaultTags, callsPerSecond] = [asText(args.defaultTags), asText(args.callsPerSecond)];
    const inputs = Object.entries({ endpoint, region, profile, defaultTags, callsPerSecond, record }).filter(
      ([, value]) => value !== undefined,
    );
    super("pulumi-nodejs", name, Object.fromEntries(inputs.map(([key, value]) => [`${namespace}:${key}`, value])), opts);
  }
}

function asText(value: Input<unknown>): Input<string> | undefined {
  return value === undefined ? undefined : output(value).apply((given) => JSON.stringify(given));
}
