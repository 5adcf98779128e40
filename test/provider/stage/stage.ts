import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cloud, connect } from "@container-platform/sdk";
import { accessKeyOf, Faults, LocalControl, LocalPlatform, type TimeScale, type Snapshot, World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { Deployment } from "../../support/deployment.ts";
import { Host, type Runs } from "../../support/host.ts";
import { ProviderHere, type Reach } from "../../support/provider-here.ts";
import type { Props } from "../../support/structs.ts";
import { callsOf, type Contents, contentsOf, countOf, type Recorded } from "../../support/world-content.ts";

export const region = "eu-frankfurt";

/** A throw-away world, a provider that works in it, and a client that changes the world behind the provider's back. */
export class Stage<Provider extends Runs = Runs> implements AsyncDisposable {
  readonly world: World;
  readonly cloud: Cloud;
  readonly faults: Faults;
  readonly host: Provider;
  readonly endpoint: string;
  readonly #folder: string;
  readonly #undone: (() => Promise<unknown>)[] = [];
  /** Closes what stands between the provider and the world. */
  #close: (() => Promise<void>) | undefined;

  private constructor(folder: string, world: World, host: Provider) {
    this.#folder = folder;
    this.world = world;
    this.host = host;
    this.endpoint = `local:${world.file}`;
    this.faults = new Faults(world);
    this.cloud = new Cloud({ transport: new LocalPlatform(world), region });
  }

  /** The provider is a process of its own. */
  static async open({ config = {} }: { readonly config?: Readonly<Record<string, string>> } = {}): Promise<Stage<Host>> {
    const { folder, world } = newWorld();
    const host = await Host.start({
      config: { "container-platform:endpoint": `local:${world.file}`, "container-platform:region": region, ...config },
    });
    return new Stage(folder, world, host);
  }

  static here({ timeScale, ...reach }: { readonly timeScale?: TimeScale } & Partial<Reach> = {}): Stage<ProviderHere> {
    const { folder, world } = newWorld(timeScale);
    return Stage.#around(folder, world, reach);
  }

  /**
   * The provider is in this process, and reaches the world over HTTP in the form of the public API, through something that stands before the
   * server: what checks calls, or changes answers.
   */
  static async behind<Front extends AsyncDisposable & { readonly url: string }>(
    before: (platform: string) => Promise<Front>,
    reach: Partial<Omit<Reach, "transport">> = {},
  ): Promise<{ readonly stage: Stage<ProviderHere>; readonly front: Front }> {
    const { folder, world } = newWorld();
    const server = await serve(world);
    const front = await before(server.url);
    const transport = await connect(`public:${front.url}`, { credentials: accessKeyOf(world) });
    const stage = Stage.#around(folder, world, { ...reach, transport });
    const close = async () => {
      await transport.close();
      await front[Symbol.asyncDispose]();
      await server.close();
    };
    stage.#close = close;
    return { stage, front };
  }

  static #around(folder: string, world: World, reach: Partial<Reach>): Stage<ProviderHere> {
    return new Stage(folder, world, new ProviderHere(world, region, reach));
  }

  cloudIn(other: string): Cloud {
    return new Cloud({ transport: new LocalPlatform(this.world), region: other });
  }

  deployment(type: string, name = "example", options: Props = {}): Deployment {
    return new Deployment(this.host, type, name, options);
  }

  /** The same, with some inputs deployed. */
  async deployed(type: string, args: Props, name?: string, options?: Props): Promise<Deployment> {
    const one = this.deployment(type, name, options);
    await one.up(args);
    return one;
  }

  /** Makes a resource that a test needs besides its own, such as a VPC for a subnet. They are undone in reverse order. */
  async before<T>(make: () => Promise<T>, undo: (made: T) => Promise<unknown>): Promise<T> {
    const made = await make();
    this.#undone.unshift(() => undo(made));
    return made;
  }

  /** How many of them have still to be undone. */
  get made(): number {
    return this.#undone.length;
  }

  async undoAll(): Promise<void> {
    await this.undoLast(this.made);
  }

  async undoLast(count: number): Promise<void> {
    for (const undo of this.#undone.splice(0, count)) await undo();
  }

  snapshot(): Promise<Snapshot> {
    return new LocalControl(this.world).snapshot();
  }

  /** Puts the world back, with a provider that remembers nothing. `made`: how many resources had to be undone at the time of the snapshot. */
  async goBack(snapshot: Snapshot, made = 0): Promise<void> {
    await this.host.restart("SIGKILL");
    await new LocalControl(this.world).restore(snapshot);
    this.host.saved.forget();
    this.#undone.splice(0, this.#undone.length - made);
  }

  /** The calls that the platform has answered during some work, in order. */
  async calls(work: () => Promise<unknown>): Promise<readonly Recorded[]> {
    const before = countOf(this.world, "audit");
    await work();
    return callsOf(this.world, before);
  }

  /** The writing calls during some work: their actions, with the code where one was refused. */
  async writes(work: () => Promise<unknown>): Promise<readonly string[]> {
    const calls = await this.calls(work);
    return calls.filter(({ effect }) => effect === "write").map(({ action, code }) => (code === "" ? action : `${action}: ${code}`));
  }

  /** Expired rows do not count. */
  async contents(): Promise<Contents> {
    await this.world.transaction(() => undefined);
    return contentsOf(this.world);
  }

  async rows(table: string): Promise<number> {
    return (await this.contents())[table] ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    await this.#close?.();
    this.world.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function newWorld(timeScale: TimeScale = "instant") {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-laws-"));
  return { folder, world: World.open(join(folder, "world.db"), { timeScale, seed: "laws" }) };
}

/** The contents without what a cluster keeps about its past, which changes with every call and is deleted with the cluster. */
export function withoutHistory({ clusterTasks: _tasks, clientCertificates: _certificates, ...others }: Contents): Contents {
  return others;
}
