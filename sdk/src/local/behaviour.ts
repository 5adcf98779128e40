import type { z } from "zod";
import { type CommonCode, type ErrorCode, PlatformError } from "../operation/errors.ts";
import { once, type Operation } from "../operation/operation.ts";
import type { JsonObject } from "../operation/codec.ts";
import type { Faults } from "./faults/faults.ts";
import { inputFrom } from "./requests/input.ts";
import { durationOf, timestampOf, type Transition } from "./time.ts";
import type { Rows, Table } from "./store/table.ts";
import type { World } from "./store/world.ts";

/** The form in which a call came: that of the specification, or that of the public API, which takes more. */
export type Form = "specification" | "public";

/** Where and when something is done, with the rows that the account has there. */
export class Context {
  readonly world: World;
  readonly region: string;
  /** The main account. */
  readonly account: string;
  /** The world's time when it began, in milliseconds. */
  readonly now: number;

  /** In the first main account and now, unless given. */
  constructor(world: World, region: string, account = world.account, now = world.now()) {
    this.world = world;
    this.region = region;
    this.account = account;
    this.now = now;
  }

  /** The same in another region. */
  in(region: string): Context {
    return new Context(this.world, region, this.account, this.now);
  }

  rows<Row extends { id: string }>(of: Table<Row>): Rows<Row> {
    return this.world.rows(of, this.region, this.account);
  }

  /** All rows of a table, or those that belong to `parent`, oldest first. */
  list<Row extends { id: string }>(of: Table<Row>, parent?: string): Row[] {
    return this.rows(of).list(parent);
  }

  /** The moment at which a transition that begins now is done. */
  after(transition: Transition): number {
    return this.now + durationOf(transition, this.world.timeScale);
  }

  /** Now, in the form that records have: `2026-01-31T12:00:00Z`. */
  get timestamp(): string {
    return timestampOf(this.now);
  }
}

/**
 * One call, as it is given to the behaviour of its operation.
 *
 * @typeParam Code the error codes with which the operation may be refused
 */
export class Call<Code extends ErrorCode = never> extends Context {
  readonly faults: Faults;
  readonly operation: Operation;
  /** Who calls: the main account itself, or one of its sub-accounts. */
  readonly uin: string;
  readonly requestId: string;
  readonly form: Form;
  /** Never set: it lets the compiler tell calls with different codes apart. */
  declare readonly codes: (code: Code) => void;

  constructor(
    given: Pick<Call, "world" | "faults" | "operation" | "region" | "account" | "uin" | "requestId" | "now"> & { readonly form?: Form },
  ) {
    super(given.world, given.region, given.account, given.now);
    this.faults = given.faults;
    this.operation = given.operation;
    this.uin = given.uin;
    this.requestId = given.requestId;
    this.form = given.form ?? "specification";
  }

  /** A refusal, to be thrown. */
  error(code: Code | CommonCode, reason: string): PlatformError {
    const { product, action } = this.operation;
    return new PlatformError(code, reason, { product, action, requestId: this.requestId });
  }
}

/** A call with all codes of an operation, for a part of its behaviour. */
export type CallOf<Called extends Pick<Operation, "errors">> = Call<Called["errors"][number]>;

/** What an operation does in the local platform. */
export interface Behaviour {
  readonly operation: Operation;
  /** The output of the operation, without any other field. */
  readonly output: () => z.ZodObject;
  /** Carries out a call. `body` is the input as it came over the wire. */
  readonly run: (call: Call<ErrorCode>, body: JsonObject) => unknown;
}

/** The result of a behaviour: the output, or nothing if the output has no fields. */
type Returned<Out extends z.ZodObject> =
  z.input<Out> extends Record<string, never> ? void | Promise<void> : z.input<Out> | Promise<z.input<Out>>;

/** The behaviour of an operation. It can only raise the codes that the operation declares, and those common to all. */
export function on<In extends z.ZodObject, Out extends z.ZodObject, Code extends ErrorCode>(
  operation: Operation<In, Out, Code>,
  run: (call: Call<Code>, input: z.output<In>) => Returned<Out>,
): Behaviour {
  const output = once(() => operation.output.strict());
  return { operation, output, run: (call, body) => run(call, inputFrom(operation, body, call.error.bind(call))) };
}
