import type { World } from "../../store/world.ts";
import type { RegistryRow } from "../tables.ts";

/** A reserved name: no network resolves it. */
const suffix = "registry.container-platform.internal";

/** The public domain of a registry. */
export function publicDomainOf({ name }: Pick<RegistryRow, "name">): string {
  return `${name}.${suffix}`;
}

/** The dedicated domain of a registry for access from VPCs. A VPC resolves it once it was added there. */
export function dedicatedDomainOf({ name }: Pick<RegistryRow, "name">): string {
  return `${name}-vpc.${suffix}`;
}

/** Whether a domain can only be one of a registry of the platform. */
export function isRegistryDomain(domain: string): boolean {
  return domain === suffix || domain.endsWith(`.${suffix}`);
}

/** Serves the registries of a world to image clients, at addresses of this machine. */
export interface ServedRegistries {
  /** Where a registry answers clients from the internet, such as `127.0.0.1:5001`. */
  readonly publicAddressOf: (registryId: string) => Promise<string>;
  /** The id of the registry that answers at an address, wherever its clients stand. */
  readonly registryAt: (address: string) => string | undefined;
}

/** By world: those whose registries this process serves. */
const served = new WeakMap<World, ServedRegistries>();

/** Has the platform tell the addresses at which this process serves the registries of a world; domains again once it serves them no more. */
export function tellServedRegistries(world: World, registries: ServedRegistries | undefined): void {
  if (registries) served.set(world, registries);
  else served.delete(world);
}

/** The id of the registry that this process serves at an address. */
export function servedRegistry(world: World, address: string): string | undefined {
  return served.get(world)?.registryAt(address);
}

/** Where a registry is reached from the internet: at its domain, or at an address of this machine if this process serves it. */
export async function publicAddressOf(world: World, registry: Pick<RegistryRow, "id" | "name">): Promise<string> {
  return served.get(world)?.publicAddressOf(registry.id) ?? publicDomainOf(registry);
}
