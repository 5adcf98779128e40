import { kinds } from "../../provider/src/resources/reviews.ts";

/**
 * A module of classes for the resources and components of the native plugin, as a generated SDK has them: from the schema, with its aliases. The methods
 * are for programs that are written for the dynamic classes.
 */
export const nativeClasses = `
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

export { cidrSubnet } from "@container-platform/sdk";

const { resources } = JSON.parse(readFileSync(${JSON.stringify(new URL("../../plugin/schema.json", import.meta.url).pathname)}, "utf8"));

function invoked(name, args) {
  return pulumi.runtime.invokeOutput("container-platform:index:" + name, args);
}

export function pullSecret({ registry, token, via }) {
  const login = { username: token.username, password: token.password ?? token.token };
  return invoked("pullSecret", { ...login, server: registry.pullServer(via) }).dockerConfigJson;
}

function classOf(type) {
  const token = "container-platform:index:" + type;
  const { properties, aliases } = resources[token];
  const unset = Object.fromEntries(Object.keys(properties).map((key) => [key, undefined]));
  const additionalSecretOutputs = Object.keys(properties).filter((key) => properties[key].secret);
  return class extends pulumi.CustomResource {
    static get(name, id, opts) {
      return new this(name, {}, { ...opts, id });
    }
    constructor(name, args, opts = {}) {
      super(token, name, { ...unset, ...args }, { additionalSecretOutputs, ...opts, aliases: [...aliases, ...(opts.aliases ?? [])] });
    }
    subnetCidrBlock(index) {
      return invoked("subnetCidrBlock", { ipv6CidrBlock: this.ipv6CidrBlock, index }).cidrBlock;
    }
    pullServer(way) {
      const { registryName, publicDomain, publicAccess, internalEndpoint, internalDomains } = this;
      const of = way === "public" ? { publicDomain, publicAccess } : { vpcId: way.vpcId, internalEndpoint, internalDomains };
      return invoked("pullServer", { registryName, ...of }).server;
    }
  };
}

${kinds.map((kind) => `export const ${kind} = classOf("${kind}");`).join("\n")}

function componentOf(type) {
  const token = "container-platform:index:" + type;
  const unset = Object.fromEntries(Object.keys(resources[token].properties).map((key) => [key, undefined]));
  return class extends pulumi.ComponentResource {
    constructor(name, args, opts) {
      super(token, name, { ...unset, ...args }, opts, true);
    }
  };
}

export const Network = componentOf("Network");
export const Platform = componentOf("Platform");

export class Provider extends pulumi.ProviderResource {
  constructor(name, args, opts) {
    super("container-platform", name, args, opts);
  }
}
`;

/** The dynamic classes, for a stack that goes back to them. */
export const classesOfReturn = `
import * as ours from "@container-platform/pulumi";

const returning = (type) =>
  class extends ours[type] {
    constructor(name, args, opts = {}) {
      super(name, args, { ...opts, aliases: [{ type: "container-platform:index:" + type }] });
    }
  };

${kinds.map((kind) => `export const ${kind} = returning("${kind}");`).join("\n")}
export const Provider = ours.Provider;
`;

/** A program of dynamic resources as one of native ones, whose module is in the same folder or above. */
export function natively(program: string, module = "./native.ts"): string {
  return program.replaceAll('"@container-platform/pulumi"', JSON.stringify(module));
}
