import type { CustomResource, CustomResourceOptions } from "@pulumi/pulumi";
import type { Kind } from "../definition/definition.ts";
import { secretsOf } from "../schema/secrets.ts";
import type { Props } from "../schema/values.ts";

/** Pulumi makes an Output of each property that is named: also of the inputs that the program leaves out. */
export function withUnset({ inputs, outputs }: Kind, args: Props): Props {
  const keys = [inputs, outputs].flatMap(({ shape }) => Object.keys(shape));
  return { ...Object.fromEntries(keys.map((key) => [key, undefined])), ...args };
}

/** The options of a resource: its secret outputs, and Pulumi's protection of what its program protects on the platform. */
export function optionsOf(kind: Kind, args: Props, opts: CustomResourceOptions): CustomResourceOptions {
  const additionalSecretOutputs = [...(opts.additionalSecretOutputs ?? []), ...secretsOf(kind)];
  return { ...opts, additionalSecretOutputs, ...(isProtectedByInput(kind, args, opts) ? { protect: true } : {}) };
}

/** Pulumi protects the children of what it protects. What is in a protected cluster may go as long as the cluster stays. */
export function protectAlone(resource: CustomResource, kind: Kind, args: Props, opts: CustomResourceOptions): void {
  if (!isProtectedByInput(kind, args, opts)) return;
  const inherited = opts.parent !== undefined && Reflect.get(opts.parent, "__protect") === true;
  Object.assign(resource, { __protect: inherited });
}

/** Whether the program protects a resource on the platform, and says nothing else of Pulumi's option. */
function isProtectedByInput({ protectedBy }: Kind, args: Props, { protect }: CustomResourceOptions): boolean {
  // Only a value that is known while the program runs can become an option.
  return protectedBy !== undefined && protect === undefined && args[protectedBy] === true;
}
