import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { LocalControl, LocalPlatform, World } from "@container-platform/sdk/local";
import { region } from "../provider/stage/stage.ts";
import { ProviderHere } from "../support/provider-here.ts";
import type { Program } from "./program.ts";
import type { Checkpoint, RunOutcome } from "./resettable-stack.ts";
import { SimulatedEngine, type Way } from "./simulated-engine.ts";
import { entriesSchema, type Entry } from "./state.ts";

/**
 * How long each operation may take. The platform does everything at once, and the engine one operation after another: what is not there
 * by then never comes.
 */
const limit = "3s";

/** A stack of the simulated engine whose provider is in this process: a run takes milliseconds. */
export class QuickStack implements Disposable {
  readonly cloud: Cloud;
  readonly #world: World;
  readonly #folder: string;
  readonly #stateHome = process.env["XDG_STATE_HOME"];
  #provider: ProviderHere;
  #engine: SimulatedEngine;

  private constructor(folder: string, world: World) {
    this.#folder = folder;
    this.#world = world;
    this.cloud = new Cloud({ transport: new LocalPlatform(world), region });
    process.env["XDG_STATE_HOME"] = this.#intents;
    this.#provider = new ProviderHere(world, region);
    this.#engine = new SimulatedEngine(this.#provider, limit);
  }

  static open(): QuickStack {
    const folder = mkdtempSync(join(tmpdir(), "container-platform-quick-"));
    return new QuickStack(folder, World.open(join(folder, "world.db"), { pace: "instant", seed: "laws" }));
  }

  get #intents(): string {
    return join(this.#folder, "state");
  }

  async checkpoint(): Promise<Checkpoint> {
    return { world: await new LocalControl(this.#world).snapshot(), state: JSON.stringify(this.#engine.state) };
  }

  /** World and state are as they were. The provider remembers nothing. */
  async goBackTo({ world, state }: Checkpoint): Promise<void> {
    await new LocalControl(this.#world).restore(world);
    rmSync(this.#intents, { recursive: true, force: true });
    this.#beginWith(entriesSchema.parse(JSON.parse(state)));
  }

  /** Ends the provider of the last run, as the engine does once all is saved, and begins with another. */
  async restartProvider(): Promise<void> {
    await this.#provider.end();
    this.#beginWith(this.#engine.state);
  }

  async up(program: Program, way: Way = {}): Promise<Pick<RunOutcome, "operations" | "failure">> {
    const operations: string[] = [];
    try {
      await this.#engine.up(program, operations, way);
      return { operations, failure: undefined };
    } catch (error) {
      return { operations, failure: error instanceof Error ? error.message : String(error) };
    }
  }

  entries(): Promise<readonly Entry[]> {
    return Promise.resolve(this.#engine.state);
  }

  /** How often the provider has refused something in the last run, which was not heeded. */
  get refusals(): number {
    return this.#engine.refusals;
  }

  /** What the last run has left, or would leave if it was a preview. */
  get planned(): readonly Entry[] {
    return this.#engine.planned;
  }

  #beginWith(state: SimulatedEngine["state"]): void {
    this.#provider = new ProviderHere(this.#world, region);
    this.#engine = new SimulatedEngine(this.#provider, limit);
    this.#engine.state = state;
  }

  [Symbol.dispose](): void {
    this.#world.close();
    rmSync(this.#folder, { recursive: true, force: true });
    if (this.#stateHome === undefined) delete process.env["XDG_STATE_HOME"];
    else process.env["XDG_STATE_HOME"] = this.#stateHome;
  }
}
