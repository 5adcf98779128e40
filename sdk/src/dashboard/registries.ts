import type { Call } from "../local/behaviour.ts";
import { externalEndpointStateAt, internalEndpointStateAt, registryStatusAt } from "../local/registry/states.ts";
import {
  images,
  internalEndpoints,
  namespaces,
  registries,
  repositories,
  type RegistryRow,
  type RepositoryRow,
} from "../local/registry/tables.ts";
import { reasonAt } from "../local/store/timeline.ts";
import { readinessOf, type ReadinessTable } from "../status/readiness.ts";
import type { InternalEndpointState } from "../catalogue/registry/states.ts";
import type { Room } from "./room.ts";
import type { Connection, Port, Registry, Repository, Some } from "./shown.ts";
import { stateOf } from "./state.ts";

const connectionReadiness: ReadinessTable<InternalEndpointState> = { Pending: "pending", Running: "ready", Deleting: "pending" };

/** A port of this machine at which a registry answers. */
export interface RegistryPort extends Port {
  readonly registryId: string;
}

/** The registries of a call's place, with their images. */
export function registriesAt(call: Call, room: Room, ports: readonly RegistryPort[]): Some<Registry> {
  return room.take(call.rows(registries), (row) => {
    const { id, name, type, timeline, publicAccess } = row;
    return {
      id,
      name,
      type,
      state: stateOf(readinessOf.registry, registryStatusAt(row, call.now), reasonAt(timeline, call.now)),
      publicAccess: stateOf(readinessOf.registryEndpoint, externalEndpointStateAt(row, call.now), reasonAt(publicAccess, call.now)),
      connections: connectionsOf(call, room, row),
      ports: ports.filter(({ registryId }) => registryId === id).map(({ standpoint, address }) => ({ standpoint, address })),
      namespaces: room.take(call.rows(namespaces), ({ name: namespace, isPublic }) => ({ name: namespace, isPublic }), { parent: id }),
      repositories: room.take(call.rows(repositories), (repository) => repositoryOf(call, room, repository), { parent: id }),
    };
  });
}

function connectionsOf(call: Call, room: Room, { id: parent }: RegistryRow): Some<Connection> {
  return room.take(
    call.rows(internalEndpoints),
    ({ vpcId, address, timeline }) => ({
      vpcId,
      address,
      state: stateOf(connectionReadiness, internalEndpointStateAt(timeline, call.now), reasonAt(timeline, call.now)),
    }),
    { parent },
  );
}

function repositoryOf(call: Call, room: Room, { id: parent, namespace, name }: RepositoryRow): Repository {
  const rows = call.rows(images);
  return {
    namespace,
    name,
    images: room.take(rows, ({ version: tag, digest, size, pushedAt }) => ({ tag, digest, size, pushedAt }), {
      parent,
      isNewestFirst: true,
    }),
  };
}
