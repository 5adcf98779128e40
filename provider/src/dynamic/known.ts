import type { Output } from "@pulumi/pulumi";

/**
 * The value of an output; `undefined` if a preview does not know it. Pulumi keeps to itself whether it does: an output that is not known
 * calls nobody back.
 */
export async function knownValue<T>(of: Output<T>): Promise<T | undefined> {
  const known = await Promise.resolve<unknown>(Reflect.get(of, "isKnown"));
  if (known !== true) return undefined;
  return new Promise((resolve) => of.apply(resolve));
}
