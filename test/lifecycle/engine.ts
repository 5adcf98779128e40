import { isDeepStrictEqual } from "node:util";
import { type Host, InitFailed } from "../support/host.ts";
import { stub } from "../support/deployment.ts";
import { inClear, type Props, unknown } from "../support/structs.ts";
import { called, type Part, type Program, resolved } from "./program.ts";
import { type Entry, entryOf, madeOf, State } from "./state.ts";

/** What a run does, in order: `create Vpc main`. */
export type Deeds = string[];

interface Plan {
  readonly does: "update" | "replace" | "delete-replace" | "nothing";
  readonly inputs: Props;
}

/**
 * Plays the part of Pulumi's engine for whole programs, over the real process of the dynamic host: one resource at a time, in the
 * order of the program, where the real one works on several. What it asks, and what it keeps, is what the real one asks and keeps
 * (`step_generator.go`); a suite compares the two. A failure ends the run, and the state stays as far as it came.
 */
export class StandIn {
  readonly #host: Host;
  state: readonly Entry[] = [];
  /** What the provider told, as it told it: with its marks of secrets. */
  readonly told: Props[] = [];

  constructor(host: Host) {
    this.#host = host;
  }

  /** `pulumi up`. */
  async up(program: Program, deeds: Deeds = []): Promise<Deeds> {
    const state = new State(this.state);
    try {
      for (const part of program) await this.#register(state, part, deeds);
      await this.#deleteAll(state, state.unseen, deeds);
    } finally {
      this.state = state.entries;
    }
    return deeds;
  }

  /** `pulumi destroy`. */
  async destroy(deeds: Deeds = []): Promise<Deeds> {
    const state = new State(this.state);
    try {
      await this.#deleteAll(state, state.unseen, deeds);
    } finally {
      this.state = state.entries;
    }
    return deeds;
  }

  /** `pulumi refresh`: what is gone, and what differs from the state. */
  async refresh(deeds: Deeds = []): Promise<Deeds> {
    const state = new State(this.state);
    try {
      for (const entry of state.unseen) if (entry.fate !== "replaced") await this.#read(state, entry, deeds);
    } finally {
      this.state = state.entries;
    }
    return deeds;
  }

  async #read(state: State, entry: Entry, deeds: Deeds): Promise<void> {
    const found = await this.#host.read(entry.id, entry.outputs);
    this.told.push(found.inputs, found.outputs);
    if (found.id === "") {
      deeds.push(`lost ${called(entry)}`);
      state.forget(entry);
      return;
    }
    const inputs = inClear(found.inputs);
    if (!isDeepStrictEqual(visible(inputs), visible(entry.inputs))) deeds.push(`drift ${called(entry)}`);
    state.put(entry, { ...entry, id: found.id, inputs, outputs: inClear(found.outputs), unfinished: false });
  }

  async #register(state: State, part: Part, deeds: Deeds): Promise<void> {
    const args = this.#argsOf(state, part);
    const before = state.before(part);
    if (!before)
      return this.#create(part, await this.#checked({}, args), deeds, (entry) => {
        state.see(entry, undefined);
      });
    // Deleted in this run, because what it stood on was replaced.
    if (before.fate === "replaced" && state.deleted.delete(called(before)))
      return this.#create(part, await this.#checked({}, args), deeds, (entry) => {
        state.see(entry, before);
      });
    const { does, inputs } = await this.#planned(before, args);
    if (does === "nothing") state.see({ ...before, name: part.name, inputs, ...madeOf(part) }, before);
    else if (does === "update") await this.#update(state, part, before, inputs, deeds);
    else await this.#replace(state, part, before, does, deeds);
  }

  async #planned(before: Entry, args: Props): Promise<Plan> {
    const inputs = await this.#checked(before.inputs, args);
    const { changes, replaces, deleteBeforeReplace } = await this.#host.diff(before.id, before.outputs, inputs);
    const differ = changes === "some" || (changes === "unknown" && !isDeepStrictEqual(before.inputs, inputs));
    if (before.fate === "replaced" || (differ && replaces.length > 0))
      return { does: deleteBeforeReplace ? "delete-replace" : "replace", inputs };
    return { does: differ || before.unfinished ? "update" : "nothing", inputs };
  }

  async #replace(state: State, part: Part, before: Entry, does: Plan["does"], deeds: Deeds): Promise<void> {
    if (part.protect === true && before.protect) throw new Error(`${called(part)} is protected and cannot be replaced`);
    const inputs = await this.#checked({}, this.#argsOf(state, part));
    if (does === "replace")
      return this.#create(part, inputs, deeds, (entry) => {
        state.supersede(entry, before);
      });
    let old = before;
    for (const dependent of (await this.#condemned(state, before)).toReversed()) {
      if (dependent.protect) throw new Error(`${called(dependent)} is protected and cannot be replaced`);
      await this.#deleteEarly(state, dependent, deeds);
    }
    if (old.fate !== "replaced") old = await this.#deleteEarly(state, old, deeds);
    state.deleted.delete(called(old));
    await this.#create(part, inputs, deeds, (entry) => {
      state.see(entry, old);
    });
  }

  /** What has to go before a thing can be deleted, because it would be replaced with it. */
  async #condemned(state: State, root: Entry): Promise<readonly Entry[]> {
    const found: Entry[] = [];
    const names = new Set([called(root)]);
    for (const entry of state.dependents(root)) {
      const told = Object.keys(entry.inputs).filter((key) => entry.tellers[key]?.some((name) => names.has(name)));
      if (told.length === 0) continue;
      const news = { ...entry.inputs, ...Object.fromEntries(told.map((key) => [key, unknown])) };
      const { replaces } = await this.#host.diff(entry.id, entry.outputs, news);
      if (replaces.length === 0) continue;
      found.push(entry);
      names.add(called(entry));
    }
    return found;
  }

  async #deleteEarly(state: State, entry: Entry, deeds: Deeds): Promise<Entry> {
    deeds.push(`delete ${called(entry)}`);
    await this.#host.delete(entry.id, entry.outputs);
    if (entry.fate === "condemned") {
      state.forget(entry);
      return entry;
    }
    state.deleted.add(called(entry));
    return state.put(entry, { ...entry, fate: "replaced" });
  }

  async #deleteAll(state: State, entries: readonly Entry[], deeds: Deeds): Promise<void> {
    const kept = entries.find(({ protect, fate }) => protect && fate === "stays");
    if (kept) throw new Error(`${called(kept)} is protected and cannot be deleted`);
    for (const entry of entries.toReversed()) {
      if (entry.fate !== "replaced") {
        deeds.push(`delete ${called(entry)}`);
        await this.#host.delete(entry.id, entry.outputs);
      }
      state.forget(entry);
    }
  }

  async #create(part: Part, inputs: Props, deeds: Deeds, keep: (entry: Entry) => void): Promise<void> {
    deeds.push(`create ${called(part)}`);
    await this.#keeping(
      async () => this.#host.create(inputs),
      (made) => {
        keep(entryOf(part, inputs, made));
      },
    );
  }

  async #update(state: State, part: Part, before: Entry, inputs: Props, deeds: Deeds): Promise<void> {
    deeds.push(`update ${called(part)}`);
    const { id, outputs } = before;
    await this.#keeping(
      async () => ({ id, ...(await this.#host.update(id, outputs, inputs)) }),
      (made) => {
        state.see(entryOf(part, inputs, made), before);
      },
    );
  }

  /** What was reached goes into the state, also if it is not all. */
  async #keeping(work: () => Promise<Made>, keep: (made: Made & { readonly unfinished: boolean }) => void): Promise<void> {
    try {
      const { id, outputs } = await work();
      this.told.push(outputs);
      keep({ id, outputs: inClear(outputs), unfinished: false });
    } catch (error) {
      if (error instanceof InitFailed) {
        this.told.push(error.properties);
        keep({ id: error.id, outputs: inClear(error.properties), unfinished: true });
      }
      throw error;
    }
  }

  async #checked(olds: Props, args: Props): Promise<Props> {
    const { inputs, failures } = await this.#host.check(olds, args);
    this.told.push(inputs);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return inClear(inputs);
  }

  #argsOf(state: State, part: Part): Props {
    const outputsOf = (name: string): Props => {
      const found = state.entries.find((entry) => called(entry) === name && entry.fate === "stays");
      if (!found) throw new Error(`${called(part)} needs ${name}, which is not there`);
      return found.outputs;
    };
    const urn = `urn:pulumi:test::throw-away::pulumi-nodejs:dynamic/container-platform:${part.type}::${part.name}`;
    const args = Object.entries(part.args).map(([key, value]) => [key, resolved(value, outputsOf)] as const);
    const adopted = part.import === undefined ? {} : { __adopt: part.import };
    return { ...Object.fromEntries(args), __provider: stub(part.type), __urn: urn, ...adopted };
  }
}

type Made = Pick<Entry, "id" | "outputs">;

function visible(props: Props): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => !key.startsWith("__")));
}
