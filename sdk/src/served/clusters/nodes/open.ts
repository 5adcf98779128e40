import { repeat } from "../../ports.ts";
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
    const ended = new AbortController();
    const { signal } = ended;
    const nodes = new NodeKeeper({ world: pulling.world, controlPlane, report });
    const pods = new PodKeeper({ controlPlane, puller, addresses, report, signal, hosts: () => nodes.hosts });
    const kubelets = await kubeletServer();
    controlPlane.egress.takers.push(({ port }, connection) => port === kubeletPort && kubelets.emit("connection", connection));
    await nodes.begin(signal);
    await pods.begin();
    await look(nodes, pods);
    await nodes.renewLeases();
    let renewed = Date.now();
    const stop = repeat(lookEvery, report, async () => {
      await look(nodes, pods);
      if (Date.now() - renewed < renewEvery) return;
      await nodes.renewLeases();
      renewed = Date.now();
    });
    return untilEnded(controlPlane, ended, stop);
  };
}

async function look(nodes: NodeKeeper, pods: PodKeeper): Promise<void> {
  await pods.clear(await nodes.look());
  pods.lookAgain();
}
