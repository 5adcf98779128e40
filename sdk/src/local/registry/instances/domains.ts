import type { RegistryRow } from "../tables.ts";

const suffix = "registry.container-platform.internal";

/** The public domain of a registry. */
export function publicDomainOf({ name }: Pick<RegistryRow, "name">): string {
  return `${name}.${suffix}`;
}

/** The dedicated domain of a registry for access from VPCs. A VPC resolves it once it was added there. */
export function dedicatedDomainOf({ name }: Pick<RegistryRow, "name">): string {
  return `${name}-vpc.${suffix}`;
}
