import { z } from "zod";
import type { Props } from "../support/structs.ts";
import { called, type Part, tellersOf } from "./program.ts";

const propsSchema = z.record(z.string(), z.unknown());

/** The resources in the state of a stack. */
export const entriesSchema = z.array(
  z.object({
    type: z.string(),
    name: z.string(),
    id: z.string(),
    inputs: propsSchema,
    outputs: propsSchema,
    /** What each input was told by, and what else it has to come after. */
    tellers: z.record(z.string(), z.array(z.string()).readonly()).readonly(),
    after: z.array(z.string()).readonly(),
    protect: z.boolean(),
    /** It is not as wished: the next run updates it, changed or not. */
    unfinished: z.boolean(),
    /** `condemned`: another has taken its place, and it is still to be deleted. `replaced`: it is deleted, and another is still to come. */
    fate: z.enum(["stays", "condemned", "replaced"]),
  }),
);
export type Entry = Readonly<z.output<typeof entriesSchema>[number]>;

/** The entry of a part whose thing has come. */
export function entryOf(part: Part, inputs: Props, made: Pick<Entry, "id" | "outputs" | "unfinished">): Entry {
  return { type: part.type, name: part.name, inputs, ...madeOf(part), ...made, fate: "stays" };
}

/** What an entry has of its part besides the inputs. */
export function madeOf({ args, dependsOn = [], protect = false }: Part): Pick<Entry, "tellers" | "after" | "protect"> {
  const tellers = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, tellersOf(value)]));
  return { tellers, after: [...new Set([...dependsOn, ...Object.values(tellers).flat()])], protect };
}

/**
 * The state of a stack while a run changes it: what the run has seen already, in the order of the program, and after that what it has
 * not, as it was before.
 */
export class State {
  /** What this run has deleted so that something else could be replaced. */
  readonly deleted = new Set<string>();
  #seen: Entry[] = [];
  #before: Entry[];

  constructor(before: readonly Entry[]) {
    this.#before = [...before];
  }

  get entries(): readonly Entry[] {
    return [...this.#seen, ...this.#before];
  }

  /** What no part of the program has asked for so far. */
  get unseen(): readonly Entry[] {
    return this.#before;
  }

  /** The entry of a part, from before this run: by its name, or one that it had. */
  before({ type, name, aliases = [] }: Part): Entry | undefined {
    const living = this.#before.filter((entry) => entry.type === type && entry.fate !== "condemned");
    return [name, ...aliases].map((one) => living.find((entry) => entry.name === one)).find((entry) => entry !== undefined);
  }

  /** A part is as it is to be; what was there of it before is gone, or replaced. */
  see(entry: Entry, before: Entry | undefined): void {
    if (before) this.forget(before);
    if (before && before.name !== entry.name) this.#rename(called(before), called(entry));
    this.#seen.push(entry);
  }

  /** A replacement has come, and what was there before is to go. */
  supersede(entry: Entry, before: Entry): void {
    this.#before = this.#before.map((one) => (one === before ? { ...one, fate: "condemned" } : one));
    this.#seen.push(entry);
  }

  forget(entry: Entry): void {
    this.#before = this.#before.filter((one) => one !== entry);
    this.#seen = this.#seen.filter((one) => one !== entry);
  }

  put(entry: Entry, instead: Entry): Entry {
    this.#before = this.#before.map((one) => (one === entry ? instead : one));
    this.#seen = this.#seen.map((one) => (one === entry ? instead : one));
    return instead;
  }

  /** What depends on an entry, directly or not, in order. What the run has seen depends on nothing that it has not. */
  dependents(of: Entry): readonly Entry[] {
    const found = new Set([called(of)]);
    return this.#before.slice(this.#before.indexOf(of) + 1).filter((entry) => {
      const depends = entry.after.some((name) => found.has(name));
      if (depends) found.add(called(entry));
      return depends;
    });
  }

  #rename(from: string, to: string): void {
    const named = (names: readonly string[]) => names.map((name) => (name === from ? to : name));
    this.#before = this.#before.map((entry) => ({
      ...entry,
      after: named(entry.after),
      tellers: Object.fromEntries(Object.entries(entry.tellers).map(([key, names]) => [key, named(names)])),
    }));
  }
}
