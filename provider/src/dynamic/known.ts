import type { Output } from "@pulumi/pulumi";

/** The value of an output, which depends on no resource: it never comes while a preview does not know it. */
export function promised<T>(of: Output<T>): Promise<T> {
  return new Promise((resolve) => of.apply(resolve));
}

/** The value of an output; `undefined` if a preview does not know it. Pulumi keeps to itself whether it does. */
export async function knownValue<T>(of: Output<T>): Promise<T | undefined> {
  const known = await Promise.resolve<unknown>(Reflect.get(of, "isKnown"));
  return known === true ? promised(of) : undefined;
}
