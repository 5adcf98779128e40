import type { Behaviour } from "../behaviour.ts";
import { instanceBehaviours } from "./instances/instances.ts";
import { endpointBehaviours } from "./access/endpoints.ts";
import { namespaceBehaviours } from "./content/namespaces.ts";
import { replicationBehaviours } from "./content/replication.ts";
import { repositoryBehaviours } from "./content/repositories.ts";
import { retentionBehaviours } from "./content/retention.ts";
import { credentialBehaviours } from "./access/credentials.ts";

/** The behaviours of the registry service. */
export const registryBehaviours: readonly Behaviour[] = [
  ...instanceBehaviours,
  ...endpointBehaviours,
  ...namespaceBehaviours,
  ...repositoryBehaviours,
  ...retentionBehaviours,
  ...replicationBehaviours,
  ...credentialBehaviours,
];
