import type { z } from "zod";
import { fromWire, type JsonObject, objectToWire, wirePath } from "../operation/codec.ts";
import { type ErrorKind, InputError, PlatformError } from "../operation/errors.ts";
import type { Operation, Paging } from "../operation/operation.ts";
import type { Reply, Transport } from "../transport/transport.ts";
import { twoVersions } from "./copies.ts";
import { Sending, type SendingOptions } from "./dispatcher.ts";
import { type Page, type PagedOperation, pagesOf } from "./paging.ts";
import { Readings } from "./read-cache.ts";
import { contradictionIn, partialAnswer } from "./response-checks.ts";

// Two versions of the client do not harm each other, but what one makes (a Cloud, an error) is unknown to the other.
const warning = twoVersions("@container-platform/sdk", import.meta.dirname);
if (warning !== undefined) console.warn(`warning: ${warning}`);

/** An answer as programs read it. A field that the platform may leave out is `undefined`; its key is never missing. */
export type Answer<T> = T extends readonly (infer Item)[]
  ? Answer<Item>[]
  : T extends object
    ? { [Key in keyof Required<T>]: Answer<T[Key]> }
    : T;

// zod gives an object without keys an index signature, which would swallow every check of names.
type Told<Out extends z.ZodObject> = keyof Out["shape"] extends never ? unknown : Answer<z.output<Out>>;

/** An answer, and the platform's id of the call. */
export type Answered<Out extends z.ZodObject> = Told<Out> & { readonly requestId: string };

/** An item of a list that an operation answers page by page. */
export type ItemOf<Out extends z.ZodObject, Items extends string> =
  Answer<z.output<Out>> extends Readonly<Record<Items, readonly (infer Item)[]>> ? Item : never;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface CloudOptions extends SendingOptions {
  /** Recent answers, shared by several `Cloud`s of one platform. */
  readonly readings?: Readings;
  /** Up to which age, in milliseconds, a recent answer is used instead of a new call. */
  readonly tolerance?: number;
  readonly region: string;
}

/**
 * One region of a platform, as one account sees it.
 *
 * @example
 * const cloud = new Cloud({ transport: await connect("local"), region: "eu-frankfurt" });
 * const { vpcSet } = await cloud.call(describeVpcs, {});
 */
export class Cloud {
  readonly transport: Transport;
  readonly region: string;
  readonly readings: Readings;
  readonly tolerance: number;
  readonly #sending: Sending;

  constructor(options: CloudOptions, sending = new Sending(options)) {
    const { transport, region, readings = new Readings(), tolerance = 0 } = options;
    this.transport = transport;
    this.region = region;
    this.readings = readings;
    this.tolerance = tolerance;
    this.#sending = sending;
  }

  /** The same platform, for reads whose answers may be up to so many milliseconds old. */
  tolerating(tolerance: number): Cloud {
    const { transport, region, readings } = this;
    return new Cloud({ transport, region, readings, tolerance }, this.#sending);
  }

  /** The platform's time in milliseconds since 1970, as of the last answer. */
  now(): number {
    return Date.now() + this.#sending.ahead;
  }

  /** The account that the calls are made in. The answer also sets the platform's time. */
  async account(): Promise<string> {
    return (await this.#sending.whoAmI()).account;
  }

  /**
   * Calls an operation: checks the input, sends it, checks the answer. That of a write is taken without what it lacks, as long as it
   * has all ids and secrets.
   *
   * @throws InputError before anything is sent, if the input is not what the operation takes.
   * @throws PlatformError if the platform refuses or cannot be reached.
   */
  async call<In extends z.ZodObject, Out extends z.ZodObject>(
    operation: Operation<In, Out>,
    input: z.input<NoInfer<In>>,
    options?: CallOptions,
  ): Promise<Answered<Out>> {
    const checked = operation.input.safeParse(input);
    if (!checked.success) throw new InputError(`${operation.action}: ${checked.error.issues.map(sentenceOf(operation.input)).join("; ")}`);
    let told: unknown;
    const reply = await this.#sent(operation, objectToWire(operation.input, input), options, (answered) => {
      told = fromWire(operation.output, answered.body);
      const contradiction = operation.effect === "read" ? contradictionIn(operation, input, told) : undefined;
      if (contradiction !== undefined) throw badAnswer(operation, contradiction, answered, "transient");
    });
    const answer = operation.output.safeParse(told);
    const data = answer.success ? answer.data : partialAnswer(operation, told, answer.error.issues);
    if (data === undefined) throw badAnswer(operation, answer.error ? lacksOf(operation, answer.error) : "", reply, "failed");
    // For an absent field zod leaves the key out. Reading it gives `undefined`, as `Answer` says.
    return { ...(data as Told<Out> & object), requestId: reply.requestId };
  }

  /**
   * Calls an operation with an input in the wire's spelling, and returns the answer in the wire's spelling. Neither is checked. The
   * call is retried as `call` does. For tools that show all that a platform says, whether the catalogue knows it or not.
   *
   * @throws PlatformError if the platform refuses or cannot be reached.
   */
  async exchange(operation: Operation, body: JsonObject, options?: CallOptions): Promise<Reply> {
    return this.#sent(operation, body, options);
  }

  async #sent(operation: Operation, body: JsonObject, { signal }: CallOptions = {}, check?: (reply: Reply) => void): Promise<Reply> {
    const { product, action, version } = operation;
    const request = { product, action, version, region: this.region, body };
    return this.#sending.send(operation, request, { signal, check }).finally(() => {
      if (operation.effect === "write") this.readings.forget(operation);
    });
  }

  /**
   * The pages of a list, each when it is asked for. Where an input takes a number of items, that is 100, unless it is given; where
   * pages are asked for with a token, it is the platform's own.
   *
   * @throws as `call` does.
   */
  async *pages<In extends z.ZodObject, Out extends z.ZodObject, Pages extends Paging>(
    operation: PagedOperation<In, Out, Pages>,
    input: z.input<NoInfer<In>>,
    options?: CallOptions,
  ): AsyncGenerator<Page<ItemOf<Out, Pages["items"]>>, undefined> {
    const ask = (place: object) => this.call(operation, { ...input, ...place }, options);
    const spelling = (_schema: unknown, field: string) => field;
    for await (const { answer, items, total } of pagesOf(operation, input, { ask, bodyOf: (told) => told, spelling }))
      // `call` has checked that the answer has such items.
      yield { items: items as readonly ItemOf<Out, Pages["items"]>[], total, requestId: answer.requestId };
    return undefined;
  }

  /**
   * All items of a list that the platform answers page by page.
   *
   * @throws as `call` does.
   */
  async all<In extends z.ZodObject, Out extends z.ZodObject, Pages extends Paging>(
    operation: PagedOperation<In, Out, Pages>,
    input: z.input<NoInfer<In>>,
    options?: CallOptions,
  ): Promise<ItemOf<Out, Pages["items"]>[]> {
    const all: ItemOf<Out, Pages["items"]>[] = [];
    for await (const { items } of this.pages(operation, input, options)) all.push(...items);
    return all;
  }

  /** Like `call`; `undefined` where the platform answers that what it asks about does not exist. */
  async find<In extends z.ZodObject, Out extends z.ZodObject>(
    operation: Operation<In, Out>,
    input: z.input<NoInfer<In>>,
    options?: CallOptions,
  ): Promise<Answered<Out> | undefined> {
    return ifFound(this.call(operation, input, options));
  }
}

/** What a call answers; `undefined` where the platform answers that what it asks about does not exist. */
export async function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PlatformError && error.kind === "notFound") return undefined;
    throw error;
  }
}

function badAnswer({ product, action }: Operation, why: string, { requestId }: Reply, kind: ErrorKind): PlatformError {
  return new PlatformError("InternalError", `the answer is not what ${action} answers: ${why}`, { product, action, requestId }, kind);
}

function sentenceOf(schema: z.ZodObject) {
  return ({ path, message }: z.core.$ZodIssue) => [wirePath(schema, path), message].filter(Boolean).join(": ");
}

/** How many of the fields are told that are not as they should be. */
const told = 3;

/** What an answer lacks that cannot be used, and what to do. */
function lacksOf({ output, effect }: Operation, { issues }: z.ZodError): string {
  const some = issues.slice(0, told).map(sentenceOf(output));
  const more = issues.length > told ? [`and ${issues.length - told} more`] : [];
  return `${[...some, ...more].join("; ")}. ${effect === "read" ? "Tell" : "It may have taken effect: tell"} those who run the platform`;
}

/** The items of a list, read once for simultaneous callers that give the same name. Empty if their parent no longer exists. */
export function sharedList<In extends z.ZodObject, Out extends z.ZodObject, Pages extends Paging>(
  cloud: Cloud,
  name: string,
  operation: PagedOperation<In, Out, Pages>,
  input: z.input<NoInfer<In>>,
): Promise<ItemOf<Out, Pages["items"]>[]> {
  return cloud.readings.share([operation], name, cloud.tolerance, async () => (await ifFound(cloud.all(operation, input))) ?? []);
}
