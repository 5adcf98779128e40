import { clustersNow } from "../../../local/cluster/access/kubeconfig.ts";
import { clusters } from "../../../local/cluster/tables.ts";
import type { World } from "../../../local/store/world.ts";
import { type Attachment, untilEnded, whileRunning } from "../control-plane/control-plane.ts";
import { Keeping } from "./keeping.ts";
import { keepLoadBalancers, LoadBalancerAddresses } from "./load-balancers.ts";
import { serveMetrics } from "./metrics.ts";
import { keepVolumes } from "./volumes.ts";

/**
 * Does what the cloud's controllers do in clusters while their control planes run: addresses of load balancers, volumes of claims, metrics.
 *
 * @param folder where the addresses are kept
 */
export function cloudControllersOf(world: World, folder: string, told: (mistake: unknown) => void): Attachment {
  const addresses = new LoadBalancerAddresses(folder);
  return async (controlPlane) => {
    const { region, account, clusterId } = controlPlane;
    const existing = new Set((await clustersNow(world)).map(({ cluster }) => cluster.id));
    addresses.free((owner) => !existing.has(owner.clusterId));
    const isDualStack = world.rows(clusters, region, account).get(clusterId)?.network.isDualStack ?? false;
    const ended = new AbortController();
    const keeping = new Keeping(controlPlane, ended.signal, whileRunning(controlPlane, told));
    await keepLoadBalancers(keeping, addresses, isDualStack ? ["IPv4", "IPv6"] : ["IPv4"]);
    await keepVolumes(keeping);
    await serveMetrics(keeping);
    return untilEnded(controlPlane, ended, () => keeping.done);
  };
}
