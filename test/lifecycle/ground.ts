import { rmSync } from "node:fs";
import { LocalControl, type Snapshot } from "@container-platform/sdk/local";
import { Stage } from "../host/stage.ts";
import { StandIn } from "./engine.ts";
import type { Entry } from "./state.ts";

/** A moment of a stack: what is on the platform, and what the state says of it. */
export interface Moment {
  readonly world: Snapshot;
  readonly state: readonly Entry[];
}

type Calls = Awaited<ReturnType<Stage["calls"]>>;
export type Call = Calls[number];

/** What became of one run. */
export interface RunOutcome {
  readonly deeds: readonly string[];
  readonly calls: Calls;
  readonly failure: string | undefined;
}

/** A platform and a stack on it, that can be taken back to a moment as often as one likes. */
export class Ground implements AsyncDisposable {
  readonly stage: Stage;
  readonly engine: StandIn;
  readonly #control: LocalControl;

  private constructor(stage: Stage) {
    this.stage = stage;
    this.engine = new StandIn(stage.host);
    this.#control = new LocalControl(stage.world);
  }

  static async open(): Promise<Ground> {
    return new Ground(await Stage.open());
  }

  async moment(): Promise<Moment> {
    return { world: await this.#control.snapshot(), state: this.engine.state };
  }

  /** As it was then, with a provider that remembers nothing. */
  async goTo({ world, state }: Moment): Promise<void> {
    await this.#control.restore(world);
    rmSync(this.stage.stateFolder, { recursive: true, force: true });
    this.engine.state = state;
    await this.anew();
  }

  /** The next run begins: the engine has ended the provider of the last one, once all was saved. */
  async anew(): Promise<void> {
    await this.stage.host.restart("SIGINT");
  }

  /** One run of the engine. Its failure is an outcome. */
  async run(work: (engine: StandIn, deeds: string[]) => Promise<unknown>): Promise<RunOutcome> {
    const deeds: string[] = [];
    let failure: string | undefined;
    const calls = await this.stage.calls(async () => {
      try {
        await work(this.engine, deeds);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    });
    return { deeds, calls, failure };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
  }
}
