import { setTimeout as sleep } from "node:timers/promises";
import { LocalControl } from "@container-platform/sdk/local";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { orphansIn } from "../../lifecycle/orphans.ts";
import { casesOf } from "../../provider/kinds/all.ts";
import { repairBackend, resourcesIn } from "../../support/backend.ts";
import type { Form } from "../../support/forms.ts";
import { nameOf, type Run } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** Who is killed, and when: a share of the time that an `up` takes from its first call to its end. */
export interface Kill {
  readonly victim: "engine" | "provider";
  readonly moment: number;
}

/** A stack that is brought up again and again, and killed at it. Each time its program has changed everything in place. */
export class Victim implements AsyncDisposable {
  readonly #stack: Stack;
  readonly #programs: readonly [string, string];
  #turn = 0;
  /** Milliseconds that an `up` takes from its first call to its end. */
  #span: number;
  /** How often the files of Pulumi had to be repaired. */
  repaired = 0;

  private constructor(stack: Stack, programs: readonly [string, string], span: number) {
    this.#stack = stack;
    this.#programs = programs;
    this.#span = span;
  }

  static async of(programs: readonly [string, string], span: number, form: Form): Promise<Victim> {
    return new Victim(await Stack.create({ program: programs[0], seconds: 120, programs: "language-host", form }), programs, span);
  }

  /** Deploys and destroys the stack, with kills on the way. Returns what was not as it should be. */
  async round(kills: readonly Kill[]): Promise<readonly string[]> {
    const stack = this.#stack;
    const begun = stack.calls().length;
    for (const kill of kills) await this.#killed(kill);
    const first = await stack.start("up", "--yes", "--skip-preview").ended;
    if (first.code !== 0) return [`the next up failed: ${first.output}`];
    const resources = resourcesIn(stack.stateFile);
    const state = resources.map(({ urn, id = "" }) => ({ type: nameOf(urn).split(" ")[0] ?? "", id, status: "live" as const }));
    const orphans = orphansIn(await new LocalControl(stack.world).snapshot(), state);
    const unfinished = resources.filter(({ initErrors = [] }) => initErrors.length > 0).map(({ urn }) => nameOf(urn));
    const second = await stack.start("up", "--yes", "--skip-preview", "--expect-no-changes").ended;
    const twice = this.#madeTwice(begun, state);
    const destroyed = await stack.start("destroy", "--yes", "--skip-preview").ended;
    const left = stack.leftovers();
    return [
      ...orphans.map((id) => `${id} is not in the state`),
      ...unfinished.map((name) => `${name} is unfinished`),
      ...twice,
      ...(second.code === 0 ? [] : [`a second up changed something: ${second.output}`]),
      ...(destroyed.code === 0 ? [] : [`destroy failed: ${destroyed.output}`]),
      ...Object.entries(left).map(([table, count]) => `destroy left ${count} of ${table}`),
    ];
  }

  /** Creations that the platform carried out and that are in no state: what it tells once only, and what was taken back of it. */
  #madeTwice(begun: number, state: readonly { readonly type: string }[]): string[] {
    const calls = this.#stack.calls().slice(begun);
    const count = (action: string) => calls.filter((call) => call.action === action && call.code === "").length;
    return kinds.flatMap((kind) => {
      const { operation, takenBackBy, uncounted } = casesOf[kind].creates;
      const desired = state.filter(({ type }) => type === kind).length;
      const made = count(operation.action) - (takenBackBy ? count(takenBackBy.action) : 0);
      return uncounted !== undefined || made === desired ? [] : [`${operation.action} was carried out ${made} times for ${desired}`];
    });
  }

  /** An `up` that is killed. */
  async #killed({ victim, moment }: Kill): Promise<void> {
    const stack = this.#stack;
    for (let share = moment; ; share /= 2) {
      stack.write(this.#programs[this.#turn++ % 2 === 0 ? 0 : 1]);
      const before = stack.calls().length;
      const run = stack.start("up", "--yes", "--skip-preview");
      await run.until(() => stack.calls().length > before);
      const begun = performance.now();
      const over = await Promise.race([run.ended.then(() => true), sleep(share * this.#span).then(() => false)]);
      if (!over && strike(run, victim)) {
        await run.ended;
        run.sweep();
        if (repairBackend(stack.stateFile)) this.repaired++;
        // An engine that was not killed has unlocked the stack itself.
        if (victim === "engine") await stack.ok("cancel", "--yes");
        return;
      }
      // It had ended before.
      await run.ended;
      this.#span = Math.min(this.#span, performance.now() - begun);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack[Symbol.asyncDispose]();
  }
}

/** False if nobody is left to kill. */
function strike(run: Run, victim: Kill["victim"]): boolean {
  if (victim === "engine") return run.kill();
  const providers = run.providers();
  for (const pid of providers) process.kill(pid, "SIGKILL");
  return providers.length > 0;
}
