import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LocalControl } from "@container-platform/sdk/local";
import { z } from "zod";
import { mendTornState } from "../../scripts/stack.js";
import { kindOfToken } from "../../provider/src/runtime/tokens.ts";
import type { Form } from "../support/forms.ts";
import { isRunning, nameOf, operationsOf, type Outcome, type Run } from "../support/pulumi.ts";
import { engineUrn } from "../support/shell.ts";
import { Stack } from "../support/stack.ts";
import type { Backend } from "../support/state-service.ts";
import type { Call, ResettableStack, Checkpoint, EntrySummary, RunOutcome, UpOptions } from "./resettable-stack.ts";
import { type Program, urnOf } from "./program.ts";
import type { Kill } from "./simulated-engine.ts";
import { textOf } from "./program-text.ts";
import type { Part } from "./steps.ts";

const resourceSchema = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().default(""),
  delete: z.boolean().default(false),
  pendingReplacement: z.boolean().default(false),
  outputs: z.record(z.string(), z.unknown()).default({}),
});
const stateSchema = z.object({ deployment: z.object({ resources: z.array(resourceSchema).default([]) }) });
const secretSchema = z.object({ plaintext: z.string() }).transform(({ plaintext }) => z.string().parse(JSON.parse(plaintext)));

/** The victim of a kill; with `both`, provider and engine. `server`: that of the state, which is there again at once, or once the engine has given up. */
export type Victim = Kill["victim"] | "both" | "server" | "server for long";
type EngineOptions = Omit<UpOptions, "kill"> & { readonly kill?: Omit<Kill, "victim"> & { readonly victim: Victim } };

/** A stack of the real engine. */
export class EngineStack implements ResettableStack {
  readonly #stack: Stack;
  readonly #limit: string | undefined;

  private constructor(stack: Stack, limit: string | undefined) {
    this.#stack = stack;
    this.#limit = limit;
  }

  /** @param limit how long each deletion may take, such as `15s`; as long as usual unless given */
  static async open(form: Form = "in process", backend?: Backend, limit?: string): Promise<EngineStack> {
    return new EngineStack(await Stack.create({ program: "export {};\n", form, ...(backend && { backend }) }), limit);
  }

  get cloud() {
    return this.#stack.cloud();
  }

  get faults() {
    return this.#stack.faults;
  }

  async checkpoint(): Promise<Checkpoint> {
    return { world: await this.world(), state: await this.printed() };
  }

  /** What `pulumi stack export` prints. */
  async printed(): Promise<string> {
    return (await this.#stack.ok("stack", "export")).stdout;
  }

  async import(state: string): Promise<void> {
    const file = join(this.#stack.folder, "state.json");
    writeFileSync(file, state);
    await this.#stack.ok("stack", "import", "--file", file);
  }

  /** How many journal entries its updates have sent. */
  get journaled(): number {
    return this.#stack.journaled;
  }

  world() {
    return new LocalControl(this.#stack.world).snapshot();
  }

  async goBackTo({ world, state }: Checkpoint): Promise<void> {
    await new LocalControl(this.#stack.world).restore(world);
    await this.import(state);
  }

  restartProvider(): Promise<readonly Call[]> {
    return Promise.resolve([]);
  }

  async up(program: Program, { refresh = false, isPreview = false, forced = [], kill }: EngineOptions = {}): Promise<RunOutcome> {
    this.#stack.write(textOf(program, this.#limit));
    const args = [...(refresh ? ["--refresh"] : []), ...forced.flatMap((name) => ["--replace", engineUrn(urnOf(name))])];
    return this.#run([...(isPreview ? ["preview"] : ["up", ...doing]), ...args], kill);
  }

  /** What a preview and its event log tell a reviewer. */
  previewed(program: Program, { forced = [] }: Pick<UpOptions, "forced"> = {}): Promise<readonly string[]> {
    this.#stack.write(textOf(program));
    return this.#stack.previewed(...forced.flatMap((name) => ["--replace", engineUrn(urnOf(name))]));
  }

  /** A command with flags for a program, or its preview. */
  partly(program: Program, command: Part["command"], flags: readonly string[], isPreview = false): Promise<RunOutcome> {
    this.#stack.write(textOf(program, this.#limit));
    // A preview goes on after an error anyway.
    if (isPreview && command === "up") return this.#run(["preview", ...flags.filter((flag) => flag !== "--continue-on-error")]);
    return this.#run([command, ...(isPreview ? ["--preview-only"] : doing), ...flags]);
  }

  refresh(): Promise<RunOutcome> {
    return this.#run(["refresh", ...doing]);
  }

  destroy(): Promise<RunOutcome> {
    return this.#run(["destroy", ...doing]);
  }

  async entries(): Promise<readonly EntrySummary[]> {
    const { deployment } = stateSchema.parse(JSON.parse(await this.exported()));
    return deployment.resources
      .filter(({ type }) => kindOfToken(type) !== undefined)
      .map(({ urn, type, id, ...flags }) => ({
        type: kindOfToken(type) ?? "",
        name: urn.split("::")[3] ?? "",
        id,
        status: flags.pendingReplacement ? "toRecreate" : flags.delete ? "toDelete" : "live",
      }));
  }

  /** What `pulumi stack export` prints, without the processes that this takes. */
  async exported(): Promise<string> {
    return JSON.stringify({ version: 3, deployment: (await this.#stack.deployment()) ?? {} });
  }

  contents() {
    return Promise.resolve(this.#stack.leftovers());
  }

  async leaksSecrets(): Promise<boolean> {
    const { stdout } = await this.#stack.ok("stack", "export", "--show-secrets");
    const { resources } = stateSchema.parse(JSON.parse(stdout)).deployment;
    const values = resources.flatMap(({ outputs }) => [outputs["token"], outputs["kubeconfig"]]).filter((value) => value !== undefined);
    const secrets = values.map((value) => secretSchema.parse(value));
    // What is marked as secret is encrypted wherever nobody asks to see it.
    const open = JSON.stringify(JSON.parse(stdout), (key, value: unknown) => (key === "plaintext" ? "" : value));
    return open.includes("PRIVATE KEY") || secrets.some((secret) => open.includes(JSON.stringify(secret).slice(1, -1)));
  }

  async #run(command: readonly string[], kill?: EngineOptions["kill"]): Promise<RunOutcome> {
    const before = this.#stack.calls().length;
    // The answer to the last call that is carried out does not come.
    const delay = kill?.victim.startsWith("server") ? 1000 : 60_000;
    if (kill) this.#stack.faults.add({ nth: kill.nth, delay, ...(kill.action && { operation: { action: kill.action } }) });
    const run = this.#stack.start(...command);
    if (kill) await this.#killed(run, kill.victim);
    const outcome = await run.ended;
    const failure = outcome.code === 0 ? undefined : outcome.output;
    const said = (severity: string) =>
      outcome.events.flatMap(({ diagnosticEvent: { urn = "", ...one } = { message: "", severity: "" } }) =>
        one.severity === severity && urn.includes("container-platform:") ? [{ of: nameOf(urn), message: one.message.trim() }] : [],
      );
    return {
      operations: operationsDone(outcome),
      calls: this.#stack.calls().slice(before),
      failure,
      warnings: said("warning").map(({ message }) => message.replace(/^warning: /, "")),
      errors: said("error"),
    };
  }

  async #killed(run: Run, victim: Victim): Promise<void> {
    const over = run.ended.then(() => true);
    // A fault that has hit is gone.
    while (this.#stack.faults.list().length > 0)
      if (await Promise.race([over, sleep(20).then(() => false)])) {
        this.#stack.faults.clear();
        return;
      }
    const providers = run.providers();
    if (victim.startsWith("server")) await this.#withoutServer(run, victim === "server for long");
    // The engine first: without its provider, it would end the update itself.
    if (victim === "engine" || victim === "both") run.kill();
    if (victim === "provider" || victim === "both") for (const pid of providers.filter(isRunning)) process.kill(pid, "SIGKILL");
    await run.ended;
    // A host that has not loaded the provider does not notice the end of the engine.
    for (let waits = 0; providers.some(isRunning); waits++) {
      if (waits > 600) for (const pid of providers.filter(isRunning)) process.kill(pid, "SIGKILL");
      await sleep(50);
    }
    mendTornState(join(this.#stack.folder, "state"));
    await this.#stack.restartPrograms();
    // An engine that could not say that its update has ended leaves the lock.
    if (["provider", "server"].includes(victim)) return;
    const { code, output } = await this.#stack.start("cancel", "--yes").ended;
    // The provider confirms its resources when Pulumi Cloud knows already that the update has ended.
    if (code !== 0 && !output.includes("The update has already completed")) throw new Error(`pulumi cancel: ${output}`);
  }

  async #withoutServer(run: Run, isLong: boolean): Promise<void> {
    this.#stack.service.kill();
    if (isLong) await run.ended;
    await this.#stack.service.restart();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}

const doing = ["--yes", "--skip-preview"];

const verbs: Readonly<Record<string, string>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
};

function operationsDone(outcome: Outcome): readonly string[] {
  return Object.entries(operationsOf(outcome)).flatMap(([name, done]) =>
    done.flatMap((one) => (verbs[one] ? [`${verbs[one]} ${name}`] : [])),
  );
}
