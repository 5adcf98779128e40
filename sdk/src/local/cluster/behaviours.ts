import type { Behaviour } from "../behaviour.ts";
import { authenticationBehaviours } from "./authentication.ts";
import { clusterBehaviours } from "./clusters.ts";
import { componentBehaviours } from "./components.ts";
import { creationBehaviours } from "./creation.ts";
import { deletionBehaviours } from "./deletion.ts";
import { endpointBehaviours } from "./endpoints.ts";
import { kubeconfigBehaviours } from "./kubeconfig.ts";
import { membershipBehaviours } from "./membership.ts";
import { nodePoolRecordBehaviours } from "./node-pool-records.ts";
import { nodePoolBehaviours } from "./node-pools.ts";
import { nodeUpgradeBehaviours } from "./node-upgrades.ts";
import { nodeBehaviours } from "./nodes.ts";
import { permissionBehaviours } from "./permissions.ts";
import { taskBehaviours } from "./tasks.ts";
import { versionBehaviours } from "./versions.ts";
import { controlPlaneBehaviours } from "./control-plane.ts";
import { edgeNodeBehaviours } from "./edge-nodes.ts";
import { gpuBehaviours } from "./gpu.ts";
import { poolMemberBehaviours } from "./pool-members.ts";
import { regularPoolChangeBehaviours } from "./regular-pool-changes.ts";
import { regularPoolBehaviours } from "./regular-pools.ts";

export const clusterServiceBehaviours: readonly Behaviour[] = [
  ...clusterBehaviours,
  ...creationBehaviours,
  ...deletionBehaviours,
  ...componentBehaviours,
  ...authenticationBehaviours,
  ...versionBehaviours,
  ...nodeUpgradeBehaviours,
  ...taskBehaviours,
  ...endpointBehaviours,
  ...kubeconfigBehaviours,
  ...nodePoolBehaviours,
  ...nodePoolRecordBehaviours,
  ...nodeBehaviours,
  ...membershipBehaviours,
  ...permissionBehaviours,
  ...controlPlaneBehaviours,
  ...edgeNodeBehaviours,
  ...gpuBehaviours,
  ...poolMemberBehaviours,
  ...regularPoolBehaviours,
  ...regularPoolChangeBehaviours,
];
