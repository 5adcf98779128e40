import { holdsUnknown, unknown } from "../schema/values.ts";

/** A rule has read a value that is not known before `up`. */
export class UnknownInput extends Error {}

/** The inputs, which throw `UnknownInput` when a rule reads an unknown value. */
export function throwingIfUnknown<Inputs extends object>(inputs: Inputs): Inputs {
  return new Proxy(inputs, {
    get: (target, key): unknown => {
      const value: unknown = Reflect.get(target, key);
      if (value === unknown) throw new UnknownInput();
      return typeof value === "object" && value !== null && holdsUnknown(value) ? throwingIfUnknown(value) : value;
    },
  });
}
