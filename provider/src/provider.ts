import { type CustomResourceOptions, type Input, output, ProviderResource } from "@pulumi/pulumi";
import { namespace } from "./configuration.ts";

export interface ProviderArgs {
  /** How the platform is reached: `local`, `local:<file>`, the address of one, such as `https://platform.example`, or `cli:<program>`. */
  endpoint?: Input<string>;
  /** The region, such as `eu-frankfurt`. */
  region?: Input<string>;
  /** A profile of `~/.container-platform/credentials.yaml`. Credentials for an address are taken from there, or from the environment. */
  profile?: Input<string>;
  /** Tags for everything that can have them, under those that the resource itself has. */
  defaultTags?: Input<Record<string, Input<string>>>;
}

/**
 * A platform, region or account of its own for some resources of a program. What it leaves out is not taken from the stack's
 * configuration; environment variables win over both.
 *
 * @example
 * const singapore = new Provider("singapore", { endpoint: "local", region: "ap-singapore" });
 * const vpc = new Vpc("second", { cidrBlock: "10.1.0.0/16" }, { provider: singapore });
 */
export class Provider extends ProviderResource {
  constructor(name: string, { endpoint, region, profile, defaultTags }: ProviderArgs, opts?: CustomResourceOptions) {
    const tags = defaultTags === undefined ? undefined : output(defaultTags).apply((given) => JSON.stringify(given));
    const inputs = Object.entries({ endpoint, region, profile, defaultTags: tags }).filter(([, value]) => value !== undefined);
    super("pulumi-nodejs", name, Object.fromEntries(inputs.map(([key, value]) => [`${namespace}:${key}`, value])), opts);
  }
}
