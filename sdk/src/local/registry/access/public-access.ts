import { describeExternalEndpointStatus, manageExternalEndpoint } from "../../../catalogue/registry/endpoints.ts";
import { type Call, on } from "../../behaviour.ts";
import { passing, reasonAt } from "../../store/timeline.ts";
import { externalEndpointStateAt, registryOf, runningRegistry } from "../states.ts";
import { registries, type RegistryRow, whitelists } from "../tables.ts";

export const publicAccessBehaviours = [
  on(describeExternalEndpointStatus, (call, { registryId }) => {
    const registry = registryOf(call, registryId);
    return { status: externalEndpointStateAt(registry, call.now), reason: reasonAt(registry.publicAccess, call.now) };
  }),

  on(manageExternalEndpoint, (call, { registryId, operation }) => {
    const registry = runningRegistry(call, registryId);
    if (operation === "Create") open(call, registry);
    else close(call, registry);
    return { registryId };
  }),
];

/** Opens the public endpoint. One that is open, or being opened, stays as it is. */
function open(call: Call<"InternalError.ErrorConflict">, registry: RegistryRow): void {
  const state = externalEndpointStateAt(registry, call.now);
  if (state === "Opened" || state === "Opening") return;
  refuseWhile(call, registry, state, "Deleting");
  const fault = call.faults.endFor("registryEndpoint");
  const publicAccess = passing("Opening", call.after("registryEndpointOpen"), fault?.endState ?? "Opened", fault?.reason);
  call.rows(registries).update(registry.id, { publicAccess });
  // A new endpoint begins with an empty whitelist.
  const { version } = whitelistOf(call, registry.id);
  call.rows(whitelists).update(registry.id, { version: version + 1, entries: [] });
}

function close(call: Call<"InternalError.ErrorConflict">, registry: RegistryRow): void {
  const state = externalEndpointStateAt(registry, call.now);
  if (state === "Closed" || state === "Deleting") return;
  refuseWhile(call, registry, state, "Opening");
  call.rows(registries).update(registry.id, { publicAccess: passing("Deleting", call.after("registryEndpointClose"), "Closed") });
}

function refuseWhile(call: Call<"InternalError.ErrorConflict">, { id }: RegistryRow, state: string, moving: string): void {
  if (state === moving)
    throw call.error("InternalError.ErrorConflict", `the public endpoint of registry ${id} is ${state}; one change at a time`);
}

export function whitelistOf(call: Call, registryId: string) {
  return call.rows(whitelists).get(registryId) ?? { id: registryId, version: 0, entries: [] };
}
