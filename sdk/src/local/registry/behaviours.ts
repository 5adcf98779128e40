import type { Behaviour } from "../behaviour.ts";
import { deletionBehaviours } from "./deletion.ts";
import { instanceBehaviours } from "./instances.ts";
import { internalAccessBehaviours } from "./internal-access.ts";
import { internalNameBehaviours } from "./internal-names.ts";
import { namespaceBehaviours } from "./namespaces.ts";
import { publicAccessBehaviours } from "./public-access.ts";
import { replicationBehaviours } from "./replication.ts";
import { repositoryBehaviours } from "./repositories.ts";
import { retentionBehaviours } from "./retention.ts";
import { serviceAccountBehaviours } from "./service-accounts.ts";
import { tokenBehaviours } from "./tokens.ts";
import { whitelistBehaviours } from "./whitelist.ts";

/** What the operations of the registry service do. */
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
