import { setTimeout as sleep } from "node:timers/promises";
import type { Pulling } from "../../registries/pull.ts";
import { type Attachment, untilEnded, whileRunning } from "../control-plane/control-plane.ts";
import { kubeletPort, kubeletServer } from "./kubelet.ts";
import { NodeKeeper } from "./node-keeper.ts";
import { PodAddresses } from "./pod-addresses.ts";
import { PodKeeper } from "./pod-keeper.ts";
import { Puller } from "./puller.ts";

/** How often the world is looked at for nodes that have changed, in milliseconds. */
const lookEvery = 1000;
/** How often nodes tell that they are alive, in milliseconds. */
const renewEvery = 10_000;

/** Stands in for the nodes of the clusters of a world, and for the pods on them, while their control planes run. */
export function nodesOf(pulling: Pulling, told: (mistake: unknown) => void): Attachment {
  const [puller, addresses] = [new Puller(pulling), new PodAddresses()];
  return async (controlPlane) => {
    const report = whileRunning(controlPlane, told);
    const nodes = new NodeKeeper({ world: pulling.world, controlPlane, report });
    const pods = new PodKeeper({ controlPlane, puller, addresses, report, hosts: () => nodes.hosts });
    const kubelets = await kubeletServer();
    controlPlane.egress.takers.push(({ port }, connection) => port === kubeletPort && kubelets.emit("connection", connection));
    const ended = new AbortController();
    await nodes.begin(ended.signal);
    await pods.begin(ended.signal);
    await look(nodes, pods);
    await nodes.renewLeases();
    const keeping = keepOn(nodes, pods, ended.signal, report);
    return untilEnded(controlPlane, ended, () => keeping);
  };
}

async function look(nodes: NodeKeeper, pods: PodKeeper): Promise<void> {
  await pods.clear(await nodes.look());
  pods.lookAgain();
}

async function keepOn(nodes: NodeKeeper, pods: PodKeeper, signal: AbortSignal, report: (mistake: unknown) => void): Promise<void> {
  const isOver = () => signal.aborted;
  for (let renewed = Date.now(); !isOver();) {
    await sleep(lookEvery, undefined, { signal, ref: false }).catch(() => undefined);
    if (isOver()) return;
    try {
      await look(nodes, pods);
      if (Date.now() - renewed < renewEvery) continue;
      await nodes.renewLeases();
      renewed = Date.now();
    } catch (error) {
      if (!isOver()) report(error);
    }
  }
}
