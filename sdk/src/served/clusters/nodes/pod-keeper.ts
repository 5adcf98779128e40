import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../control-plane/api-client.ts";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { change, patches, remove, timestamp, Watched } from "../control-plane/watched.ts";
import { conditionOf, type Container, pathOf, podObject, type PodObject, type SecretObject, secretObject } from "./api.ts";
import type { PodHost } from "./node-keeper.ts";
import type { PodAddresses } from "./pod-addresses.ts";
import type { Puller, PullSecret } from "./puller.ts";

/** Writes a warning of a pod, as a kubelet does. */
async function warn(api: ApiClient, pod: PodObject, { reason, message }: Lack): Promise<void> {
  const { name, namespace, uid } = pod.metadata;
  const at = timestamp();
  const body = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${randomUUID().slice(0, 13)}`, namespace },
    involvedObject: { apiVersion: "v1", kind: "Pod", name, namespace, uid },
    type: "Warning",
    reason,
    message,
    source: { component: "kubelet", host: pod.spec.nodeName },
    reportingComponent: "kubelet",
    reportingInstance: pod.spec.nodeName,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
  await change(api, "POST", `/api/v1/namespaces/${namespace}/events`, { body });
}

/** Where a pod is. */
export interface Placed {
  readonly hostIPs: readonly string[];
  readonly podIPs: readonly string[];
}

/** The digests of pulled images, by their names. */
export type Digests = ReadonlyMap<string, string>;

/** Whether a pod is meant to end: nothing runs in it, so it ends at once. */
function isToEnd({ spec }: PodObject): boolean {
  return spec.restartPolicy !== "Always";
}

/** A pod whose containers run; one that is meant to end has ended. */
function startedStatus(pod: PodObject, { hostIPs, podIPs }: Placed, digests: Digests): object {
  const at = timestamp();
  const ended = isToEnd(pod);
  const ready = ended ? notReady("PodCompleted") : { status: "True" };
  const running = (container: Container) => containerStatus(container, pod, digests, { running: { startedAt: at } });
  const over = (container: Container) =>
    containerStatus(container, pod, digests, { terminated: { exitCode: 0, reason: "Completed", startedAt: at, finishedAt: at } });
  return statusOf(pod, {
    phase: ended ? "Succeeded" : "Running",
    hostIP: hostIPs[0],
    hostIPs: hostIPs.map((ip) => ({ ip })),
    podIP: podIPs[0],
    podIPs: podIPs.map((ip) => ({ ip })),
    startTime: at,
    conditions: [
      condition("PodReadyToStartContainers", { status: ended ? "False" : "True" }),
      condition("Initialized", ended ? { status: "True", reason: "PodCompleted" } : { status: "True" }),
      condition("Ready", ready),
      condition("ContainersReady", ready),
    ],
    initContainerStatuses: pod.spec.initContainers.map((container) =>
      (container.restartPolicy === "Always" && !ended ? running : over)(container),
    ),
    containerStatuses: pod.spec.containers.map(ended ? over : running),
  });
}

/** A pod that runs is ready again, as its node is. */
function readyStatus(pod: PodObject): object {
  return statusOf(pod, { conditions: [condition("Ready", { status: "True" }), condition("ContainersReady", { status: "True" })] });
}

/** A pod with images that could not be pulled: by image, what is waited for. */
function waitingStatus(pod: PodObject, waiting: ReadonlyMap<string, { readonly reason: string; readonly message: string }>): object {
  const initializing = pod.spec.initContainers.length > 0;
  const waits = (usual: string) => (container: Container) =>
    containerStatus(container, pod, new Map(), { waiting: waiting.get(container.image) ?? { reason: usual } });
  const lack = notReady("ContainersNotReady", `containers with unready status: [${pod.spec.containers.map(({ name }) => name).join(" ")}]`);
  return statusOf(pod, {
    phase: "Pending",
    conditions: [
      condition("Initialized", initializing ? notReady("ContainersNotInitialized") : { status: "True" }),
      condition("Ready", lack),
      condition("ContainersReady", lack),
    ],
    initContainerStatuses: pod.spec.initContainers.map(waits("PodInitializing")),
    containerStatuses: pod.spec.containers.map(waits(initializing ? "PodInitializing" : "ContainerCreating")),
  });
}

function statusOf({ metadata: { uid } }: PodObject, status: object): object {
  return { metadata: { uid }, status };
}

interface State {
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

function notReady(reason: string, message?: string): State {
  return { status: "False", reason, ...(message !== undefined && { message }) };
}

/** A patch keeps what it does not name: an earlier reason has to be named to go. */
function condition(type: string, state: State): object {
  return { type, reason: null, message: null, lastProbeTime: null, lastTransitionTime: timestamp(), ...state };
}

function containerStatus({ name, image }: Container, { metadata: { uid } }: PodObject, digests: Digests, state: object): object {
  const isRunning = "running" in state;
  const digest = digests.get(image);
  return {
    name,
    image,
    imageID: digest === undefined ? "" : `${image.replace(/(@.*|:[^:/]*)$/, "")}@${digest}`,
    ...("waiting" in state ? {} : { containerID: `stand-in://${uid}/${name}` }),
    ready: isRunning,
    started: isRunning,
    restartCount: 0,
    state,
  };
}

/** Pods that have a node. */
const podsPath = "/api/v1/pods?fieldSelector=spec.nodeName%21%3D";

/** After a pull that failed, in milliseconds. A pull costs nothing here: a mended one is to be seen soon. */
const shortestPause = 1000;
const longestPause = 8000;

export interface PodKeeping {
  readonly controlPlane: ControlPlane;
  readonly puller: Puller;
  readonly addresses: PodAddresses;
  readonly report: (mistake: unknown) => void;
  /** Aborted when the control plane ends. */
  readonly signal: AbortSignal;
  /** The nodes that are there, by name. */
  readonly hosts: () => ReadonlyMap<string, PodHost>;
}

/** What stands in for the kubelets of a cluster: pods are Running as soon as their images could be pulled, and nothing runs in them. */
export class PodKeeper {
  readonly #keeping: PodKeeping;
  readonly #pods: Watched<PodObject>;
  /** The uids of pods that are being started, as often as it takes. */
  readonly #starting = new Set<string>();

  constructor(keeping: PodKeeping) {
    this.#keeping = keeping;
    this.#pods = new Watched(keeping.controlPlane.api, podsPath, podObject);
    this.#pods.changed = (pod) => {
      this.#look(pod);
    };
    this.#pods.gone = ({ metadata }) => {
      keeping.addresses.release(metadata.uid);
    };
  }

  begin(): Promise<void> {
    return this.#pods.begin(this.#keeping.signal);
  }

  /** Looks at all pods again, as nodes have become ready, or are gone. */
  lookAgain(): void {
    for (const pod of this.#pods.all) this.#look(pod);
  }

  /** Asks for the pods of nodes that are being removed to go, as far as disruption budgets let them; those of nodes that are gone go at once. */
  async clear(gone: readonly string[]): Promise<void> {
    for (const pod of this.#pods.all) {
      const { name, namespace, deletionTimestamp } = pod.metadata;
      if (gone.includes(pod.spec.nodeName)) await this.#end(pod);
      else if (this.#hostOf(pod)?.isLeaving && deletionTimestamp === undefined)
        await this.#do((api) =>
          change(api, "POST", `${pathOf("pods", namespace, name)}/eviction`, {
            body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } },
          }),
        );
    }
  }

  #hostOf({ spec }: PodObject): PodHost | undefined {
    return this.#keeping.hosts().get(spec.nodeName);
  }

  #look(pod: PodObject): void {
    const host = this.#hostOf(pod);
    if (!host) return;
    const { uid, deletionTimestamp } = pod.metadata;
    const { phase, podIPs } = pod.status;
    if (deletionTimestamp !== undefined) void this.#end(pod);
    else if (phase === "Pending") {
      if (host.isReady && !this.#starting.has(uid)) void this.#start(pod, host);
    } else if (phase === "Running") {
      const addresses = podIPs.map(({ ip }) => ip);
      if (!pod.spec.hostNetwork) this.#keeping.addresses.keep(uid, addresses, host.podRanges);
      if (host.isReady && conditionOf(pod, "Ready")?.status !== "True") void this.#patch(pod, readyStatus(pod));
    } else this.#keeping.addresses.release(uid);
  }

  async #end(pod: PodObject): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    await this.#do((api) => remove(api, pathOf("pods", namespace, name), uid));
  }

  async #start(pod: PodObject, host: PodHost): Promise<void> {
    const { uid, name, namespace } = pod.metadata;
    this.#starting.add(uid);
    const isThere = () => {
      const now = this.#pods.get(name, namespace);
      return !this.#keeping.signal.aborted && now?.metadata.uid === uid && now.metadata.deletionTimestamp === undefined;
    };
    try {
      let told = "";
      for (let pause = shortestPause; isThere(); pause = Math.min(2 * pause, longestPause)) {
        const lack = await this.#tryStart(pod, host);
        if (!lack || !isThere()) return;
        const isNew = lack.message !== told;
        await this.#patch(pod, isNew ? lack.first : lack.again);
        if (isNew) await this.#do((api) => warn(api, pod, lack));
        told = lack.message;
        await sleep(pause, undefined, { signal: this.#keeping.signal });
      }
    } catch (error) {
      this.#report(error);
    } finally {
      this.#starting.delete(uid);
    }
  }

  /** Starts a pod; or answers what it lacks. */
  async #tryStart(pod: PodObject, host: PodHost): Promise<Lack | undefined> {
    const pulled = await this.#pullAll(pod, host);
    if (pulled.complaints.size > 0) return lackOf(pod, pulled.complaints);
    const { addresses } = this.#keeping;
    const podIPs = pod.spec.hostNetwork ? host.addresses : addresses.take(pod.metadata.uid, host.podRanges);
    if (!podIPs) return noAddress(pod, host);
    if (isToEnd(pod)) addresses.release(pod.metadata.uid);
    await this.#patch(pod, startedStatus(pod, { hostIPs: host.addresses, podIPs }, pulled.digests));
    return undefined;
  }

  async #pullAll(pod: PodObject, host: PodHost): Promise<{ complaints: Map<string, string>; digests: Map<string, string> }> {
    const [complaints, digests] = [new Map<string, string>(), new Map<string, string>()];
    const secrets = await this.#secretsOf(pod);
    const from = { region: this.#keeping.controlPlane.region, vpcId: host.vpcId };
    for (const image of new Set([...pod.spec.initContainers, ...pod.spec.containers].map((container) => container.image))) {
      const pulled = await this.#keeping.puller.pull(image, from, secrets);
      if ("complaint" in pulled) complaints.set(image, pulled.complaint);
      else if (pulled.digest !== undefined) digests.set(image, pulled.digest);
    }
    return { complaints, digests };
  }

  /** The API server has given the pod those of its service account, unless it named some itself. */
  async #secretsOf({ spec, metadata: { namespace } }: PodObject): Promise<PullSecret[]> {
    const names = spec.imagePullSecrets.map(({ name }) => name).filter((name) => name !== "");
    return Promise.all(names.map(async (name) => ({ name: `${namespace}/${name}`, object: await this.#secret(namespace, name) })));
  }

  async #secret(namespace: string, name: string): Promise<SecretObject | undefined> {
    const { status, body } = await this.#keeping.controlPlane.api.ask("GET", pathOf("secrets", namespace, name));
    return status === 404 ? undefined : secretObject.parse(body);
  }

  async #patch(pod: PodObject, status: object): Promise<void> {
    const { name, namespace } = pod.metadata;
    await this.#do((api) => change(api, "PATCH", `${pathOf("pods", namespace, name)}/status`, { body: status, type: patches.strategic }));
  }

  /** Does something for a pod. What goes wrong is told: the next look at the pod does it again. */
  async #do(work: (api: ControlPlane["api"]) => Promise<unknown>): Promise<void> {
    try {
      await work(this.#keeping.controlPlane.api);
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    if (!this.#keeping.signal.aborted) this.#keeping.report(error);
  }
}

/** Why a pod does not start: its status at first and later, and what its event says. */
interface Lack {
  readonly first: object;
  readonly again: object;
  readonly reason: string;
  readonly message: string;
}

function lackOf(pod: PodObject, complaints: ReadonlyMap<string, string>): Lack {
  const said = [...complaints].map(([image, complaint]) => [image, `failed to pull image "${image}": ${complaint}`] as const);
  const waiting = (reason: string, wording: (image: string, text: string) => string) =>
    new Map(said.map(([image, text]) => [image, { reason, message: wording(image, text) }]));
  const failed = waiting("ErrImagePull", (_image, text) => text);
  const backOff = waiting("ImagePullBackOff", (image, text) => `Back-off pulling image "${image}": ErrImagePull: ${text}`);
  const message = said.map(([, text]) => text).join("; ");
  return { first: waitingStatus(pod, failed), again: waitingStatus(pod, backOff), reason: "Failed", message };
}

function noAddress(pod: PodObject, { name, podRanges }: PodHost): Lack {
  const ranges = podRanges.map(({ cidrBlock }) => cidrBlock).join(", ");
  const message = `node ${name} has no address left for a pod in ${ranges || "any range: the cluster's range is used up"}`;
  const status = waitingStatus(pod, new Map());
  return { first: status, again: status, reason: "FailedCreatePodSandBox", message };
}
