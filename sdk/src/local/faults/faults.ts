import { hash } from "node:crypto";
import { z } from "zod";
import {
  authenticationStates,
  clusterEndpointStates,
  clusterStates,
  instanceStates,
  nodePoolLifeStates,
} from "../../catalogue/cluster/states.ts";
import { externalEndpointStates, registryStatuses } from "../../catalogue/registry/states.ts";
import { natGatewayStates } from "../../catalogue/vpc.ts";
import { type ErrorCode, InputError, isErrorCode, PlatformError } from "../../operation/errors.ts";
import { once, type Operation, products } from "../../operation/operation.ts";
import { given } from "../requests/input.ts";
import type { World } from "../store/world.ts";

/** The states that resources of each type can be made to end in. `registryDeletion` is the deletion of a registry. */
const ends = {
  cluster: clusterStates,
  clusterEndpoint: clusterEndpointStates,
  node: instanceStates,
  nodePool: nodePoolLifeStates,
  authentication: authenticationStates,
  registry: registryStatuses,
  registryEndpoint: externalEndpointStates,
  registryDeletion: registryStatuses,
  natGateway: natGatewayStates,
} as const satisfies Record<string, readonly string[]>;
export type FaultTarget = keyof typeof ends;

/** The longest delay of an answer in milliseconds: longer than any client waits. */
const longestDelay = 300_000;

/** Which of the calls that match a fault are hit by it. */
interface Frequency {
  /** An id or a name: only calls that name it match. */
  readonly resource?: string;
  /** The first matching call that is hit, counted from now on: 1 is the next one. 1 unless given. */
  readonly nth?: number;
  /** Hits each matching call with this probability, 0 to 1, instead of the nth one. The same seed and calls give the same faults. */
  readonly probability?: number;
  /** The seed of that probability; the world's seed unless given. */
  readonly seed?: string;
  /** How many calls are hit. One unless given; with a probability or `perSecond`, no limit. */
  readonly times?: number;
}

/** Calls that fail, or are slow. */
export interface CallFault extends Frequency {
  /** The operations whose calls match; all unless given. An operation of the catalogue can be given as it is. */
  readonly operation?: { readonly product?: string; readonly action?: string; readonly version?: string };
  /** `before`: the call fails and has no effect. `after`: it takes effect, and its answer gets lost. Without it, the call is only slow. */
  readonly when?: "before" | "after";
  /** The code that the call is answered with, such as `RequestLimitExceeded` for throttling; without one, the connection is dropped. */
  readonly code?: ErrorCode;
  readonly reason?: string;
  /** Milliseconds of the machine's clock by which the answer is late. */
  readonly delay?: number;
  /** A rate limit: lets this many calls through within any second of the world's clock, and hits the others. Instead of `nth`. */
  readonly perSecond?: number;
}

/** The next resource of a type to be made or changed ends in a given state. */
export interface EndFault extends Frequency {
  readonly resourceType: FaultTarget;
  /** The state that the resource ends in, such as `Abnormal` or `CreateFailed`. */
  readonly endState: string;
  /** The reason that the platform gives for it. */
  readonly reason: string;
}

export type Fault = CallFault | EndFault;

/** Says what is wrong with a value. */
const taking = (name: string, allowed: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? `${name} is required; it takes ${allowed}` : `${name} is ${JSON.stringify(input)}; it takes ${allowed}`,
});
const text = (name: string) => z.string(taking(name, "a text"));
const oneOf = <const Values extends readonly string[]>(name: string, values: Values) => z.enum(values, taking(name, values.join(", ")));
const whole = (name: string, least: number, most = Number.MAX_SAFE_INTEGER) => {
  const said = taking(name, most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least} on` : `a whole number, ${least} to ${most}`);
  return z.int(said).min(least, said).max(most, said);
};
const targetOf = (name: string) => {
  const isTarget = (given: unknown) => typeof given === "string" && Object.hasOwn(ends, given);
  return z.custom<FaultTarget>(isTarget, taking(name, Object.keys(ends).join(", ")));
};
const probabilitySaid = taking("probability", "a number, 0 to 1");

const frequency = () => ({
  resource: text("resource").min(1, taking("resource", "an id or a name")).exactOptional(),
  nth: whole("nth", 1).exactOptional(),
  probability: z.number(probabilitySaid).min(0, probabilitySaid).max(1, probabilitySaid).exactOptional(),
  seed: text("seed").exactOptional(),
  times: whole("times", 1).exactOptional(),
});

// Made at their first use, as those of operations: most worlds have no faults.
const callFault = once(() =>
  z.strictObject({
    operation: z
      .strictObject({
        product: oneOf("operation.product", products).exactOptional(),
        action: text("operation.action").exactOptional(),
        version: text("operation.version").exactOptional(),
      })
      .exactOptional(),
    ...frequency(),
    when: oneOf("when", ["before", "after"]).exactOptional(),
    code: z
      .custom<ErrorCode>((code) => typeof code === "string" && isErrorCode(code), taking("code", "a code that the catalogue knows"))
      .exactOptional(),
    reason: text("reason").exactOptional(),
    delay: whole("delay", 0, longestDelay).exactOptional(),
    perSecond: whole("perSecond", 1, 1000).exactOptional(),
  }),
);

const endFault = once(() =>
  z.strictObject({
    resourceType: targetOf("resourceType"),
    endState: text("endState"),
    ...frequency(),
    reason: text("reason"),
  }),
);

/** The number of calls that matched a fault and that it hit, and the times of the last calls that `perSecond` let through. */
const counts = () => ({ met: z.int(), hit: z.int(), through: z.array(z.number()).exactOptional() });

/** A fault with its counts. */
export const countedFaultSchema = once(() => z.object({ fault: z.union([callFault(), endFault()]), ...counts() }));
export type CountedFault = z.output<ReturnType<typeof countedFaultSchema>>;

/** An end fault in databases and snapshots: `thing` is its `resourceType`, and `end` its `endState`. */
const storedEndFault = once(() => z.strictObject({ thing: targetOf("thing"), end: text("end"), ...frequency(), reason: text("reason") }));

/** A fault with its counts, in the form that databases and snapshots have. */
export const storedFaultSchema = once(() => z.object({ fault: z.union([callFault(), storedEndFault()]), ...counts() }));
export type StoredFault = z.output<ReturnType<typeof storedFaultSchema>>;

function toStored({ fault, ...others }: CountedFault): StoredFault {
  if (!("resourceType" in fault)) return { fault, ...others };
  const { resourceType: thing, endState: end, ...rest } = fault;
  return { fault: { thing, end, ...rest }, ...others };
}

function fromStored({ fault, ...others }: StoredFault): CountedFault {
  if (!("thing" in fault)) return { fault, ...others };
  const { thing: resourceType, end: endState, ...rest } = fault;
  return { fault: { resourceType, endState, ...rest }, ...others };
}

/** @throws InputError if it is not a fault. */
export function checkedFault(given: object): CountedFault["fault"] {
  const parsed = "resourceType" in given ? endFault().safeParse(given) : callFault().safeParse(given);
  if (!parsed.success) throw new InputError(`a fault: ${parsed.error.issues.map(({ message }) => message).join("; ")}`);
  const complaint = contradictionIn(parsed.data);
  if (complaint !== undefined) throw new InputError(`a fault: ${complaint}`);
  return parsed.data;
}

function contradictionIn(fault: CountedFault["fault"]): string | undefined {
  if (fault.nth !== undefined && fault.probability !== undefined) return "nth and probability are both given; give one of the two";
  if ("perSecond" in fault && (fault.nth ?? fault.probability) !== undefined)
    return "perSecond is given with nth or probability; give one of the three";
  if (fault.seed !== undefined && fault.probability === undefined) return "seed is given without probability; only that is drawn";
  if ("resourceType" in fault) {
    const { resourceType, endState } = fault;
    const states: readonly string[] = ends[resourceType];
    return states.includes(endState)
      ? undefined
      : `endState is ${JSON.stringify(endState)}; of ${resourceType} it takes ${states.join(", ")}`;
  }
  if (fault.when === undefined && fault.delay === undefined) return "neither when nor delay is given; give what is to go wrong";
  if (fault.when === undefined && fault.code !== undefined) return "code is given without when; give before or after";
  return undefined;
}

/** A fault as JSON: of an operation of the catalogue, only what names it. */
export function faultAsData(fault: Fault): object {
  if ("resourceType" in fault || !fault.operation) return fault;
  const { product, action, version } = fault.operation;
  return { ...fault, operation: given({ product, action, version }) };
}

/** A fault that will still hit calls. */
export interface ListedFault {
  readonly id: number;
  readonly fault: Fault;
  /** How many calls matched it so far. */
  readonly met: number;
  /** How many of them it hit. */
  readonly hit: number;
}

/** What faults do to a call. */
interface FaultEffect {
  /** Milliseconds by which the answer is late. */
  readonly delay: number;
  /** Absent where the call is only slow. */
  readonly failure: { readonly when: "before" | "after"; readonly error: (requestId: string) => PlatformError } | undefined;
}

const stored = once(() => z.object({ seq: z.number(), data: z.string() }));

/** The faults of a world. They are stored in it, so that they hit every process that uses it. */
export class Faults {
  readonly #world: World;
  readonly #names: () => readonly string[];

  /** @param names the ids and names in the current call: a fault of one resource only matches calls that name it */
  constructor(world: World, names: () => readonly string[] = () => []) {
    this.#world = world;
    this.#names = names;
  }

  /** The same faults, for a call with these ids and names. */
  of(names: () => readonly string[]): Faults {
    return new Faults(this.#world, names);
  }

  /**
   * Adds a fault. Answers its id.
   *
   * @example
   * faults.add({ operation: createVpc, nth: 3, when: "after" }); // the third VPC is made, but the answer gets lost
   * faults.add({ operation: { product: "vpc" }, probability: 0.1, when: "before", code: "InternalError" });
   * faults.add({ operation: { product: "vpc" }, perSecond: 20, when: "before", code: "RequestLimitExceeded" });
   * faults.add({ resourceType: "cluster", resource: "staging", endState: "Abnormal", reason: "no capacity" });
   *
   * @throws InputError if it is not a fault.
   */
  add(fault: Fault): number {
    const kept: CountedFault = { fault: checkedFault(faultAsData(fault)), met: 0, hit: 0 };
    return Number(this.#world.prepare("INSERT INTO faults (data) VALUES (?)").run(dataOf(kept)).lastInsertRowid);
  }

  list(): ListedFault[] {
    return this.#all().map(([id, kept]) => ({ id, ...kept }));
  }

  /** Whether there was such a fault. */
  remove(id: number): boolean {
    return this.#world.prepare("DELETE FROM faults WHERE seq = ?").run(id).changes > 0;
  }

  clear(): void {
    this.#world.prepare("DELETE FROM faults").run();
  }

  /** The state in which a fault makes a resource of this kind end. Counts as a match. */
  endFor(target: FaultTarget): EndFault | undefined {
    const due = this.#matched((fault) => "resourceType" in fault && fault.resourceType === target)[0];
    if (!due || !("resourceType" in due.kept.fault)) return undefined;
    this.#hit(due);
    return due.kept.fault;
  }

  /** What faults do to this call of an operation. Counts the call. Only the first fault that fails it takes effect; delays add up. */
  effectOn(operation: Operation): FaultEffect | undefined {
    const due = this.#matched((fault) => !("resourceType" in fault) && isAbout(fault, operation));
    let [delay, failure]: [number, FaultEffect["failure"]] = [0, undefined];
    for (const one of due) {
      const { fault } = one.kept;
      if ("resourceType" in fault || (failure && fault.when)) continue;
      delay += fault.delay ?? 0;
      if (fault.when) failure = { when: fault.when, error: (requestId) => errorOf(fault, operation, requestId) };
      this.#hit(one);
    }
    return due.length > 0 ? { delay, failure } : undefined;
  }

  /** Counts the call at all faults that match it, and answers those that are due to hit it. */
  #matched(isMeant: (fault: CountedFault["fault"]) => boolean): { id: number; kept: CountedFault }[] {
    return this.#all().flatMap(([id, before]) => {
      const { fault } = before;
      if (!isMeant(fault) || (fault.resource !== undefined && !this.#names().includes(fault.resource))) return [];
      const met = { ...before, met: before.met + 1 };
      const isDue = this.#isDue(met);
      const isCounted = "perSecond" in fault && !isDue;
      const kept = isCounted ? { ...met, through: [...(met.through ?? []), this.#world.now()].slice(-(fault.perSecond ?? 1)) } : met;
      this.#world.prepare("UPDATE faults SET data = ? WHERE seq = ?").run(dataOf(kept), id);
      return isDue ? [{ id, kept }] : [];
    });
  }

  #isDue({ fault, met, through = [] }: CountedFault): boolean {
    const { nth = 1, probability, seed } = fault;
    if ("perSecond" in fault) {
      const age = this.#world.now() - (through.at(-fault.perSecond) ?? -Infinity);
      return age >= 0 && age < 1000;
    }
    if (probability === undefined) return met >= nth;
    const drawn = hash("sha256", `${seed ?? this.#world.clock().seed}/fault/${met}`, "buffer");
    return drawn.readUInt32BE() / 2 ** 32 < probability;
  }

  /** Counts the hit. The last one removes the fault. */
  #hit({ id, kept }: { id: number; kept: CountedFault }): void {
    const hit = kept.hit + 1;
    const isEndless = kept.fault.probability !== undefined || "perSecond" in kept.fault;
    const { times = isEndless ? Infinity : 1 } = kept.fault;
    if (hit >= times) this.remove(id);
    else this.#world.prepare("UPDATE faults SET data = ? WHERE seq = ?").run(dataOf({ ...kept, hit }), id);
  }

  #all(): readonly (readonly [id: number, kept: CountedFault])[] {
    return this.#world.recall("faults", "", () =>
      this.#world
        .prepare("SELECT seq, data FROM faults ORDER BY seq")
        .all()
        .map((row) => stored().parse(row))
        .map(({ seq, data }) => [seq, fromStored(storedFaultSchema().parse(JSON.parse(data)))] as const),
    );
  }
}

/** The text that is stored. */
function dataOf(kept: CountedFault): string {
  return JSON.stringify(toStored(kept));
}

function isAbout({ operation = {} }: { operation?: CallFault["operation"] }, { product, action, version }: Operation): boolean {
  const named = { product, action, version };
  return (["product", "action", "version"] as const).every((name) => operation[name] === undefined || operation[name] === named[name]);
}

function errorOf({ code, reason }: Pick<CallFault, "code" | "reason">, { product, action }: Operation, requestId: string): PlatformError {
  if (code !== undefined) return new PlatformError(code, reason ?? "a fault was asked for", { product, action, requestId });
  const origin = { product, action, requestId: "" };
  return new PlatformError("ConnectionLost", "the connection was lost before the answer came", origin, "unreachable");
}
