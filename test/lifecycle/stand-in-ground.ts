import { z } from "zod";
import { Stage } from "../provider/stage.ts";
import { withoutSecrets } from "../support/structs.ts";
import { StandIn } from "./engine.ts";
import type { Call, Ground, Moment, RunOutcome } from "./ground.ts";
import type { Program } from "./program.ts";
import { entriesSchema } from "./state.ts";

/** A ground on which the stand-in plays the engine's part. */
export class StandInGround implements Ground {
  readonly #stage: Stage;
  readonly #engine: StandIn;

  private constructor(stage: Stage) {
    this.#stage = stage;
    this.#engine = new StandIn(stage.host);
  }

  static async open(): Promise<StandInGround> {
    return new StandInGround(await Stage.open());
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

  async moment(): Promise<Moment> {
    return { world: await this.world(), state: JSON.stringify(this.#engine.state) };
  }

  world() {
    return this.#stage.snapshot();
  }

  async goTo({ world, state }: Moment): Promise<void> {
    await this.#stage.goBack(world);
    this.#engine.state = entriesSchema.parse(JSON.parse(state));
    this.#engine.told.length = 0;
  }

  anew(): Promise<readonly Call[]> {
    // So the engine ends its provider, once all is saved.
    return this.#stage.calls(() => this.#stage.host.restart("SIGINT"));
  }

  up(program: Program, { refresh = false } = {}): Promise<RunOutcome> {
    return this.#run(async (deeds) => {
      if (refresh) await this.#engine.refresh(deeds);
      await this.#engine.up(program, deeds);
    });
  }

  refresh(): Promise<RunOutcome> {
    return this.#run((deeds) => this.#engine.refresh(deeds));
  }

  destroy(): Promise<RunOutcome> {
    return this.#run((deeds) => this.#engine.destroy(deeds));
  }

  named() {
    return Promise.resolve(this.#engine.state);
  }

  contents() {
    return this.#stage.contents();
  }

  tellsSecrets(): Promise<boolean> {
    const { told } = this.#engine;
    const secrets = told
      .flatMap(({ token, kubeconfig }) => [token, kubeconfig])
      .flatMap((value) => secretSchema.safeParse(value).data ?? []);
    const open = JSON.stringify(withoutSecrets(told));
    return Promise.resolve(open.includes("PRIVATE KEY") || secrets.some((secret) => open.includes(JSON.stringify(secret).slice(1, -1))));
  }

  async #run(work: (deeds: string[]) => Promise<unknown>): Promise<RunOutcome> {
    const deeds: string[] = [];
    let failure: string | undefined;
    const calls = await this.#stage.calls(async () => {
      try {
        await work(deeds);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    });
    return { deeds, calls, failure };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stage[Symbol.asyncDispose]();
  }
}

/** A secret as it is told, marked or not. */
const secretSchema = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]).transform((value) => [value]);
