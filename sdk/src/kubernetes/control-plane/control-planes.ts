import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ClusterPlace, everyCluster } from "../../local/cluster/access/clients.ts";
import { issuerOf } from "../../local/cluster/control-plane/authentication.ts";
import { versionOf } from "../../local/cluster/states.ts";
import { authorities } from "../../local/cluster/tables.ts";
import type { World } from "../../local/store/world.ts";
import { vpcs } from "../../local/vpc/tables.ts";
import type { Program } from "../program/program.ts";
import { ApiClient } from "./api-client.ts";
import type { Attachment, ControlPlane } from "./control-plane.ts";
import { Egress } from "./egress.ts";
import { type InternalKeys, writeKeys } from "./keys.ts";
import { memoryComplaint } from "./memory.ts";
import { ControlPlaneProcess, killLeftOver } from "./process.ts";
import { serviceRanges } from "./service-ranges.ts";
import { versionComplaint } from "./versions.ts";

/** Why a cluster has no control plane, in a sentence for its clients. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
}

/** A control plane that runs, with all that was begun for it. */
export interface Running extends ControlPlane {
  /** What the front shows it. */
  readonly front: InternalKeys["front"];
  /** The version of its cluster when it was started. */
  readonly version: string;
}

interface Entry {
  readonly running: Promise<Running>;
  readonly stop: () => Promise<void>;
  /** How many connections use it, and since when none does. */
  users: number;
  idleSince: number;
}

interface Given {
  readonly world: World;
  readonly folder: string;
  readonly program: Program;
  /** How long a control plane runs without a connection, in milliseconds. */
  readonly idle: number;
  readonly attachments: readonly Attachment[];
  readonly told: (line: string) => void;
  readonly report: (mistake: unknown) => void;
}

/** The folder of a cluster has its id for its name. */
const clusterFolder = /^cls-[0-9a-f]+$/;

/** The control planes of a world: one process for each cluster that somebody uses, and its data in a folder of its own. */
export class ControlPlanes implements AsyncDisposable {
  readonly #given: Given;
  readonly #entries = new Map<string, Entry>();
  #starting = 0;
  #isClosed = false;

  private constructor(given: Given) {
    this.#given = given;
  }

  /** Kills what an earlier server has left behind, and removes the data of clusters that are gone. */
  static async open(given: Given): Promise<ControlPlanes> {
    mkdirSync(given.folder, { recursive: true, mode: 0o700 });
    const planes = new ControlPlanes(given);
    await Promise.all(planes.#folders().map((name) => killLeftOver(join(given.folder, name))));
    await planes.look();
    return planes;
  }

  /**
   * The control plane of a cluster, which is started if it does not run.
   *
   * @throws CannotRun if it cannot be.
   */
  async running(place: ClusterPlace): Promise<Running> {
    if (this.#isClosed) throw new CannotRun("the server is stopping");
    const { id } = place.cluster;
    return (this.#entries.get(id) ?? this.#start(place)).running;
  }

  /** Those that run now. */
  async all(): Promise<Running[]> {
    const settled = await Promise.allSettled([...this.#entries.values()].map(({ running }) => running));
    return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  /** Keeps the control plane of a cluster running until this is disposed of. */
  use(clusterId: string): Disposable {
    const entry = this.#entries.get(clusterId);
    if (entry) entry.users++;
    return {
      [Symbol.dispose]: () => {
        if (!entry) return;
        entry.users--;
        entry.idleSince = performance.now();
      },
    };
  }

  /** Stops what nobody uses, what belongs to no cluster any more, and what has another version than its cluster. */
  async look(): Promise<void> {
    const { world, folder, idle } = this.#given;
    const places = new Map(everyCluster(world).map((place) => [place.cluster.id, place]));
    const stopping = [...this.#entries].map(async ([id, { users, idleSince, running, stop }]) => {
      const isIdle = users === 0 && performance.now() - idleSince > idle;
      const place = places.get(id);
      const isOld = place !== undefined && (await running.then(({ version }) => version !== versionNow(world, place)).catch(() => false));
      if (isIdle || isOld || place === undefined) await stop();
    });
    await Promise.all(stopping);
    for (const name of this.#folders())
      if (!places.has(name) && !this.#entries.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.values()].map(({ stop }) => stop()));
  }

  #folders(): string[] {
    const { folder } = this.#given;
    return existsSync(folder) ? readdirSync(folder).filter((name) => clusterFolder.test(name)) : [];
  }

  #start(place: ClusterPlace): Entry {
    const { id } = place.cluster;
    const begun: AsyncDisposable[] = [];
    const running = this.#run(place, begun);
    this.#starting++;
    void running.catch(() => undefined).finally(() => this.#starting--);
    const entry: Entry = {
      running,
      stop: async () => {
        await running.catch(() => undefined);
        for (let last = begun.pop(); last; last = begun.pop()) await last[Symbol.asyncDispose]();
        if (this.#entries.get(id) === entry) this.#entries.delete(id);
      },
      users: 0,
      idleSince: performance.now(),
    };
    this.#entries.set(id, entry);
    running
      .then(
        async ({ ended }) => {
          await ended;
          await entry.stop();
        },
        () => entry.stop(),
      )
      .catch(this.#given.report);
    return entry;
  }

  async #run(place: ClusterPlace, begun: AsyncDisposable[]): Promise<Running> {
    const { world, folder: parent, program, attachments, told } = this.#given;
    const { region, account, cluster } = place;
    const version = versionNow(world, place);
    const complaint = versionComplaint(version, program.kubernetes) ?? memoryComplaint(this.#entries.size, this.#starting);
    if (complaint !== undefined) throw new CannotRun(complaint);
    told(`cluster ${cluster.id}: starting Kubernetes ${version}`);
    const folder = join(parent, cluster.id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const keys = await this.#keysOf(place, folder);
    const egress = await Egress.open();
    begun.push(egress);
    writeFileSync(join(folder, "egress.json"), egress.configuration);
    const child = ControlPlaneProcess.start(program.file, folder, { version, ...this.#flagsOf(place) });
    begun.push(child);
    const port = await child.ready().catch((error: unknown) => {
      throw new CannotRun(
        `the control plane of cluster ${cluster.id} does not start: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    const access = { port, ca: keys.ca, clientCert: keys.admin.certificate, clientKey: keys.admin.privateKey };
    const api = new ApiClient(access);
    begun.push(api);
    const plane: Running = {
      region,
      account,
      clusterId: cluster.id,
      ...access,
      api,
      egress,
      front: keys.front,
      version,
      ended: child.ended,
    };
    for (const attach of attachments) begun.push(await attach(plane));
    told(`cluster ${cluster.id}: ready`);
    return plane;
  }

  #keysOf({ region, account, cluster: { id } }: ClusterPlace, folder: string): Promise<InternalKeys> {
    const authority = this.#given.world.rows(authorities, region, account).get(id);
    if (!authority) throw new CannotRun(`cluster ${id} is gone`);
    return writeKeys(folder, id, authority);
  }

  #flagsOf({ region, account, cluster }: ClusterPlace): Readonly<Record<string, string>> {
    const { world } = this.#given;
    const { issuer = "", jwksUri = "" } = issuerOf({ region, now: world.now() }, cluster);
    const { cidrBlock = "" } = world.rows(vpcs, region, account).get(cluster.vpcId) ?? {};
    return { "service-ranges": serviceRanges(cluster.network, cidrBlock), issuer, "issuer-keys": jwksUri };
  }
}

function versionNow(world: World, { cluster }: ClusterPlace): string {
  return versionOf({ now: world.now() }, cluster);
}
