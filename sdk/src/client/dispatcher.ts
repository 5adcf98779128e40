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
  /** Calls of each product that may begin within a second, 1 at least. What the transport says unless given. */
  readonly callsPerSecond?: number | undefined;
  /** Where each call is written down; nowhere unless given. */
  readonly record?: CallRecord | undefined;
}

/** What an answer of a platform has, whatever was asked. */
interface Answering {
  readonly requestId: string;
  readonly time: number;
  readonly body?: JsonObject;
}

/** How calls get to a platform: each in its turn, made again where that helps, and written down. One for all views of a platform. */
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

  send(operation: Operation, request: Request, signal?: AbortSignal): Promise<Reply> {
    return this.#made(operation, request, signal, () => this.#transport.send(request, signal));
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
      // Who is at the other end of this process needs no call.
      if (answer.requestId !== "") note?.answered(answer);
      return answer;
    } catch (error) {
      note?.refused(error);
      throw error;
    }
  }
}

/** Gathers what a record says of one call. */
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
    // What a read is answered it was not about.
    answered: ({ requestId, body: made }: Answering) => {
      add(requestId, "", effect === "write" ? made : undefined);
    },
    refused: (error: unknown) => {
      if (error instanceof PlatformError) add(error.requestId, error.code);
      else add("", error instanceof Error ? error.name : "Error");
    },
  };
}
