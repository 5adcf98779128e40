import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { Kind } from "../definition/definition.ts";
import type { Props } from "../schema/values.ts";

/** Whether Pulumi is to protect a resource because its program protects it on the platform, and says nothing else of Pulumi's option. */
export function protectedByInput({ protectedBy }: Kind, args: Props, { protect }: CustomResourceOptions): boolean {
  // Only a value that is known while the program runs can become an option.
  return protectedBy !== undefined && protect === undefined && args[protectedBy] === true;
}

/** What Pulumi would have made of the option `protect` of a resource that leaves it out. */
export function inheritedProtection({ parent }: CustomResourceOptions): boolean {
  return parent !== undefined && Reflect.get(parent, "__protect") === true;
}
