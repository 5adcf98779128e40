import { setTimeout as sleep } from "node:timers/promises";
import { getCallerIdentity } from "../catalogue/identity.ts";
import type { JsonObject } from "../operation/codec.ts";
import { PlatformError, reasonOf } from "../operation/errors.ts";
import { namesIn } from "../operation/named-values.ts";
import type { Operation } from "../operation/operation.ts";
import { discreet, redacted } from "../operation/redact.ts";
import type { Identity, Reply, Request, Transport } from "../transport/transport.ts";
import type { CallRecord } from "./call-log.ts";
import { RateLimit } from "./rate-limit.ts";

/** How often calls are retried, and with what pauses. */
export interface RetryPolicy {
  /** How often one call is made at most, the first attempt included. */
  readonly attempts: number;
  /** The first pause, in milliseconds; each further one is twice as long, with jitter. */
  readonly pause: number;
  /** The longest pause, in milliseconds. */
  readonly longest: number;
  /** How many retries all calls share. Each retry takes one. A call that succeeds gives back what it took, and one more. */
  readonly budget: number;
}

/** With a platform that is down, the budget is used up in seconds. From then on every call fails at once. */
const usualRetries: RetryPolicy = { attempts: 6, pause: 200, longest: 10_000, budget: 100 };

/** Retries calls that had no effect or may be repeated, as long as the budget lasts. */
export class Retries {
  readonly #policy: RetryPolicy;
  #left: number;

  constructor(policy: Partial<RetryPolicy> = {}) {
    this.#policy = { ...usualRetries, ...policy };
    this.#left = this.#policy.budget;
  }

  /**
   * Retries a call that had no effect: it was throttled, or did not reach the platform. If the operation may be repeated, also a call
   * whose answer got lost, and one that was refused for a passing reason. The last refusal is thrown; the others go to `retried`.
   */
  async run<T>(
    operation: Pick<Operation, "repeatable">,
    signal: AbortSignal | undefined,
    call: () => Promise<T>,
    retried: (refusal: PlatformError) => void = () => undefined,
  ): Promise<T> {
    const { attempts, pause, longest, budget } = this.#policy;
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await call();
        this.#left = Math.min(budget, this.#left + attempt);
        return answer;
      } catch (error) {
        if (attempt >= attempts || this.#left <= 0 || !isWorthRepeating(operation, error)) throw error;
        retried(error);
      }
      this.#left--;
      const ceiling = Math.min(longest, pause * 2 ** (attempt - 1));
      await sleep(ceiling * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {});
    }
  }
}

function isWorthRepeating(operation: Pick<Operation, "repeatable">, error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError)) return false;
  if (error.kind === "throttled" || error.kind === "unsent") return true;
  return operation.repeatable && (error.kind === "transient" || error.kind === "unreachable");
}

export interface SendingOptions {
  readonly transport: Transport;
  readonly retries?: Partial<RetryPolicy> | undefined;
  /** How many calls of each product may begin within a second, at least 1. Default: what the transport says. */
  readonly callsPerSecond?: number | undefined;
  /**
   * Aborted when whoever called wants to end. Reads without an answer fail a few seconds later, and so do new ones. Writes are waited for:
   * what they have made has to be known.
   */
  readonly stopped?: AbortSignal | undefined;
  /** The record that each call is added to. Default: none. */
  readonly record?: CallRecord | undefined;
}

/** In milliseconds: how long reads may go on after the user has ended the work. A platform that is well answers in less. */
const lastReads = 3000;

/** What every answer of a platform has. */
interface Answering {
  readonly requestId: string;
  readonly time: number;
  readonly body?: JsonObject;
}

/** Sends calls: keeps the rate limit, retries, and records them. All `Cloud`s of one platform share one. */
export class Sending {
  readonly #transport: Transport;
  readonly #retries: Retries;
  readonly #rate: RateLimit;
  readonly #record: CallRecord | undefined;
  /** Ends reads. */
  readonly #end: AbortSignal | undefined;
  /** Milliseconds that the platform's clock is ahead of this machine's, as of the last answer. */
  ahead = 0;

  constructor({ transport, retries, callsPerSecond = transport.callsPerSecond ?? Infinity, record, stopped }: SendingOptions) {
    this.#transport = transport;
    this.#retries = new Retries(retries);
    this.#rate = new RateLimit(callsPerSecond);
    this.#record = record;
    this.#end = stopped && endAfter(stopped);
  }

  /** What `check` throws of an answer is the call's failure: it is retried and recorded as such. */
  async send(
    operation: Operation,
    request: Request,
    { signal: given, check }: { readonly signal: AbortSignal | undefined; readonly check: ((reply: Reply) => void) | undefined },
  ): Promise<Reply> {
    const end = operation.effect === "read" ? this.#end : undefined;
    const signal = given && end ? AbortSignal.any([given, end]) : (given ?? end);
    const call = async () => {
      const reply = await this.#transport.send(request, signal).catch((error: unknown) => {
        throw discreet(operation, request.body, error);
      });
      check?.(reply);
      return reply;
    };
    return this.#ending(end, () => this.#made(operation, request, signal, call));
  }

  /** What is aborted in a pause before a retry says only that it was. */
  async #ending<T>(end: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (end?.aborted === true && !(error instanceof PlatformError)) throw reasonOf(end);
      throw error;
    }
  }

  whoAmI(): Promise<Identity> {
    const { product, action, version } = getCallerIdentity;
    const request = { product, action, version, region: "", body: {} };
    return this.#ending(this.#end, () => this.#made(getCallerIdentity, request, this.#end, () => this.#transport.whoAmI(this.#end)));
  }

  async #made<Answer extends Answering>(
    operation: Operation,
    request: Request,
    signal: AbortSignal | undefined,
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    const note = this.#record ? noting(this.#record, operation, request) : undefined;
    try {
      const inTurn = () => this.#rate.run(request.product, signal, call);
      // With a token, the platform carries out a repeated call only once.
      const repeatable = operation.repeatable || "ClientToken" in request.body;
      const answer = await this.#retries.run({ repeatable }, signal, inTurn, note?.retried);
      this.ahead = answer.time - Date.now();
      // A platform in this process tells the account without a call.
      if (answer.requestId !== "") note?.answered(answer);
      return answer;
    } catch (error) {
      note?.refused(error);
      throw error;
    }
  }
}

/** A signal that is aborted a few seconds after another one. */
function endAfter(stopped: AbortSignal): AbortSignal {
  const end = new AbortController();
  const stop = () => {
    setTimeout(() => end.abort(new Error("interrupted: the platform has not answered yet")), lastReads).unref();
  };
  if (stopped.aborted) stop();
  else stopped.addEventListener("abort", stop, { once: true });
  return end.signal;
}

/** Collects what the record says of one call. */
function noting(record: CallRecord, { effect, input, output }: Operation, { product, action, version, region, body }: Request) {
  const time = new Date().toISOString();
  const begun = performance.now();
  const retries: { requestId: string; code: string }[] = [];
  const parameters = redacted(input, body);
  const add = (requestId: string, code: string, made: JsonObject = {}) => {
    const names = [...new Set([...namesIn(parameters), ...namesIn(redacted(output, made))])];
    const duration = Math.round(performance.now() - begun);
    record.add({ time, product, action, version, region, requestId, code, duration, retries, names, parameters });
  };
  return {
    retried: ({ requestId, code }: PlatformError) => {
      retries.push({ requestId, code });
    },
    // The names in the answer to a read are not what the call was about.
    answered: ({ requestId, body: made }: Answering) => {
      add(requestId, "", effect === "write" ? made : undefined);
    },
    refused: (error: unknown) => {
      if (error instanceof PlatformError) add(error.requestId, error.code);
      else add("", error instanceof Error ? error.name : "Error");
    },
  };
}
