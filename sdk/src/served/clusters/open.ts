import { join } from "node:path";
import { AccessControl } from "../registries/access.ts";
import type { ContentStore } from "../registries/store.ts";
import { repeat } from "../ports.ts";
import { type ServedFolder, takeFolder } from "../folder.ts";
import type { World } from "../../local/store/world.ts";
import type { Attachment, ControlPlane } from "./control-plane/control-plane.ts";
import { cloudControllersOf } from "./cloud-controllers/open.ts";
import { ControlPlanes, type Running } from "./control-plane/control-planes.ts";
import { Front } from "./gateway/gateway.ts";
import { type ClusterPorts, openClusterPorts } from "./gateway/ports.ts";
import { nodesOf } from "./nodes/open.ts";
import { kubernetesProgram } from "./program.ts";
import { PermissionsInStep } from "./rbac/in-step.ts";

/** How often it is looked whether clients are still let in, and for clusters that are new or gone, in milliseconds. */
const reviewEvery = 250;
const lookEvery = 1000;

const usualIdle = 10 * 60 * 1000;

export interface KubernetesOptions {
  /** Where the data of clusters is kept; beside the world's file unless given. That of a world without a file goes with the process. */
  readonly folder?: string;
  /** The program that runs control planes; the one of the PATH, or one that is built, unless given. */
  readonly program?: string;
  /** How long a control plane runs that nobody is connected to, in milliseconds; 10 minutes unless given. */
  readonly idle?: number;
  /** Is called with lines for whoever runs the server: ports that open, control planes that start. */
  readonly told?: (line: string) => void;
}

/** The clusters of a world, as they are served. */
export interface ServedKubernetes extends AsyncDisposable {
  readonly ports: ClusterPorts;
  readonly planes: ControlPlanes;
  readonly held: ServedFolder;
}

/**
 * Serves the clusters of a world to Kubernetes' clients.
 *
 * @param content of the images that nodes pull, if registries are served, too
 * @throws ConfigurationError if another server does, or if there is no program that can.
 */
export async function openKubernetes(
  world: World,
  options: KubernetesOptions,
  report: (mistake: unknown) => void,
  content?: ContentStore,
): Promise<ServedKubernetes> {
  const { told = () => undefined, idle = usualIdle } = options;
  const held = takeFolder(world, { kind: "kubernetes", what: "clusters", folder: options.folder });
  const { folder } = held;
  try {
    const program = await kubernetesProgram(options.program, told);
    const inStep = new WeakMap<ControlPlane, PermissionsInStep>();
    const lost = (clusterId: string, uin: string) => {
      front.cut(clusterId, uin);
    };
    const keepInStep: Attachment = async (plane) => {
      const permissions = await PermissionsInStep.begin(plane, { world, report, lost });
      inStep.set(plane, permissions);
      return permissions;
    };
    const attachments = [
      keepInStep,
      nodesOf({ world, access: new AccessControl(world), content }, report),
      cloudControllersOf(world, folder, report),
    ];
    const planes = await ControlPlanes.open({ world, folder, program, idle, told, report, attachments });
    const settle = async (running: Running) => inStep.get(running)?.settle();
    const front = new Front({ world, planes, settle, told, report });
    const taker = front.take.bind(front);
    const ports = await openClusterPorts({ world, told, taker, file: join(folder, "ports.json") });
    const stopLooking = repeat(lookEvery, report, async () => {
      await ports.look();
      await planes.look();
    });
    const stopReviewing = repeat(reviewEvery, report, async () => {
      front.review();
      for (const running of planes.all()) await inStep.get(running)?.settle({ isTrying: false });
    });
    return {
      ports,
      planes,
      held,
      [Symbol.asyncDispose]: async () => {
        await Promise.all([stopLooking(), stopReviewing(), front[Symbol.asyncDispose](), ports[Symbol.asyncDispose]()]);
        await planes[Symbol.asyncDispose]();
        held[Symbol.dispose]();
      },
    };
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
}
