import { isDeepStrictEqual } from "node:util";
import { InitFailed } from "./asking.ts";
import { type Failure, failureIn } from "./coded.ts";
import { type Runs } from "./host.ts";
import { inClear, type Props } from "./structs.ts";

/** What the engine does about a resource. */
export type Outcome = "create" | "update" | "replace" | "delete-replace" | "nothing";

interface State {
  readonly id: string;
  readonly inputs: Props;
  readonly outputs: Props;
  /** It is not as desired: the next `up` updates it, even if the program has not changed. */
  readonly unfinished: boolean;
}

export class Refused extends Error {
  readonly failures: readonly Failure[];

  constructor(failures: Refused["failures"]) {
    super(failures.map(({ reason }) => reason).join("\n"));
    this.failures = failures;
  }
}

/** The text that Pulumi keeps of a resource of a type. */
export const stub = (type: string): string => `exports.handler=()=>require("@container-platform/pulumi/host").get("${type}")`;

/** One resource of one stack. It asks a host what the engine asks, in the same order, and keeps the state. */
export class Deployment implements AsyncDisposable {
  readonly #host: Runs;
  readonly #private: Props;
  state: State | undefined;

  /** `options`: what else the class of the resource hands to Pulumi, such as `__timeouts`. */
  constructor(host: Runs, type: string, name: string, options: Props = {}) {
    this.#host = host;
    const urn = `urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:${type}::${name}`;
    this.#private = { __provider: stub(type), __urn: urn, ...options };
  }

  get id(): string {
    return this.#deployed.id;
  }

  get #deployed(): State {
    if (!this.state) throw new Error("it is not deployed");
    return this.state;
  }

  /** What the provider makes of the inputs of a program: what it fills in, too. */
  async checked(args: Props): Promise<Props> {
    return this.#checked(this.state?.inputs ?? {}, args);
  }

  /** What `pulumi preview` says that `up` would do. */
  async preview(args: Props): Promise<Outcome> {
    return (await this.#planned(args)).outcome;
  }

  async up(args: Props): Promise<Outcome> {
    let outcome: Outcome = "nothing";
    await this.#host.running(async () => {
      outcome = await this.#brought(args);
    });
    return outcome;
  }

  async #brought(args: Props): Promise<Outcome> {
    const { outcome, inputs } = await this.#planned(args);
    if (this.state) this.#host.saved.renamed(this.state.id, this.state.outputs["__urn"], inputs["__urn"]);
    if (outcome === "replace" || outcome === "delete-replace") {
      const old = this.#deployed;
      if (outcome === "delete-replace") await this.destroy();
      await this.#create(await this.#checked({}, args));
      if (outcome === "replace") await this.#host.delete(old.id, old.outputs);
    } else if (outcome === "create") await this.#create(inputs);
    else if (outcome === "update") await this.#update(inputs);
    else this.state = { ...this.#deployed, inputs };
    return outcome;
  }

  /** `pulumi refresh`: true if it is still there. */
  async refresh(): Promise<boolean> {
    const { id, inputs, outputs } = this.#deployed;
    const found = await this.#host.read(id, outputs, inputs);
    this.state =
      found.id === "" ? undefined : { id: found.id, inputs: inClear(found.inputs), outputs: inClear(found.outputs), unfinished: false };
    return this.state !== undefined;
  }

  /** `X.get(name, id)`: fails if there is none. */
  async get(id: string): Promise<void> {
    const found = await this.#host.read(id, this.#private);
    this.state = { id: found.id, inputs: inClear(found.inputs), outputs: inClear(found.outputs), unfinished: false };
  }

  async destroy(): Promise<void> {
    if (!this.state) return;
    await this.#host.delete(this.state.id, this.state.outputs);
    this.state = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.destroy();
  }

  async #planned(args: Props): Promise<{ readonly outcome: Outcome; readonly inputs: Props }> {
    const inputs = await this.#checked(this.state?.inputs ?? {}, args);
    if (!this.state) return { outcome: "create", inputs };
    const { id, outputs, inputs: before, unfinished } = this.state;
    const { changes, replaces, deleteBeforeReplace } = await this.#host.diff(id, outputs, inputs);
    // Without an answer, the engine compares the inputs itself.
    const differ = changes === "some" || (changes === "unknown" && !isDeepStrictEqual(before, inputs));
    if (differ && replaces.length > 0) return { outcome: deleteBeforeReplace ? "delete-replace" : "replace", inputs };
    return { outcome: differ || unfinished ? "update" : "nothing", inputs };
  }

  async #checked(olds: Props, args: Props): Promise<Props> {
    const { inputs, failures } = await this.#host.check(olds, { ...args, ...this.#private });
    if (failures.length > 0) throw new Refused(failures.map(({ property, reason }) => failureIn(property, reason)));
    return inClear(inputs);
  }

  #create(inputs: Props): Promise<void> {
    return this.#keeping(inputs, () => this.#host.create(inputs));
  }

  #update(inputs: Props): Promise<void> {
    const { id, outputs } = this.#deployed;
    return this.#keeping(inputs, async () => ({ id, ...(await this.#host.update(id, outputs, inputs)) }));
  }

  /** What was reached goes into the state, even after a failure. */
  async #keeping(inputs: Props, work: () => Promise<{ readonly id: string; readonly outputs: Props }>): Promise<void> {
    try {
      const { id, outputs } = await work();
      this.state = { id, inputs, outputs: inClear(outputs), unfinished: false };
    } catch (error) {
      if (error instanceof InitFailed) this.state = { id: error.id, inputs, outputs: inClear(error.properties), unfinished: true };
      throw error;
    }
  }
}
