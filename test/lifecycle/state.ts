import { z } from "zod";
import { engineUrn } from "../support/shell.ts";
import type { Props } from "../support/structs.ts";
import { called, type Declaration, sourcesOf, urnOf } from "./program.ts";

const propsSchema = z.record(z.string(), z.unknown());

/** The resources in the state of a stack. */
export const entriesSchema = z.array(
  z.object({
    type: z.string(),
    name: z.string(),
    id: z.string(),
    inputs: propsSchema,
    outputs: propsSchema,
    /** The resources that each input refers to. */
    sources: z.record(z.string(), z.array(z.string()).readonly()).readonly(),
    /** All resources that it has to come after. */
    after: z.array(z.string()).readonly(),
    protect: z.boolean(),
    retain: z.boolean().default(false),
    /** It is not as desired: the next run updates it, even if the program has not changed. */
    unfinished: z.boolean(),
    /** `toDelete`: another one has replaced it, and it is still to be deleted. `toRecreate`: it is deleted, and another one is still to be made. */
    status: z.enum(["live", "toDelete", "toRecreate"]),
  }),
);
export type Entry = Readonly<z.output<typeof entriesSchema>[number]>;

/** What the engine has begun with a resource, and has not finished as far as the state says. */
export const pendingSchema = z.array(
  z.object({
    type: z.enum(["creating", "updating", "deleting"]),
    entry: entriesSchema.element,
    /** The ID of its provider; that of the state, unless given. */
    provider: z.string().optional(),
  }),
);
export type Pending = Readonly<z.output<typeof pendingSchema>[number]>;

export function entryOf(declaration: Declaration, inputs: Props, made: Pick<Entry, "id" | "outputs" | "unfinished">): Entry {
  return { type: declaration.type, name: declaration.name, inputs, ...metadataOf(declaration), ...made, status: "live" };
}

/** What an entry has from the declaration besides the inputs. */
export function metadataOf({
  args,
  dependsOn = [],
  protect = false,
  retain = false,
}: Declaration): Pick<Entry, "sources" | "after" | "protect" | "retain"> {
  const sources = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, sourcesOf(value)]));
  return { sources, after: [...new Set([...dependsOn, ...Object.values(sources).flat()])], protect, retain };
}

/** An entry as the state of Pulumi has it. */
export function savedOf(entry: Entry) {
  return {
    urn: urnOf(called(entry)),
    ...(entry.id && { id: entry.id }),
    inputs: entry.inputs,
    outputs: entry.outputs,
    dependencies: entry.after.map((name) => engineUrn(urnOf(name))),
    ...(entry.protect && { protect: true }),
    ...(entry.retain && { retainOnDelete: true }),
    ...(entry.status === "toDelete" && { delete: true }),
    ...(entry.status === "toRecreate" && { pendingReplacement: true }),
  };
}

/**
 * The state of a stack while a run changes it: first the resources that the run has seen, in the order of the program, then the
 * others, as they were before.
 */
export class State {
  /** The resources that this run has deleted so that others could be replaced. */
  readonly deleted = new Set<string>();
  #seen: Entry[] = [];
  #before: Entry[];

  constructor(before: readonly Entry[]) {
    this.#before = [...before];
  }

  get entries(): readonly Entry[] {
    return [...this.#seen, ...this.#before];
  }

  /** The entries that no declaration has asked for so far. */
  get unseen(): readonly Entry[] {
    return this.#before;
  }

  /** The entry of a declared resource from before this run, by its name or an alias. */
  before({ type, name, aliases = [] }: Declaration): Entry | undefined {
    const living = this.#before.filter((entry) => entry.type === type && entry.status !== "toDelete");
    return [name, ...aliases].map((one) => living.find((entry) => entry.name === one)).find((entry) => entry !== undefined);
  }

  /** A resource is as it is declared. Its entry from before this run is no longer needed. */
  see(entry: Entry, before: Entry | undefined): void {
    if (before) this.forget(before);
    if (before && before.name !== entry.name) this.#rename(called(before), called(entry));
    this.#seen.push(entry);
  }

  /** A replacement was made, and the old resource is to be deleted. */
  supersede(entry: Entry, before: Entry): void {
    this.#before = this.#before.map((one) => (one === before ? { ...one, status: "toDelete" } : one));
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

  /** The entries that depend on this one, directly or not, in order. Those that the run has seen depend on none that it has not seen. */
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
      sources: Object.fromEntries(Object.entries(entry.sources).map(([key, names]) => [key, named(names)])),
    }));
  }
}
