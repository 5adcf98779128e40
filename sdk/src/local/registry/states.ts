import type { z } from "zod";
import * as states from "../../catalogue/registry/states.ts";
import type { insideErrors, tagSpecification } from "../../catalogue/registry/structures.ts";
import type { taggingErrors } from "../../catalogue/shared.ts";
import type { Call } from "../behaviour.ts";
import { requireRow } from "../requests/listing.ts";
import { refuseTags } from "../requests/names-and-tags.ts";
import { stateReader, type Timeline } from "../store/timeline.ts";
import type { World } from "../store/world.ts";
import { namespaces, type NamespaceRow, registries, type RegistryRow } from "./tables.ts";

export const registryStatusAt = stateReader(states.registryStatuses);
export const externalEndpointStateAt = stateReader(states.externalEndpointStates);
export const internalEndpointStateAt = stateReader(states.internalEndpointStates);
const dnsStateAt = stateReader(states.internalDnsStates);

export function internalDnsStateAt(timeline: Timeline | undefined, now: number): states.InternalDnsState {
  return timeline ? dnsStateAt(timeline, now) : "DISABLE";
}

/** The registry of an id; refuses an unknown one. */
export function registryOf(call: Call<"ResourceNotFound">, registryId: string): RegistryRow {
  return requireRow(call, registries, "registry", registryId);
}

/** The running registry of an id; refuses an unknown one, and one in another state. */
export function runningRegistry(
  call: Call<"ResourceNotFound" | "ResourceInsufficient.ErrorInstanceNotRunning">,
  registryId: string,
): RegistryRow {
  const registry = registryOf(call, registryId);
  refuseUnlessRunning(call, registry);
  return registry;
}

/** Refuses a registry, of any region, in another state than `Running`. */
export function refuseUnlessRunning(call: Call<"ResourceInsufficient.ErrorInstanceNotRunning">, registry: RegistryRow): void {
  const status = registryStatusAt(registry.timeline, call.now);
  if (status !== "Running")
    throw call.error(
      "ResourceInsufficient.ErrorInstanceNotRunning",
      `registry ${registry.id} is ${status}; ${call.operation.action} takes a registry that is Running`,
    );
}

/** A call that is refused if a registry, or a resource in it, does not exist. */
export type Inside = Call<(typeof insideErrors)[number]>;

/** Refuses a resource that a registry does not have. `shown` is for the message, such as `namespace team`. */
export function requireInside<Row>(call: Inside, registryId: string, shown: string, found: Row | undefined): Row {
  if (!found) throw call.error("ResourceNotFound.TcrResourceNotFound", `registry ${registryId} has no ${shown}`);
  return found;
}

/** The namespace of a name; refuses an unknown one. */
export function namespaceOf(call: Inside, registryId: string, name: string): NamespaceRow {
  return requireInside(call, registryId, `namespace ${name}`, call.rows(namespaces).get(`${registryId}/${name}`));
}

/** Refuses a specification of tags for other types of resource, and invalid tags. */
export function refuseTagSpecification(
  call: Call<(typeof taggingErrors)[number]>,
  { resourceType, tags }: z.output<typeof tagSpecification>,
  noun: string,
  types: readonly string[],
): void {
  if (!types.includes(resourceType)) {
    const takes = types.map((type) => JSON.stringify(type)).join(" or ");
    throw call.error("InvalidParameter", `TagSpecification has ResourceType ${JSON.stringify(resourceType)}; a ${noun} takes ${takes}`);
  }
  refuseTags(call, tags);
}

/** A new number, by which operations name namespaces and rules. */
export function newNumber(world: World): number {
  return 1 + (world.draw().readUInt32BE(0) >>> 1);
}
