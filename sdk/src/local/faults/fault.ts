import { z } from "zod";
import {
  authenticationStates,
  clusterEndpointStates,
  clusterStates,
  instanceStates,
  nodePoolLifeStates,
} from "../../catalogue/cluster/states.ts";
import { externalEndpointStates, registryStatuses } from "../../catalogue/registry/states.ts";
import { type ErrorCode, InputError, isErrorCode } from "../../operation/errors.ts";
import { once, products } from "../../operation/operation.ts";

/** The resource types that a fault can make end in a given state. `registryDeletion` is the deletion of a registry. */
const faultTargets = [
  "cluster",
  "clusterEndpoint",
  "node",
  "nodePool",
  "authentication",
  "registry",
  "registryEndpoint",
  "registryDeletion",
] as const;
export type FaultTarget = (typeof faultTargets)[number];

/** The states that each of them can be made to end in. */
const ends: Readonly<Record<FaultTarget, readonly string[]>> = {
  cluster: clusterStates,
  clusterEndpoint: clusterEndpointStates,
  node: instanceStates,
  nodePool: nodePoolLifeStates,
  authentication: authenticationStates,
  registry: registryStatuses,
  registryEndpoint: externalEndpointStates,
  registryDeletion: registryStatuses,
};

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
    resourceType: oneOf("resourceType", faultTargets),
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
const storedEndFault = once(() =>
  z.strictObject({ thing: oneOf("thing", faultTargets), end: text("end"), ...frequency(), reason: text("reason") }),
);

/** A fault with its counts, in the form that databases and snapshots have. */
export const storedFaultSchema = once(() => z.object({ fault: z.union([callFault(), storedEndFault()]), ...counts() }));
export type StoredFault = z.output<ReturnType<typeof storedFaultSchema>>;

export function toStored({ fault, ...others }: CountedFault): StoredFault {
  if (!("resourceType" in fault)) return { fault, ...others };
  const { resourceType: thing, endState: end, ...rest } = fault;
  return { fault: { thing, end, ...rest }, ...others };
}

export function fromStored({ fault, ...others }: StoredFault): CountedFault {
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
    const states = ends[resourceType];
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
  const named = Object.entries({ product, action, version }).filter(([, value]) => value !== undefined);
  return { ...fault, operation: Object.fromEntries(named) };
}
