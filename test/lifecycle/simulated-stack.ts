import { z } from "zod";
import { stateIn } from "../../provider/src/runtime/stack-export.ts";
import { region, Stage } from "../provider/stage/stage.ts";
import type { Form } from "../support/forms.ts";
import { severities } from "../support/host.ts";
import { Meddler } from "../support/meddler.ts";
import { ProviderHere, type Reach } from "../support/provider-here.ts";
import { providerId } from "../support/simulated-state.ts";
import { StrictImitation } from "../support/strict-imitation.ts";
import { withoutSecrets } from "../support/structs.ts";
import { SimulatedEngine, type Way } from "./simulated-engine.ts";
import type { Call, Checkpoint, ResettableStack, RunOutcome } from "./resettable-stack.ts";
import type { Program } from "./program.ts";
import { entriesSchema, pendingSchema } from "./state.ts";

const checkpointSchema = z.object({ entries: entriesSchema, pending: pendingSchema, providerId: z.string().default(providerId) });

/** A stack of the simulated engine, whose provider is in this process: a run takes milliseconds. There is one at a time. */
export class SimulatedStack implements ResettableStack {
  readonly stage: Stage<ProviderHere>;
  readonly #host: ProviderHere;
  readonly #engine: SimulatedEngine;

  private constructor(stage: Stage<ProviderHere>, backend: Backend, { limit, host = stage.host, firstProvider }: Settings = {}) {
    this.stage = stage;
    this.#host = host;
    this.#engine = new SimulatedEngine(host, limit, firstProvider);
    backend.engine = this.#engine;
  }

  /**
   * @param limit how long each operation may take, such as `3s`; as long as usual unless given
   * @param readState reads the state from what `pulumi stack export` prints
   */
  static async open(form: Form = "in process", limit?: string, others: Partial<Reach> = {}): Promise<SimulatedStack> {
    const backend = new Backend();
    const reach = { ...backend.reach, ...others };
    const stage = form === "public" ? (await Stage.behind((url) => StrictImitation.before(url), reach)).stage : Stage.here(reach);
    return new SimulatedStack(stage, backend, { limit });
  }

  /** A stack of the same name in another backend, on the same platform. It is open as long as this one. */
  inOtherBackend(): SimulatedStack {
    const backend = new Backend();
    const host = new ProviderHere(this.stage.world, region, backend.reach);
    return new SimulatedStack(this.stage, backend, { host, firstProvider: "0b0b0b0b-0000-4000-8000-000000000001" });
  }

  /** The platform is reached in the form of the public API, and what stands before it can change answers. */
  static async meddled(): Promise<{ readonly stack: SimulatedStack; readonly meddler: Meddler }> {
    const backend = new Backend();
    const { stage, front: meddler } = await Stage.behind((url) => Meddler.before(url), backend.reach);
    return { stack: new SimulatedStack(stage, backend), meddler };
  }

  get cloud() {
    return this.stage.cloud;
  }

  get faults() {
    return this.stage.faults;
  }

  async checkpoint(): Promise<Checkpoint> {
    const { state: entries, pending, providerId: id } = this.#engine;
    return { world: await this.world(), state: JSON.stringify({ entries, pending, providerId: id }) };
  }

  world() {
    return this.stage.snapshot();
  }

  async goBackTo({ world, state }: Checkpoint): Promise<void> {
    const { entries, pending, providerId: id } = checkpointSchema.parse(JSON.parse(state));
    // The next provider learns its ID as it begins.
    this.#engine.providerId = id;
    await this.stage.goBack(world);
    this.#engine.state = entries;
    this.#engine.pending = pending;
    this.#engine.hasProvider = entries.length > 0;
    this.#engine.answers.length = 0;
  }

  restartProvider(): Promise<readonly Call[]> {
    // That is how the engine ends its provider, once all is saved.
    return this.stage.calls(() => this.#host.restart("SIGINT"));
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

  exported(): Promise<string> {
    return Promise.resolve(this.#engine.exported());
  }

  entries() {
    return Promise.resolve(this.#engine.state);
  }

  /** How often the provider has refused something in the last run, which was not heeded. */
  get refusals(): number {
    return this.#engine.refusals;
  }

  /** The state that the last run has left, or would leave if it was a preview. */
  get planned() {
    return this.#engine.planned;
  }

  contents() {
    return this.stage.contents();
  }

  /** The permanent lines of a severity that the provider shows during some work, and at the end of its run. */
  async lines(severity: keyof typeof severities, work: () => Promise<unknown>): Promise<readonly string[]> {
    const since = this.#host.lines.length;
    await work();
    await this.restartProvider();
    return this.#linesSince(since, severity);
  }

  #linesSince(since: number, severity: keyof typeof severities): readonly string[] {
    const lines = this.#host.lines.slice(since).filter((line) => line.severity === severities[severity] && !line.ephemeral);
    return lines.map(({ message }) => message);
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
    const since = this.#host.lines.length;
    let failure: string | undefined;
    const calls = await this.stage.calls(async () => {
      try {
        await work(operations);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    });
    // The next run has another provider.
    if (this.#host.isDead) await this.#host.restart("SIGKILL");
    const errors = failure === undefined ? [] : [{ of: this.#engine.at, message: failure }];
    return { operations, calls, failure, warnings: this.#linesSince(since, "warning"), errors };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
  }
}

interface Settings {
  readonly limit?: string | undefined;
  /** The provider; that of the stage, unless given. */
  readonly host?: ProviderHere;
  readonly firstProvider?: string;
}

/** Has the state of a stack that is yet to be opened: the provider reads it with `pulumi stack export`. */
class Backend {
  engine: SimulatedEngine | undefined;
  readonly reach: Pick<Reach, "readState" | "providerId"> = {
    readState: () => Promise.resolve(stateIn(this.engine?.exported() ?? "{}")),
    providerId: () => this.engine?.providerId ?? providerId,
  };
}

/** A secret in an answer, marked as one or not. */
const secretSchema = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]).transform((value) => [value]);
