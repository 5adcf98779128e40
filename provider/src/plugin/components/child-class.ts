import { type Alias, CustomResource, type CustomResourceOptions } from "@pulumi/pulumi";
import type { Kind } from "../../definition/definition.ts";
import { knownValue } from "../../dynamic/known.ts";
import { protectedByInput, inheritedProtection } from "../../dynamic/protected-by-input.ts";
import { keepAnswersOutOfLogs } from "../../dynamic/patches/debug-log.ts";
import { leaveOutPromiseTraces, leaveOutSourcePositions } from "../../dynamic/patches/traces.ts";
import { typeToken } from "../../dynamic/stub.ts";
import { nativeToken } from "../../runtime/tokens.ts";
import { secretsOf } from "../../schema/secrets.ts";
import type { Props } from "../../schema/values.ts";
import { underWay } from "./under-way.ts";

leaveOutPromiseTraces();
leaveOutSourcePositions();
keepAnswersOutOfLogs();

/** The class of a kind of resource, with the types of its properties erased. */
interface ChildClass {
  readonly kind: Kind;
  new (name: string, args: Props, opts: CustomResourceOptions): CustomResource;
}

/**
 * In the plugin, this takes the place of `dynamic/constructor.ts` for the children of components: they are resources of the plugin, and take
 * the place of dynamic ones.
 */
export function classOf(kind: Kind): ChildClass {
  return class extends CustomResource {
    static readonly kind = kind;
    constructor(name: string, args: Props, opts: CustomResourceOptions) {
      const isGuarded = protectedByInput(kind, args, opts);
      super(nativeToken(kind.type), name, { ...unset(kind), ...args }, optionsOf(kind, isGuarded ? { ...opts, protect: true } : opts));
      if (isGuarded) Object.assign(this, { __protect: inheritedProtection(opts) });
      underWay.getStore()?.begin(`${kind.type} "${name}"`, knownValue(this.id));
    }
  };
}

/** Pulumi makes an Output of each property that is named: also of the inputs that the component leaves out. */
function unset({ inputs, outputs }: Kind): Props {
  return Object.fromEntries([inputs, outputs].flatMap(({ shape }) => Object.keys(shape)).map((key) => [key, undefined]));
}

function optionsOf(kind: Kind, opts: CustomResourceOptions): CustomResourceOptions {
  const type = typeToken(kind.type);
  const { aliases = [], additionalSecretOutputs = [] } = opts;
  const asDynamic = aliases.flatMap((alias): Alias[] => (isAlias(alias) && alias.type === undefined ? [{ ...alias, type }] : []));
  return {
    ...opts,
    aliases: [{ type }, ...aliases, ...asDynamic],
    additionalSecretOutputs: [...additionalSecretOutputs, ...secretsOf(kind)],
  };
}

/** Other aliases are URNs. */
function isAlias(alias: unknown): alias is Alias {
  return typeof alias === "object" && alias !== null && !("apply" in alias) && !(alias instanceof Promise);
}
