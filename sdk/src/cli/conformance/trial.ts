import { setTimeout as sleep } from "node:timers/promises";
import type { Cloud } from "../../client/client.ts";
import type { Json, JsonObject } from "../../operation/codec.ts";
import { PlatformError } from "../../operation/errors.ts";
import type { Operation, Product } from "../../operation/operation.ts";
import { ownFieldsOf } from "../../operation/fields.ts";
import { operationsOf } from "../call/products.ts";
import { operationNamed } from "../call/target.ts";
import { isAnswer } from "../run/failures.ts";
import { differencesOf, type Differences } from "./shape.ts";

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
