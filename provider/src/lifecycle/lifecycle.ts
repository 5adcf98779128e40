import { PlatformError } from "@container-platform/sdk";
import { adoptable, knownOf, sayChanges } from "./import-check.ts";
import { schemaOf } from "../schema/property.ts";
import { inWordsOf } from "../schema/compare.ts";
import { confirmLater, confirmNoMore, noteChanging } from "../recovery/confirm.ts";
import { Convergence, isGone, passesByItself, withReason } from "./reconcile.ts";
import { leftBy } from "./plan.ts";
import { sentenceAbout, Terminal, Unfinished } from "./errors.ts";
import { secondsOf } from "../definition/duration.ts";
import { hiddenInputsOf, hiddenOf, layout } from "./private-state.ts";
import type { Kind, Wait } from "../definition/definition.ts";
import { haveLetGo, noteHolder } from "./detach.ts";
import { unmarked } from "../recovery/ownership-tags.ts";
import { Creation, noteTaken, remedyIfTaken } from "../recovery/creation.ts";
import { inTurn } from "./turns.ts";
import { cleanProps, pick, type Props } from "../schema/values.ts";
import { Patience, type Run } from "./poll.ts";

/** Where a thing lives: with another endpoint, region or account, its id means nothing, or something else. */
export interface Home {
  readonly endpoint: string;
  readonly region: string;
  readonly account: string;
}

/** Under what circumstances a thing is brought to what is wished. */
interface How {
  readonly fresh: boolean;
  readonly renew: boolean;
  readonly doing: string;
  /** What went wrong already: all that can be done is to keep what there is. */
  readonly failure?: Error | undefined;
}

const usualSeconds = 600;

/** Create, read, update and delete: for every kind of resource. Knows nothing of who calls it. */
export class Lifecycle {
  readonly #kind: Kind;
  readonly #home: Home;
  readonly #inputs: readonly string[];
  readonly #outputs: readonly string[];

  constructor(kind: Kind, home: Home) {
    this.#kind = unmarked(kind);
    this.#home = home;
    this.#inputs = Object.keys(kind.inputs.shape);
    this.#outputs = Object.keys(kind.outputs.shape);
  }

  /** Says so if a thing lives elsewhere than where this run works. */
  refuseStranger(olds: Props): void {
    const { __home: home } = hiddenOf(olds);
    if (!home) return;
    for (const part of ["endpoint", "region", "account"] as const) {
      // Not every client can tell the account.
      if (home[part] === this.#home[part] || (part === "account" && (home.account === "" || this.#home.account === ""))) continue;
      // Without a plain `up`, Pulumi's refresh and destroy go on with the configuration of the last run.
      const remedy = part === "account" ? "use that account's keys" : `set container-platform:${part} back and run \`pulumi up\``;
      throw new Error(
        `this ${this.#kind.type} lives in ${part} ${home[part]}, but this run works in ${this.#home[part]}: ${remedy}, or use another stack`,
      );
    }
  }

  /** Takes note of what a comparison tells besides: the engine knows the thing by its id, and it may have to let go of another. */
  noteCompared(id: string, olds: Props, news: Props): void {
    this.#creation(olds).noteKnown(id);
    noteHolder(this.#kind, id, this.#known(id, olds), news);
  }

  #creation(props: Props): Creation {
    const { endpoint, region, account } = this.#home;
    return new Creation(this.#kind, [endpoint, region, account], hiddenOf(props).__urn);
  }

  async create(run: Run, news: Props): Promise<{ readonly id: string; readonly outs: Props }> {
    noteChanging();
    const { __adopt: existing } = hiddenOf(news);
    if (existing !== undefined) return { id: existing, outs: await this.#adopt(run, existing, news) };
    const wish = pick(news, this.#inputs);
    const creation = this.#creation(news);
    return inTurn(this.#kind, wish, async () => {
      const { known: made, failure } = await this.#explained(`creating ${this.#kind.type}`, async () => {
        const { awaits } = this.#kind;
        if (awaits) await new Patience(run, this.#limit("create", news)).until(() => awaits(run.cloud, wish));
        return creation.carryOut(run, wish);
      });
      const known = { ...wish, ...pick(made, [...this.#kind.id.names, ...this.#outputs]) };
      const id = this.#kind.id.of(known);
      try {
        return { id, outs: await this.#converge(run, id, known, news, { fresh: true, renew: false, doing: "creating", failure }) };
      } finally {
        creation.tell(run.cloud, id, wish);
      }
    });
  }

  async update(run: Run, id: string, olds: Props, news: Props): Promise<{ readonly outs: Props }> {
    noteChanging();
    this.refuseStranger(olds);
    this.#creation(olds).noteKnown(id);
    const fresh = hiddenOf(olds).__unborn;
    const renew = this.#kind.due?.(this.#known(id, olds), run.cloud.now()) !== undefined;
    return inTurn(this.#kind, news, async () => ({
      outs: await this.#converge(run, id, this.#known(id, olds), news, { fresh, renew, doing: "updating" }),
    }));
  }

  /** The live thing: `inputs` in the words of the program where they mean the same. `undefined` if there is none. */
  async read(run: Run, id: string, props: Props): Promise<{ readonly inputs: Props; readonly props: Props } | undefined> {
    this.refuseStranger(props);
    const hidden = hiddenOf(props);
    if (!hidden.__get) this.#creation(props).noteKnown(id);
    const known = this.#known(id, props);
    const live = await this.#explained(`reading ${this.#kind.type} ${id}`, () => this.#kind.read(run.cloud.tolerating(2000), known));
    if (!live || isGone(this.#kind, live)) {
      if (hidden.__get) throw new Error(`there is no ${this.#kind.type} ${id} in ${this.#home.region}`);
      return undefined;
    }
    if (!hidden.__get) confirmLater({ cloud: run.cloud, kind: this.#kind, id, live: { ...live, ...this.#partsOf(id) } });
    const managed = this.#inputs.filter((key) => !hidden.__left.includes(key));
    const seen = managed.map((key): [string, unknown] => [key, this.#inputSeen(key, live, known)]);
    const inputs = cleanProps(Object.fromEntries(seen));
    // A creation that was given up may have come to its end meanwhile.
    const unfinished = this.#isReady(live) ? {} : pick(props, ["__unborn", "__failed"]);
    const remembered = { __v: layout, __home: this.#home, ...leftAs(hidden.__left), ...unfinished };
    return {
      inputs: { ...inputs, ...hiddenInputsOf(props) },
      props: cleanProps({ ...pick(live, this.#outputs), ...pick(live, hidden.__left), ...inputs, ...hiddenInputsOf(props), ...remembered }),
    };
  }

  /** An input as it is: in the words of the program where it means the same, or where the difference is none that counts. */
  #inputSeen(key: string, live: Props, known: Props): unknown {
    return this.#kind.ignores?.[key]?.(known, live) ? known[key] : inWordsOf(schemaOf(this.#kind, key), live[key], known[key]);
  }

  async delete(run: Run, id: string, props: Props): Promise<void> {
    this.refuseStranger(props);
    const remedy = remedyIfTaken(this.#kind, id);
    if (remedy !== undefined) {
      run.warn(`${id} was taken over in this same run and is therefore not deleted: ${remedy}`);
      return;
    }
    noteChanging();
    this.#creation(props).noteKnown(id);
    confirmNoMore(this.#kind, id);
    const known = this.#known(id, props);
    const patience = new Patience(run, this.#limit("delete", props));
    await inTurn(this.#kind, known, () =>
      this.#explained(`deleting ${this.#kind.type} ${id}`, async () => {
        const failed = hiddenOf(props).__failed !== undefined;
        await haveLetGo(run.cloud, id, (lacking) => patience.until(lacking));
        await this.#getGoing(patience, run, known, failed);
        if (this.#kind.states) await patience.until(() => this.#stillThere(patience, known));
        const { lingers } = this.#kind;
        if (lingers) await patience.until(() => lingers(patience.cloud, known));
      }),
    );
  }

  /** Asks the platform to delete until it does; what is still in the way is waited for. Gone is success. `failed`: it ended while it was being made. */
  async #getGoing(patience: Patience, run: Run, known: Props, failed: boolean): Promise<void> {
    let refusal: PlatformError | undefined;
    const ask = async () => {
      try {
        if (failed) await this.#unprotect(run, known, (lacking) => patience.until(lacking));
        await this.#kind.delete(run.cloud, known);
        return undefined;
      } catch (error) {
        if (error instanceof PlatformError && error.kind === "notFound") return undefined;
        if (!passesByItself(error)) throw error;
        refusal = error;
        return error.reason;
      }
    };
    await patience.until(ask, () => refusal && `${refusal.code}, request ${refusal.requestId}`);
  }

  /** What could not be made has nothing in it to protect, and no update could lift its protection any more. */
  async #unprotect(run: Run, known: Props, wait: Wait): Promise<void> {
    const { protectedBy, changes } = this.#kind;
    const step = protectedBy === undefined ? undefined : changes[protectedBy];
    if (protectedBy === undefined || known[protectedBy] !== true || typeof step !== "function") return;
    run.show(`lifts ${protectedBy}`);
    await step(run.cloud, { ...known, [protectedBy]: false }, known, wait);
  }

  async #stillThere(patience: Patience, known: Props): Promise<string | undefined> {
    const live = await this.#kind.read(patience.cloud, known);
    if (!live || isGone(this.#kind, live)) return undefined;
    const told = Object.entries(this.#kind.states ?? {}).flatMap(([key, readinessOf]) =>
      typeof live[key] === "string" ? [{ state: live[key], readiness: readinessOf[live[key]] }] : [],
    );
    const stuck = told.find(({ readiness }) => readiness === "deletionFailed");
    if (stuck) throw new Error(`it is ${withReason(stuck.state, live)}. The next \`pulumi destroy\` or \`up\` tries again`);
    return told.map(({ state }) => state).join(", ") || "still there";
  }

  /**
   * What stands against adopting the thing that the options name, a sentence each. What adopting it changes is said.
   * A resource that is in the state (`olds`) has adopted it already.
   */
  async refusalsToAdopt(run: Pick<Run, "cloud" | "show" | "warn">, olds: Props, news: Props): Promise<readonly string[]> {
    const { __adopt: id } = hiddenOf(news);
    if (id === undefined || Object.keys(olds).length > 0) return [];
    const { refusals, changes } = await this.#explained(`looking at ${this.#kind.type} ${id}, which is to be imported`, () =>
      adoptable(this.#kind, run.cloud.tolerating(10_000), id, news, this.#home.region),
    );
    run.show(`adopts ${id}`);
    if (refusals.length === 0) sayChanges(run, id, changes);
    return refusals;
  }

  /** Takes over a thing that exists already. What it cannot be changed to has to be as wished. */
  async #adopt(run: Run, id: string, news: Props): Promise<Props> {
    const { refusals, changes } = await this.#explained(`adopting ${this.#kind.type} ${id}`, () =>
      adoptable(this.#kind, run.cloud.tolerating(2000), id, news, this.#home.region),
    );
    if (refusals.length > 0) throw new Error(`${this.#kind.type} ${id} cannot be imported as it is written: ${refusals.join("; ")}`);
    run.show(`adopts ${id}`);
    sayChanges(run, id, changes);
    noteTaken(this.#kind, id, "remove `import` from the program, then run `pulumi up` again");
    return this.#converge(run, id, knownOf(this.#kind, id, news), news, { fresh: false, renew: false, doing: "adopting" });
  }

  async #converge(run: Run, id: string, known: Props, news: Props, how: How): Promise<Props> {
    const { fresh, renew, doing, failure } = how;
    const wish = { ...pick(news, this.#inputs), ...this.#partsOf(id) };
    const limit = this.#limit(fresh ? "create" : "update", news);
    const convergence = new Convergence({ kind: this.#kind, run, id, wish, limit, fresh, renew }, known);
    const left = leftBy(this.#kind, news);
    const remembered = { ...hiddenInputsOf(news), __v: layout, __home: this.#home, ...leftAs(left) };
    try {
      if (failure) throw failure;
      const live = await convergence.settle();
      if (!fresh) confirmLater({ cloud: run.cloud, kind: this.#kind, id, live: { ...live, ...this.#partsOf(id) } });
      const outs = { ...pick(live, this.#outputs), ...pick(live, left), ...pick(news, this.#inputs), ...remembered };
      return cleanProps(outs);
    } catch (error) {
      const reason = sentenceAbout(error, `${doing} ${this.#kind.type} ${id}`, this.#kind.hints);
      const failed = fresh && error instanceof Terminal ? { __failed: error.why } : {};
      const properties = cleanProps({ ...convergence.reached, ...remembered, ...(fresh ? { __unborn: true } : {}), ...failed });
      throw new Unfinished(reason, id, properties);
    }
  }

  async #explained<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new Error(sentenceAbout(error, doing, this.#kind.hints), { cause: error });
    }
  }

  #isReady(live: Props): boolean {
    return (
      live["lacking"] === undefined &&
      Object.entries(this.#kind.states ?? {}).every(([key, readinessOf]) => readinessOf[String(live[key])] === "ready")
    );
  }

  /** What the state holds, and the id tells. */
  #known(id: string, props: Props): Props {
    return { ...pick(props, [...this.#inputs, ...this.#outputs]), ...this.#partsOf(id) };
  }

  #partsOf(id: string): Props {
    const parts = this.#kind.id.parts(id);
    if (!parts) throw new Error(`${id} is no id of a ${this.#kind.type}: it looks like ${this.#kind.id.looks}`);
    return parts;
  }

  #limit(verb: "create" | "update" | "delete", props: Props): number {
    const { [verb]: given } = hiddenOf(props).__timeouts;
    return (given === undefined ? undefined : secondsOf(given)) ?? this.#kind.seconds?.[verb] ?? usualSeconds;
  }
}

/** What was left to the platform, as a state remembers it. */
function leftAs(left: readonly string[]): Props {
  return left.length === 0 ? {} : { __left: left };
}
