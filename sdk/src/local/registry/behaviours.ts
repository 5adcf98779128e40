import type { Behaviour } from "../behaviour.ts";
import { deletionBehaviours } from "./instances/deletion.ts";
import { instanceBehaviours } from "./instances/instances.ts";
import { internalAccessBehaviours } from "./access/internal-access.ts";
import { internalNameBehaviours } from "./access/internal-names.ts";
import { namespaceBehaviours } from "./content/namespaces.ts";
import { publicAccessBehaviours } from "./access/public-access.ts";
import { replicationBehaviours } from "./content/replication.ts";
import { repositoryBehaviours } from "./content/repositories.ts";
import { retentionBehaviours } from "./content/retention.ts";
import { serviceAccountBehaviours } from "./access/service-accounts.ts";
import { tokenBehaviours } from "./access/tokens.ts";
import { whitelistBehaviours } from "./access/whitelist.ts";

/** The behaviours of the registry service. */
export const registryBehaviours: readonly Behaviour[] = [
  ...instanceBehaviours,
  ...deletionBehaviours,
  ...publicAccessBehaviours,
  ...whitelistBehaviours,
  ...internalAccessBehaviours,
  ...internalNameBehaviours,
  ...tokenBehaviours,
  ...namespaceBehaviours,
  ...repositoryBehaviours,
  ...retentionBehaviours,
  ...replicationBehaviours,
  ...serviceAccountBehaviours,
];
