import { setTimeout as sleep } from "node:timers/promises";
import type { Cloud } from "../../client/client.ts";
import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import { PlatformError } from "../../operation/errors.ts";
import { type Field, ownFieldsOf } from "../../operation/fields.ts";
import type { Operation, Product } from "../../operation/operation.ts";
import { operationNamed, operationsOf } from "../call/products.ts";
import { isAnswer } from "../run.ts";

/** One call, as it is reported: without its input, and without any value of its answer. */
export interface Tried extends Partial<Differences> {
  readonly product: Product;
  readonly action: string;
  readonly version: string;
  readonly requestId: string;
  /** The code of a refusal, or of why no answer came. */
  readonly code?: string;
  /** The words for it: the platform's, if it has answered. */
  readonly reason?: string;
  /** Whether no answer came. */
  readonly unanswered?: true;
}

/** The calls of one run, and what they have made. */
export class Trial {
  readonly cloud: Cloud;
  readonly calls: Tried[] = [];
  /** What the run has found out about the platform's meaning, in sentences. */
  readonly findings: string[] = [];
  /** Why the first read that got no answer got none. */
  silence: PlatformError | undefined;
  /** Values for the inputs of reads, by their names on the wire. */
  readonly known: Record<string, Json> = {};
  readonly #told: (call: Tried) => void;
  readonly #signal: AbortSignal;
  /** What may be there, and cannot be removed, because its id is not known. */
  readonly #unknown: string[] = [];
  readonly #undo: { readonly what: string; readonly remove: () => Promise<void> }[] = [];

  constructor(cloud: Cloud, signal: AbortSignal, told: (call: Tried) => void) {
    this.cloud = cloud;
    this.#signal = signal;
    this.#told = told;
  }

  /** Makes a call whose refusal ends the step. */
  async call(product: Product, action: string, body: JsonObject = {}): Promise<JsonObject> {
    this.#signal.throwIfAborted();
    return this.#called(await operationNamed(product, action, undefined), body);
  }

  /** Makes every read whose required inputs are known, and that was not made yet. A refusal, or no answer, is reported and ends nothing. */
  async readAll(): Promise<void> {
    for (const product of ["identity", "cluster", "compute", "disk", "vpc", "registry", "tag", "audit"] as const)
      for (const operation of await operationsOf(product)) {
        const input = operation.effect === "read" ? this.#inputOf(operation) : undefined;
        if (
          !input ||
          this.calls.some((call) => call.action === operation.action && call.version === operation.version && call.product === product)
        )
          continue;
        this.#signal.throwIfAborted();
        await this.#called(operation, input).catch((error: unknown) => {
          if (!(error instanceof PlatformError)) throw error;
          if (!isAnswer(error)) this.silence ??= error;
        });
      }
  }

  /** Remembers how something that was made is removed. What was made last is removed first. */
  made(what: string, remove: () => Promise<void>): void {
    this.#undo.push({ what, remove });
  }

  /** Remembers what may be there, although no answer has told it. */
  mayHaveMade(what: string): void {
    this.#unknown.push(what);
  }

  /** Removes all that was made, also after Control-C. Answers what could not be removed, and why. */
  async cleanUp(): Promise<string[]> {
    const left = [...this.#unknown];
    for (const { what, remove } of this.#undo.splice(0).reverse())
      await patiently(remove).catch((error: unknown) => left.push(`${what}: ${error instanceof Error ? error.message : String(error)}`));
    return left;
  }

  /** A call of the cleaning up. What is gone already is gone. */
  async remove(product: Product, action: string, body: JsonObject): Promise<void> {
    await this.#called(await operationNamed(product, action, undefined), body).catch((error: unknown) => {
      if (!(error instanceof PlatformError && error.kind === "notFound")) throw error;
    });
  }

  /** The required inputs of a read; `undefined` if one of them is not known. */
  #inputOf({ input }: Operation): JsonObject | undefined {
    const required = ownFieldsOf(input).filter((field) => field.required);
    const values = required.flatMap(({ name }): [string, Json][] => {
      const value = this.known[name];
      return value === undefined ? [] : [[name, value]];
    });
    return values.length === required.length ? Object.fromEntries(values) : undefined;
  }

  async #called(operation: Operation, body: JsonObject): Promise<JsonObject> {
    const { product, action, version } = operation;
    const named = { product, action, version };
    try {
      const reply = await this.cloud.exchange(operation, body);
      this.#note({ ...named, requestId: reply.requestId, ...differencesOf(operation, reply.body) });
      return reply.body;
    } catch (error) {
      if (error instanceof PlatformError) {
        const { requestId, code, reason } = error;
        this.#note({ ...named, requestId, code, reason, ...(!isAnswer(error) && { unanswered: true }) });
      }
      throw error;
    }
  }

  #note(call: Tried): void {
    this.calls.push(call);
    this.#told(call);
  }
}

/** Pauses before another try, in milliseconds: what is being deleted is still in the way of others for a while. */
const pauses = [1000, 5000, 15_000, 30_000, 60_000];

async function patiently(work: () => Promise<void>): Promise<void> {
  for (const pause of pauses) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof PlatformError && ["inUse", "transient", "unreachable", "unsent"].includes(error.kind))) throw error;
      await sleep(pause);
    }
  }
  await work();
}

/** Where an answer is not what the catalogue says, by paths such as `ClusterSet[].Id`. No value of the answer is in it. */
interface Differences {
  /** Fields that the catalogue says are always there, and that are not in every place where they belong. */
  readonly missing: readonly string[];
  /** The same fields, where they are there as `null`. */
  readonly empty: readonly string[];
  /** Fields that the catalogue does not have. */
  readonly fresh: readonly string[];
  /** Fields whose value has another type, or is none of the catalogue's. */
  readonly odd: readonly string[];
  /** Fields that may be absent, and are in no place where they belong. */
  readonly absent: readonly string[];
}

/** Compares an answer with what the catalogue says of it. */
function differencesOf({ output }: Operation, body: JsonObject): Differences {
  const seen = { missing: new Set<string>(), empty: new Set<string>(), fresh: new Set<string>(), odd: new Set<string>() };
  const optional = { there: new Set<string>(), not: new Set<string>() };
  compare(ownFieldsOf(output), [body]);
  const sorted = (paths: Iterable<string>) => [...paths].sort();
  return {
    missing: sorted(seen.missing),
    empty: sorted(seen.empty),
    fresh: sorted(seen.fresh),
    odd: sorted(seen.odd),
    absent: sorted([...optional.not].filter((path) => !optional.there.has(path))),
  };

  /** Objects that stand in the same place: the items of a list, or a single one. */
  function compare(fields: readonly Field[], objects: readonly JsonObject[], prefix = ""): void {
    const names = new Set(fields.map(({ name }) => name));
    for (const object of objects)
      for (const name of Object.keys(object)) if (!names.has(name) && name !== "RequestId") seen.fresh.add(`${prefix}${name}`);
    for (const field of fields) {
      for (const object of objects) notePresence(field, object[field.name]);
      const values = objects.flatMap((object) => object[field.name] ?? []);
      const isOdd =
        objects.some((object) => isOtherForm(field, object[field.name])) || values.some((value) => !suits(field.item ?? field, value));
      if (isOdd) seen.odd.add(field.path);
      const path = field.item ? `${field.path}[].` : `${field.path}.`;
      const below = field.item?.fields ?? field.fields;
      if (below.length > 0) compare(below, values.filter(isObject), path);
    }
  }

  function notePresence({ path, required }: Field, value: Json | undefined): void {
    if (!required) (value === undefined || value === null ? optional.not : optional.there).add(path);
    else if (value === undefined) seen.missing.add(path);
    else if (value === null) seen.empty.add(path);
  }
}

/** Whether a list stands in the place of a single value, or the other way. */
function isOtherForm({ item }: Field, value: Json | undefined): boolean {
  return value !== undefined && value !== null && isList(value) !== (item !== undefined);
}

/** An empty text in place of a known value says nothing: what a platform's form does not have is read as that. */
function suits({ kind, values }: Field, value: Json): boolean {
  if (value === "" && kind === "string") return true;
  if (values.length > 0 && typeof value === "string") return values.includes(value);
  return kindsOf(value).includes(kind);
}

function kindsOf(value: Json): readonly string[] {
  if (isList(value)) return ["list"];
  if (isObject(value)) return ["object"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value];
}
