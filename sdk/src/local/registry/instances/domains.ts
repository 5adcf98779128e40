import type { RegistryRow } from "../tables.ts";

const suffix = "registry.container-platform.internal";

/** The domain of a registry for access from outside. */
export function publicDomainOf({ name }: Pick<RegistryRow, "name">): string {
  return `${name}.${suffix}`;
}

/** The dedicated domain of a registry, which a VPC resolves once it was told to. */
export function dedicatedDomainOf({ name }: Pick<RegistryRow, "name">): string {
  return `${name}-vpc.${suffix}`;
}
