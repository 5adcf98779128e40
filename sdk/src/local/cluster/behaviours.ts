import type { Behaviour } from "../behaviour.ts";
import { authenticationBehaviours } from "./control-plane/authentication.ts";
import { clusterBehaviours } from "./control-plane/clusters.ts";
import { componentBehaviours } from "./control-plane/components.ts";
import { creationBehaviours } from "./control-plane/creation.ts";
import { deletionBehaviours } from "./control-plane/deletion.ts";
import { endpointBehaviours } from "./access/endpoints.ts";
import { kubeconfigBehaviours } from "./access/kubeconfig.ts";
import { refusingInvalidValues } from "./kubernetes-values.ts";
import { membershipBehaviours } from "./nodes/membership.ts";
import { nodePoolRecordBehaviours } from "./pools/node-pool-records.ts";
import { nodePoolBehaviours } from "./pools/node-pools.ts";
import { nodeUpgradeBehaviours } from "./nodes/node-upgrades.ts";
import { nodeBehaviours } from "./nodes/nodes.ts";
import { osImageBehaviours } from "./nodes/os-images.ts";
import { permissionBehaviours } from "./access/permissions.ts";
import { taskBehaviours } from "./control-plane/tasks.ts";
import { versionBehaviours } from "./control-plane/versions.ts";
import { controlPlaneBehaviours } from "./control-plane/control-plane.ts";
import { edgeNodeBehaviours } from "./nodes/edge-nodes.ts";
import { gpuBehaviours } from "./nodes/gpu.ts";
import { poolMemberBehaviours } from "./pools/pool-members.ts";
import { regularPoolChangeBehaviours } from "./pools/regular-pool-changes.ts";
import { regularPoolBehaviours } from "./pools/regular-pools.ts";

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
  ...osImageBehaviours,
  ...poolMemberBehaviours,
  ...regularPoolBehaviours,
  ...regularPoolChangeBehaviours,
].map(refusingInvalidValues);
