import { AsyncLocalStorage } from "node:async_hooks";
import { type Alias, CustomResource, type CustomResourceOptions } from "@pulumi/pulumi";
import type { Kind } from "../../definition/definition.ts";
import { knownValue } from "../../dynamic/known.ts";
import { keepAnswersOutOfLogs } from "../../dynamic/patches/debug-log.ts";
import { leaveOutSourcePositions, leaveOutTracesOfPromises } from "../../dynamic/patches/stack-traces.ts";
import { optionsOf, protectAlone, withUnset } from "../../dynamic/resource-options.ts";
import { typeToken } from "../../dynamic/stub.ts";
import { nativeToken } from "../../runtime/tokens.ts";
import type { Props } from "../../schema/values.ts";
import type { Progress } from "../construct-requests.ts";

leaveOutTracesOfPromises();
leaveOutSourcePositions();
keepAnswersOutOfLogs();

/** The component that is being made: its children tell it when they are there. */
export const underWay = new AsyncLocalStorage<Progress>();

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
      const options = optionsOf(kind, args, opts);
      super(nativeToken(kind.type), name, withUnset(kind, args), { ...options, aliases: aliasesOf(kind, opts) });
      protectAlone(this, kind, args, opts);
      underWay.getStore()?.begin(`${kind.type} "${name}"`, knownValue(this.id));
    }
  };
}

/** The aliases of a child, also as a dynamic resource. */
function aliasesOf(kind: Kind, { aliases = [] }: CustomResourceOptions): NonNullable<CustomResourceOptions["aliases"]> {
  const type = typeToken(kind.type);
  const asDynamic = aliases.flatMap((alias): Alias[] => (isAlias(alias) && alias.type === undefined ? [{ ...alias, type }] : []));
  return [{ type }, ...aliases, ...asDynamic];
}

/** Other aliases are URNs. */
function isAlias(alias: unknown): alias is Alias {
  return typeof alias === "object" && alias !== null && !("apply" in alias) && !(alias instanceof Promise);
}
