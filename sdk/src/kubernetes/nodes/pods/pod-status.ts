import { type Container, type PodObject, timestamp } from "../api/objects.ts";

/** What a kubelet writes into the status of a pod, as patches. */

/** Where a pod is. */
export interface Placed {
  readonly hostIPs: readonly string[];
  readonly podIPs: readonly string[];
}

/** The digests of pulled images, by their names. */
export type Digests = ReadonlyMap<string, string>;

type InitContainer = PodObject["spec"]["initContainers"][number];

/** Whether a pod is meant to end: nothing runs in it, so it ends at once. */
export function isToEnd({ spec }: PodObject): boolean {
  return spec.restartPolicy !== "Always";
}

/** A pod whose containers run; one that is meant to end has ended. */
export function startedStatus(pod: PodObject, { hostIPs, podIPs }: Placed, digests: Digests): object {
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
    initContainerStatuses: pod.spec.initContainers.map((container) => (isSidecar(container) && !ended ? running : over)(container)),
    containerStatuses: pod.spec.containers.map(ended ? over : running),
  });
}

/** A pod that runs is ready again, as its node is. */
export function readyStatus(pod: PodObject): object {
  return statusOf(pod, { conditions: [condition("Ready", { status: "True" }), condition("ContainersReady", { status: "True" })] });
}

/** A pod with images that could not be pulled: by image, what is waited for. */
export function waitingStatus(pod: PodObject, waiting: ReadonlyMap<string, { readonly reason: string; readonly message: string }>): object {
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

function isSidecar({ restartPolicy }: InitContainer): boolean {
  return restartPolicy === "Always";
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
