import { scaleOutClusterMaster } from "../../../catalogue/cluster/nodes.ts";
import { on } from "../../behaviour.ts";
import { passing } from "../../store/timeline.ts";
import { makeNodes } from "../nodes/make-nodes.ts";
import { clusterOf, requireRunning } from "../states.ts";
import { clusters } from "../tables.ts";
import { beginTask } from "./tasks.ts";

export const controlPlaneBehaviours = [
  on(scaleOutClusterMaster, (call, { clusterId, extraArgs = {}, ...input }) => {
    const cluster = clusterOf(call, clusterId);
    if (cluster.type === "MANAGED_CLUSTER")
      throw call.error("OperationDenied", `cluster ${clusterId} is a MANAGED_CLUSTER, whose control plane the platform runs and scales`);
    requireRunning(call, cluster);
    const count = makeNodes(call, cluster, input, { usualRole: "MASTER_ETCD", roles: ["MASTER_ETCD"], from: call.now });
    if (count === 0)
      throw call.error(
        "MissingParameter",
        "RunInstancesForNode, RunInstancePara or ExistedInstancesForNode is required: at least one machine",
      );
    const until = call.after("nodeCreate");
    call.rows(clusters).update(clusterId, {
      timeline: passing("MasterScaling", until, "Running"),
      extraArgs: { ...cluster.extraArgs, ...extraArgs },
    });
    beginTask(call, clusterId, { type: "scale_out_master", param: { Count: count }, until });
    return {};
  }),
];
