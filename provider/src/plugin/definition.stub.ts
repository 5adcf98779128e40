import type { Kind } from "../definition/definition.ts";

/** In the plugin, this takes the place of `dynamic/constructor.ts`: nobody declares a resource there, and its class has its definition alone. */
export function classOf(kind: Kind): { readonly kind: Kind } {
  const constructor = function (): never {
    throw new TypeError(`a ${kind.type} is for programs: the plugin has none`);
  };
  return Object.assign(constructor, { kind });
}
