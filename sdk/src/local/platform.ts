import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { objectToWire } from "../operation/codec.ts";
import { type CommonCode, type ErrorCode, PlatformError } from "../operation/errors.ts";
import { namesIn } from "../operation/named-values.ts";
import { versionMeant } from "../operation/versions.ts";
import type { Identity, Reply, Request, Transport } from "../transport/transport.ts";
import { type Caller, callerOf, refuseUnauthorized } from "./accounts/accounts.ts";
import { noRegion, recordCall, recordRefusal } from "./audit/events.ts";
import { type Behaviour, Call, type Form } from "./behaviour.ts";
import { type Behaviours, behavioursOf } from "./behaviours.ts";
import { Faults } from "./faults/faults.ts";
import { isRegion, regions } from "./regions.ts";
import { given } from "./requests/input.ts";
import { World } from "./store/world.ts";
import { timeScaleNamed } from "./time.ts";

interface Refusal {
  readonly code: CommonCode;
  readonly reason: string;
}

/** The behaviour that a call asks for; or the refusal, if there is no such action or version. */
function operationOf({ product, action, version }: Request, behaviours: Behaviours): Behaviour | Refusal {
  const named = behaviours.get(action) ?? [];
  const versions = named.map(({ operation }) => operation.version).sort();
  const meant = versionMeant(versions, version);
  const found = named.find(({ operation }) => operation.version === meant);
  if (found) return found;
  if (named.length === 0) return { code: "InvalidAction", reason: `${product} has no action ${action}` };
  return { code: "NoSuchVersion", reason: `${action} has no version ${version}; there is ${versions.join(", ")}` };
}

/** Who makes a call; and the refusal, if the caller cannot be identified or is not let in. A refused call may have no caller. */
export type Identification =
  { readonly caller: Caller; readonly refusal?: undefined } | { readonly caller: Caller | undefined; readonly refusal: Refusal };

/**
 * The platform of the specification in this process. It carries out calls on a world.
 *
 * @example
 * const uin = await putSubAccount(world, { name: "auditor", allow: ["audit:*"] });
 * const cloud = new Cloud({ transport: new LocalPlatform(world, { uin }), region: "eu-frankfurt" });
 */
export class LocalPlatform implements Transport {
  readonly world: World;
  readonly faults: Faults;
  readonly #identify: () => Identification;
  readonly #form: Form;

  /**
   * @param caller who calls; the world's first main account unless given. A function is called for each call, in its transaction
   * @param form in which the calls came; they are in the specification's form when they are sent
   * @throws InputError if there is no such account
   */
  constructor(world: World, caller: { readonly uin?: string } | (() => Identification) = {}, form: Form = "specification") {
    this.world = world;
    this.#form = form;
    this.faults = new Faults(world);
    if (typeof caller === "function") {
      this.#identify = caller;
      return;
    }
    const known = { caller: callerOf(world, caller.uin ?? world.account) };
    this.#identify = () => known;
  }

  whoAmI(): Promise<Identity> {
    const { caller, refusal } = this.#identify();
    if (refusal) return Promise.reject(new PlatformError(refusal.code, refusal.reason, nowhere));
    return Promise.resolve({ account: caller.account, time: this.world.now(), requestId: "" });
  }

  close(): Promise<void> {
    this.world.close();
    return Promise.resolve();
  }

  /** A call without a version is of the action's default version. */
  async send(request: Request, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted();
    return this.answer(request, () => signal);
  }

  /** As `send`, for a caller whose signal is only made if an answer is held back. */
  async answer(request: Request, signal: () => AbortSignal | undefined): Promise<Reply> {
    const behaviours = await behavioursOf(request.product, this.#form);
    const { answered, delay } = await this.world.transaction(() => this.#answer(request, behaviours));
    if (delay > 0) await held(delay, signal());
    if (answered instanceof PlatformError) throw answered;
    return answered;
  }

  /** Refuses a call whose request could not be read, and records it. */
  refuse(call: Named, code: CommonCode, reason: string): Promise<PlatformError> {
    return this.world.transaction(() => {
      const { caller, refusal = { code, reason } } = this.#identify();
      return this.#refused(call, refusal, caller);
    });
  }

  /** A refused call without a caller is in no account's audit log. */
  #refused({ region, ...named }: Named, { code, reason }: Refusal, caller: Caller | undefined): PlatformError {
    const requestId = caller ? this.#newRequestId() : randomUUID();
    const refusal = new PlatformError(code, reason, { ...named, requestId });
    if (caller) recordRefusal(this.world, caller, isRegion(region) ? region : noRegion, refusal);
    return refusal;
  }

  /** Returns a refusal instead of throwing it: a throw would roll back its record in the audit log. */
  async #answer(request: Request, behaviours: Behaviours): Promise<Outcome> {
    const { product, action, region } = request;
    const { caller, refusal } = this.#identify();
    const refused = (why: Refusal) => ({ answered: this.#refused({ product, action, region }, why, caller), delay: 0 });
    if (refusal) return refused(refusal);
    const behaviour = operationOf(request, behaviours);
    if ("code" in behaviour) return refused(behaviour);
    // Operations of no region may be called in any.
    if (product !== "identity" && !isRegion(region)) {
      if (region === "") return refused({ code: "MissingParameter", reason: "Region is required" });
      const reason = `there is no region ${region}; there are ${regions.join(", ")}`;
      return refused({ code: "UnsupportedOperation.InvalidRegion", reason });
    }
    const { world } = this;
    const { operation } = behaviour;
    const faults = this.faults.of(() => namesIn(request.body));
    const where = product === "identity" ? noRegion : region;
    const requestId = this.#newRequestId();
    const call = new Call<ErrorCode>({ world, faults, operation, ...caller, region: where, requestId, now: world.now(), form: this.#form });
    const { recorded, ...outcome } = await this.#outcome(call, behaviour, request);
    recordCall(call, request, recorded);
    return outcome;
  }

  /** The recorded and the answered outcome differ if a fault loses the answer. */
  async #outcome(call: Call<ErrorCode>, behaviour: Behaviour, request: Request): Promise<Outcome & { recorded: Outcome["answered"] }> {
    const unauthorized = await refusalOr(() => refuseUnauthorized(call, request.body));
    if (unauthorized) return { recorded: unauthorized, answered: unauthorized, delay: 0 };
    const { delay = 0, failure } = call.faults.effectOn(behaviour.operation) ?? {};
    const recorded = failure?.when === "before" ? failure.error(call.requestId) : await this.#run(behaviour, call, request);
    const lost = failure?.when === "after" && !(recorded instanceof PlatformError);
    return { recorded, answered: lost ? failure.error(call.requestId) : recorded, delay };
  }

  #run(behaviour: Behaviour, call: Call<ErrorCode>, { body }: Request): Promise<Reply | PlatformError> {
    const work = async () => {
      const answer = (await behaviour.run(call, body)) ?? {};
      return { requestId: call.requestId, time: call.now, body: objectToWire(call.operation.output, checked(behaviour, answer)) };
    };
    return refusalOr(() => this.world.attempt(work));
  }

  #newRequestId(): string {
    const hex = this.world.drawHex();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
  }
}

/** The origin of a refusal that belongs to no operation. */
const nowhere = { product: "identity", action: "", requestId: "" };

interface Named {
  readonly product: string;
  readonly action: string;
  readonly region: string;
}

interface Outcome {
  readonly answered: Reply | PlatformError;
  /** Milliseconds by which the answer is late. */
  readonly delay: number;
}

/** Delays an answer after its transaction has ended, so that no other call waits for it. */
async function held(delay: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(delay, undefined, signal && { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}

/** The result of some work, or the refusal that it throws. */
async function refusalOr<T>(work: () => T): Promise<Awaited<T> | PlatformError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
}

/** Checks an answer against the catalogue. One that does not fit is a bug of the local platform. */
function checked({ operation: { action }, output }: Behaviour, answer: unknown): object {
  const parsed = output().safeParse(answer);
  if (!parsed.success) throw new Error(`the local platform's answer to ${action} is not what the catalogue says: ${parsed.error.message}`);
  return parsed.data;
}

/**
 * Opens the local platform whose world is a file.
 *
 * @param timeScale the name of a new world's time scale, as CONTAINER_PLATFORM_TIME_SCALE has it; an existing world keeps its own
 * @param lockTimeout how long calls wait for another process that has locked the file, in milliseconds; 20 seconds unless given
 * @throws InputError if the file cannot be read, or there is no such time scale.
 */
export function openLocal(file: string, timeScale: string | undefined, lockTimeout: number | undefined): LocalPlatform {
  const named = timeScale === undefined ? undefined : timeScaleNamed(timeScale, "CONTAINER_PLATFORM_TIME_SCALE");
  return new LocalPlatform(World.open(file, given({ timeScale: named, lockTimeout })));
}
