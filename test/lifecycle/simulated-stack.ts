import { z } from "zod";
import { Stage } from "../provider/stage/stage.ts";
import type { Form } from "../support/forms.ts";
import type { Meddler } from "../support/meddler.ts";
import { withoutSecrets } from "../support/structs.ts";
import { SimulatedEngine, type Way } from "./simulated-engine.ts";
import type { Call, ResettableStack, Checkpoint, RunOutcome } from "./resettable-stack.ts";
import type { Program } from "./program.ts";
import { entriesSchema } from "./state.ts";

/** A stack of the simulated engine. */
export class SimulatedStack implements ResettableStack {
  readonly #stage: Stage;
  readonly #engine: SimulatedEngine;

  private constructor(stage: Stage) {
    this.#stage = stage;
    this.#engine = new SimulatedEngine(stage.host);
  }

  static async open(form: Form = "in process"): Promise<SimulatedStack> {
    return new SimulatedStack(await Stage.open({ keepsSpare: true, form }));
  }

  /** The provider is in this process, and what stands between it and the platform can change answers. */
  static async meddled(): Promise<{ readonly stack: SimulatedStack; readonly meddler: Meddler }> {
    const { stage, meddler } = await Stage.meddled();
    return { stack: new SimulatedStack(stage), meddler };
  }

  get cloud() {
    return this.#stage.cloud;
  }

  get faults() {
    return this.#stage.faults;
  }

  get printed(): readonly string[] {
    return this.#stage.host.printed;
  }

  async checkpoint(): Promise<Checkpoint> {
    return { world: await this.world(), state: JSON.stringify(this.#engine.state) };
  }

  world() {
    return this.#stage.snapshot();
  }

  async goBackTo({ world, state }: Checkpoint): Promise<void> {
    await this.#stage.goBack(world);
    this.#engine.state = entriesSchema.parse(JSON.parse(state));
    this.#engine.answers.length = 0;
  }

  restartProvider(): Promise<readonly Call[]> {
    // That is how the engine ends its provider, once all is saved.
    return this.#stage.calls(() => this.#stage.host.restart("SIGINT"));
  }

  up(program: Program, { refresh = false, ...way }: { readonly refresh?: boolean } & Way = {}): Promise<RunOutcome> {
    return this.#run(async (operations) => {
      if (refresh) await this.#engine.refresh(operations);
      await this.#engine.up(program, operations, way);
    });
  }

  refresh(): Promise<RunOutcome> {
    return this.#run((operations) => this.#engine.refresh(operations));
  }

  destroy(): Promise<RunOutcome> {
    return this.#run((operations) => this.#engine.destroy(operations));
  }

  entries() {
    return Promise.resolve(this.#engine.state);
  }

  contents() {
    return this.#stage.contents();
  }

  leaksSecrets(): Promise<boolean> {
    const { answers } = this.#engine;
    const secrets = answers
      .flatMap(({ token, kubeconfig }) => [token, kubeconfig])
      .flatMap((value) => secretSchema.safeParse(value).data ?? []);
    const open = JSON.stringify(withoutSecrets(answers));
    return Promise.resolve(open.includes("PRIVATE KEY") || secrets.some((secret) => open.includes(JSON.stringify(secret).slice(1, -1))));
  }

  async #run(work: (operations: string[]) => Promise<unknown>): Promise<RunOutcome> {
    const operations: string[] = [];
    let failure: string | undefined;
    const calls = await this.#stage.calls(async () => {
      try {
        await work(operations);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    });
    return { operations, calls, failure };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stage[Symbol.asyncDispose]();
  }
}

/** A secret in an answer, marked as one or not. */
const secretSchema = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]).transform((value) => [value]);
