import { z } from "zod";
import { savedStackIn } from "../../provider/src/runtime/stack-export.ts";
import { Stage } from "../provider/stage/stage.ts";
import type { Form } from "../support/forms.ts";
import { severities } from "../support/host.ts";
import { Meddler } from "../support/meddler.ts";
import type { ProviderHere, Reach } from "../support/provider-here.ts";
import { StrictImitation } from "../support/strict-imitation.ts";
import { withoutSecrets } from "../support/structs.ts";
import { SimulatedEngine, type Way } from "./simulated-engine.ts";
import type { Call, Checkpoint, ResettableStack, RunOutcome } from "./resettable-stack.ts";
import type { Program } from "./program.ts";
import { entriesSchema, pendingSchema } from "./state.ts";

const checkpointSchema = z.object({ entries: entriesSchema, pending: pendingSchema });

/** A stack of the simulated engine, whose provider is in this process: a run takes milliseconds. There is one at a time. */
export class SimulatedStack implements ResettableStack {
  readonly stage: Stage<ProviderHere>;
  readonly #engine: SimulatedEngine;

  private constructor(stage: Stage<ProviderHere>, saved: { read: () => string }, limit?: string) {
    this.stage = stage;
    this.#engine = new SimulatedEngine(stage.host, limit);
    saved.read = () => this.#engine.exported();
  }

  /** @param limit how long each operation may take, such as `3s`; as long as usual unless given */
  static async open(form: Form = "in process", limit?: string): Promise<SimulatedStack> {
    const { reach, saved } = saving();
    const stage = form === "public" ? (await Stage.behind((url) => StrictImitation.before(url), reach)).stage : Stage.here(reach);
    return new SimulatedStack(stage, saved, limit);
  }

  /** The platform is reached in the form of the public API, and what stands before it can change answers. */
  static async meddled(): Promise<{ readonly stack: SimulatedStack; readonly meddler: Meddler }> {
    const { reach, saved } = saving();
    const { stage, front: meddler } = await Stage.behind((url) => Meddler.before(url), reach);
    return { stack: new SimulatedStack(stage, saved), meddler };
  }

  get cloud() {
    return this.stage.cloud;
  }

  get faults() {
    return this.stage.faults;
  }

  async checkpoint(): Promise<Checkpoint> {
    return { world: await this.world(), state: JSON.stringify({ entries: this.#engine.state, pending: this.#engine.pending }) };
  }

  world() {
    return this.stage.snapshot();
  }

  async goBackTo({ world, state }: Checkpoint): Promise<void> {
    await this.stage.goBack(world);
    const { entries, pending } = checkpointSchema.parse(JSON.parse(state));
    this.#engine.state = entries;
    this.#engine.pending = pending;
    this.#engine.hasProvider = entries.length > 0;
    this.#engine.answers.length = 0;
  }

  restartProvider(): Promise<readonly Call[]> {
    // That is how the engine ends its provider, once all is saved.
    return this.stage.calls(() => this.stage.host.restart("SIGINT"));
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
    const since = this.stage.host.lines.length;
    await work();
    await this.restartProvider();
    const lines = this.stage.host.lines.slice(since).filter((line) => line.severity === severities[severity] && !line.ephemeral);
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
    let failure: string | undefined;
    const calls = await this.stage.calls(async () => {
      try {
        await work(operations);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    });
    // The next run has another provider.
    if (this.stage.host.isDead) await this.stage.host.restart("SIGKILL");
    return { operations, calls, failure };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
  }
}

/** What the provider reads of the state: `pulumi stack export` of the stack that is yet to be opened. */
function saving(): { readonly reach: Pick<Reach, "readSaved" | "listStacks">; readonly saved: { read: () => string } } {
  const saved = { read: () => "{}" };
  const read = () => Promise.resolve(savedStackIn(saved.read()));
  const listStacks = () => Promise.resolve([{ project: "throw-away", stack: "test", read }]);
  return { reach: { readSaved: read, listStacks }, saved };
}

/** A secret in an answer, marked as one or not. */
const secretSchema = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]).transform((value) => [value]);
