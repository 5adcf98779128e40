import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { overlaps } from "../../../formats/addresses.ts";
import { type ClusterPlace, clustersNow } from "../../../local/cluster/access/kubeconfig.ts";
import { issuerOf } from "../../../local/cluster/control-plane/authentication.ts";
import { versionOf } from "../../../local/cluster/states.ts";
import { authorities, type ClusterRow, clusters } from "../../../local/cluster/tables.ts";
import { isDiskFull } from "../../../local/store/sqlite.ts";
import type { World } from "../../../local/store/world.ts";
import { vpcs } from "../../../local/vpc/tables.ts";
import type { Program } from "../program.ts";
import { ApiClient } from "./api-client.ts";
import type { Attachment, ControlPlane } from "./control-plane.ts";
import { Egress } from "./egress.ts";
import { type InternalKeys, writeKeys } from "./keys.ts";
import { ControlPlaneProcess, diskIsFull, killLeftOver, memoryComplaint } from "./process.ts";

/**
 * Tells of clusters that clients do not trust: they judge a cluster by the machine's clock, and the authority that it shows is of the
 * world's. Such a client ends the connection before it sends anything, so nobody else can tell of it.
 */
export class ClockWatch {
  readonly #world: World;
  readonly #told: (line: string) => void;
  /** Those that have been told of. */
  readonly #known = new Set<string>();

  constructor(world: World, told: (line: string) => void) {
    this.#world = world;
    this.#told = told;
  }

  /** Tells of a cluster once, if clients do not trust it now. */
  look({ region, account, cluster: { id } }: ClusterPlace): void {
    const row = this.#known.has(id) ? undefined : this.#world.rows(authorities, region, account).get(id);
    if (!row) return;
    const { validFromDate, validToDate } = new X509Certificate(row.certificate);
    if (validFromDate.getTime() <= Date.now() && Date.now() < validToDate.getTime()) return;
    this.#known.add(id);
    this.#told(
      `cluster ${id}: the world's clock was moved, and so its authority is valid from ${validFromDate.toISOString()} to ${validToDate.toISOString()}: ` +
        "by this machine's clock, clients do not trust it now",
    );
  }
}

/** What services take where the cluster was given no range: the first that is nobody else's in its VPC. */
const usual = ["192.168.0.0/17", "10.254.0.0/16", "172.31.0.0/16"] as const;

/** The ranges of the services of a cluster, one for each family, as the API server takes them. */
export function serviceRanges(
  { serviceCidr, clusterCidr, ipv6ServiceCidr }: Pick<ClusterRow["network"], "serviceCidr" | "clusterCidr" | "ipv6ServiceCidr">,
  vpcCidr: string,
): string {
  const taken = [vpcCidr, clusterCidr].filter((cidr) => cidr !== "");
  const free = usual.find((range) => !taken.some((cidr) => overlaps(range, cidr)));
  return [serviceCidr || (free ?? usual[0]), ...(ipv6ServiceCidr === undefined ? [] : [ipv6ServiceCidr])].join(",");
}

/** Who uses clusters, and since when nobody does. */
class Usage {
  readonly #users = new Map<string, number>();
  readonly #since = new Map<string, number>();

  /** Counts somebody until this is disposed of. */
  begin(clusterId: string): Disposable {
    this.#count(clusterId, 1);
    return {
      [Symbol.dispose]: () => {
        this.#count(clusterId, -1);
      },
    };
  }

  /** Somebody has just wanted a cluster. */
  note(clusterId: string): void {
    this.#since.set(clusterId, performance.now());
  }

  /** For how long nobody has used a cluster, in milliseconds. */
  idleFor(clusterId: string): number {
    return this.#users.has(clusterId) ? 0 : performance.now() - (this.#since.get(clusterId) ?? 0);
  }

  #count(clusterId: string, change: 1 | -1): void {
    const users = (this.#users.get(clusterId) ?? 0) + change;
    if (users === 0) this.#users.delete(clusterId);
    else this.#users.set(clusterId, users);
    this.note(clusterId);
  }
}

/** How many minor versions back a control plane can behave as an older one, and the oldest that it can (Kubernetes, `--emulated-version`). */
const farthest = 3;
const oldest = 31;

/** Why a program cannot run clusters of a version; `undefined` if it can: it behaves as their minor version. */
export function versionComplaint(clusterVersion: string, program: string): string | undefined {
  const newest = minorOf(program);
  const first = Math.max(oldest, newest - farthest);
  const wanted = minorOf(clusterVersion);
  if (first <= wanted && wanted <= newest) return undefined;
  return `a cluster of version ${clusterVersion} cannot be served: Kubernetes ${program} can behave as versions 1.${first} to 1.${newest}`;
}

function minorOf(version: string): number {
  return Number(version.split(".")[1]);
}

/** Why a cluster has no control plane, in a sentence for its clients. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
}

/** A control plane that runs, with all that was begun for it. */
export interface Running extends ControlPlane {
  /** What the front shows it. */
  readonly front: InternalKeys["front"];
  /** How it has ended, once it has. */
  readonly ending: () => string;
}

/** A control plane from its start to its end. */
interface Entry {
  readonly version: string;
  readonly running: Promise<Running>;
  /** What was begun for it, in order. */
  readonly begun: AsyncDisposable[];
  isStopping: boolean;
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
  readonly #usage = new Usage();
  readonly #clock: ClockWatch;
  readonly #entries = new Map<string, Entry>();
  readonly #ready = new Map<string, Running>();
  readonly #stopping = new Map<string, Promise<void>>();
  #isClosed = false;

  private constructor(given: Given) {
    this.#given = given;
    this.#clock = new ClockWatch(given.world, given.told);
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
    const { id } = place.cluster;
    await this.#stopping.get(id);
    if (this.#isClosed) throw new CannotRun("the server is stopping");
    return (this.#entries.get(id) ?? this.#start(this.#now(place))).running;
  }

  /** Those that are ready now. */
  all(): Running[] {
    return [...this.#ready.values()];
  }

  /** Has the control plane of a cluster go on, once it runs, until this is disposed of. */
  use(clusterId: string): Disposable {
    return this.#usage.begin(clusterId);
  }

  /** Stops what nobody uses, what belongs to no cluster any more, and what has another version than its cluster. Tells of what clients do not trust. */
  async look(): Promise<void> {
    const { world, folder, idle } = this.#given;
    const places = new Map((await clustersNow(world)).map((place) => [place.cluster.id, place]));
    for (const place of places.values()) this.#clock.look(place);
    const unwanted = [...this.#entries].filter(([id, { version }]) => {
      const place = places.get(id);
      const isIdle = this.#ready.has(id) && this.#usage.idleFor(id) > idle;
      return isIdle || place === undefined || versionNow(world, place) !== version;
    });
    await Promise.all(unwanted.map(([id, entry]) => this.#stop(id, entry)));
    for (const name of this.#folders())
      if (!places.has(name) && !this.#entries.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const [id, entry] of this.#entries) void this.#stop(id, entry);
    await Promise.all(this.#stopping.values());
  }

  #folders(): string[] {
    const { folder } = this.#given;
    return existsSync(folder) ? readdirSync(folder).filter((name) => clusterFolder.test(name)) : [];
  }

  /** A connection knows its cluster as it was when the connection began: it may have been upgraded since. */
  #now({ region, account, cluster: { id } }: ClusterPlace): ClusterPlace {
    const cluster = this.#given.world.rows(clusters, region, account).get(id);
    if (!cluster) throw new CannotRun(`cluster ${id} is gone`);
    return { region, account, cluster };
  }

  #start(place: ClusterPlace): Entry {
    const { id } = place.cluster;
    const { world, told, report } = this.#given;
    const version = versionNow(world, place);
    const begun: AsyncDisposable[] = [];
    const running = Promise.resolve().then(() => this.#run(place, entry));
    const entry: Entry = { version, running, begun, isStopping: false };
    this.#entries.set(id, entry);
    this.#usage.note(id);
    const follow = async () => {
      const plane = await running.catch(() => undefined);
      if (plane && !entry.isStopping) this.#ready.set(id, plane);
      await plane?.ended;
      if (plane && !entry.isStopping) told(`cluster ${id}: its control plane ${plane.ending()}; the next request starts it again`);
      await this.#stop(id, entry);
    };
    follow().catch(report);
    return entry;
  }

  #stop(id: string, entry: Entry): Promise<void> {
    if (this.#entries.get(id) !== entry) return this.#stopping.get(id) ?? Promise.resolve();
    entry.isStopping = true;
    this.#entries.delete(id);
    this.#ready.delete(id);
    const stopping = stopped(entry).finally(() => this.#stopping.delete(id));
    this.#stopping.set(id, stopping);
    return stopping;
  }

  async #run(place: ClusterPlace, entry: Entry): Promise<Running> {
    const { folder: parent, program, told } = this.#given;
    const { id } = place.cluster;
    const { version } = entry;
    const others = this.#entries.size - 1;
    const complaint = versionComplaint(version, program.kubernetes) ?? memoryComplaint(others, others - this.#ready.size);
    if (complaint !== undefined) throw new CannotRun(complaint);
    told(`cluster ${id}: starting Kubernetes ${version}`);
    const folder = join(parent, id);
    const plane = await this.#launch(place, entry, folder).catch((error: unknown) => {
      throw isDiskFull(error) ? doesNotStart(id, diskIsFull(folder)) : error;
    });
    told(`cluster ${id}: ready`);
    return plane;
  }

  /** Starts its process, and all that runs along with it. */
  async #launch(place: ClusterPlace, entry: Entry, folder: string): Promise<Running> {
    const { world, program, attachments } = this.#given;
    const { region, account, cluster } = place;
    const { version, begun } = entry;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const authority = world.rows(authorities, region, account).get(cluster.id);
    if (!authority) throw new CannotRun(`cluster ${cluster.id} is gone`);
    const keys = await writeKeys(folder, cluster.id, authority);
    const egress = await Egress.open(keys);
    begun.push(egress);
    writeFileSync(join(folder, "egress.json"), egress.configuration);
    if (entry.isStopping) throw new CannotRun("the server is stopping");
    const child = ControlPlaneProcess.start(program.file, folder, { version, ...this.#flagsOf(place) });
    begun.push(child);
    const port = await child.ready().catch((error: unknown) => {
      if (entry.isStopping) throw new CannotRun(`cluster ${cluster.id} is being stopped, as it has changed, or its server ends: try again`);
      throw doesNotStart(cluster.id, error instanceof Error ? error.message : String(error));
    });
    const api = new ApiClient(port, keys);
    begun.push(api);
    const plane: Running = {
      region,
      account,
      clusterId: cluster.id,
      port,
      ca: keys.ca,
      api,
      egress,
      front: keys.front,
      ended: child.ended,
      ending: () => child.ending(),
    };
    for (const attach of attachments) begun.push(await attach(plane));
    return plane;
  }

  #flagsOf({ region, account, cluster }: ClusterPlace): Readonly<Record<string, string>> {
    const { world } = this.#given;
    const { issuer = "", jwksUri = "" } = issuerOf({ region, now: world.now() }, cluster);
    const { cidrBlock = "" } = world.rows(vpcs, region, account).get(cluster.vpcId) ?? {};
    return { "service-ranges": serviceRanges(cluster.network, cidrBlock), issuer, "issuer-keys": jwksUri };
  }
}

function doesNotStart(id: string, reason: string): CannotRun {
  return new CannotRun(`the control plane of cluster ${id} does not start: ${reason}`);
}

/** Ends all that was begun for a control plane. One that is starting fails by that, and what it has begun meanwhile is ended then. */
async function stopped({ running, begun }: Entry): Promise<void> {
  await disposeOf(begun);
  await running.catch(() => undefined);
  await disposeOf(begun);
}

async function disposeOf(begun: AsyncDisposable[]): Promise<void> {
  for (let last = begun.pop(); last; last = begun.pop()) await last[Symbol.asyncDispose]();
}

function versionNow(world: World, { cluster }: ClusterPlace): string {
  return versionOf({ now: world.now() }, cluster);
}
