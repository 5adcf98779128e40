import { z } from "zod";
import { InputError } from "../../operation/errors.ts";
import type { Operation, Product } from "../../operation/operation.ts";

/** What a sub-account may do. A permission is `<prefix>:<Action>`, `<prefix>:*`, or `*` for everything. */
export const policySchema = z.object({
  allow: z.array(z.string()),
  /** Writes that are refused, even if allowed, on resources with a tag; with any value of its key unless one is given. */
  deny: z.array(z.object({ permissions: z.array(z.string()), tag: z.object({ key: z.string(), value: z.string().optional() }) })),
});
export type Policy = z.output<typeof policySchema>;
export type Denial = Policy["deny"][number];

/** Prefixes of permissions (specification, Conventions: `reg:` for those of the registry). */
const prefixes: Readonly<Record<Product, string>> = {
  cluster: "cluster",
  registry: "reg",
  vpc: "vpc",
  compute: "compute",
  disk: "disk",
  audit: "audit",
  tag: "tag",
  identity: "identity",
};

/** All network operations share one permission (specification, Authentication 2). */
const network = prefixes.vpc;

/** The permission that a call of an operation needs. */
export function permissionFor({ product, action }: Pick<Operation, "product" | "action">): string {
  return product === "vpc" ? `${network}:*` : `${prefixes[product]}:${action}`;
}

export function covers(granted: string, needed: string): boolean {
  return granted === "*" || granted === needed || (granted.endsWith(":*") && needed.startsWith(granted.slice(0, -1)));
}

/** @throws InputError for an invalid permission. */
export function checkedPolicy({ allow, deny }: Policy): Policy {
  for (const permission of [...allow, ...deny.flatMap(({ permissions }) => permissions)]) {
    const [prefix = "", action = "", ...more] = permission.split(":");
    const known = Object.values(prefixes).includes(prefix) && /^(\*|[A-Z][A-Za-z0-9]*)$/.test(action) && more.length === 0;
    if (permission !== "*" && !known)
      throw new InputError(
        `${permission} is no permission: it is *, <prefix>:* or <prefix>:<Action>, with a prefix of ${Object.values(prefixes).join(", ")}`,
      );
  }
  const single = allow.find((permission) => permission.startsWith(`${network}:`) && permission !== `${network}:*`);
  if (single !== undefined)
    throw new InputError(`${single} cannot be allowed alone: network operations have one permission for all of them, ${network}:*`);
  return { allow, deny };
}
