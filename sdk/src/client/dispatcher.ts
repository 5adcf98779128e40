import { getCallerIdentity } from "../catalogue/identity.ts";
import { PlatformError } from "../operation/errors.ts";
import { namesIn } from "../operation/named-values.ts";
import type { Operation } from "../operation/operation.ts";
import { RateLimit } from "./rate-limit.ts";
import type { CallRecord } from "./call-log.ts";
import { redacted } from "../operation/redact.ts";
import { Retries, type RetryPolicy } from "./retry.ts";
import type { Identity, Reply, Request, Transport } from "../transport/transport.ts";
import type { JsonObject } from "../operation/codec.ts";

export interface SendingOptions {
  readonly transport: Transport;
  readonly retries?: Partial<RetryPolicy> | undefined;
  /** How many calls of each product may begin within a second, at least 1. Default: what the transport says. */
  readonly callsPerSecond?: number | undefined;
  /** The record that each call is added to. Default: none. */
  readonly record?: CallRecord | undefined;
}

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
  /** Milliseconds that the platform's clock is ahead of this machine's, as of the last answer. */
  ahead = 0;

  constructor({ transport, retries, callsPerSecond = transport.callsPerSecond ?? Infinity, record }: SendingOptions) {
    this.#transport = transport;
    this.#retries = new Retries(retries);
    this.#rate = new RateLimit(callsPerSecond);
    this.#record = record;
  }

  /** What `check` throws of an answer is the call's failure: it is retried and recorded as such. */
  send(
    operation: Operation,
    request: Request,
    { signal, check }: { readonly signal: AbortSignal | undefined; readonly check: ((reply: Reply) => void) | undefined },
  ): Promise<Reply> {
    return this.#made(operation, request, signal, async () => {
      const reply = await this.#transport.send(request, signal);
      check?.(reply);
      return reply;
    });
  }

  whoAmI(): Promise<Identity> {
    const { product, action, version } = getCallerIdentity;
    const request = { product, action, version, region: "", body: {} };
    return this.#made(getCallerIdentity, request, undefined, () => this.#transport.whoAmI());
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
      const answer = await this.#retries.run(operation, signal, inTurn, note?.retried);
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
