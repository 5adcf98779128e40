import { createHash } from "node:crypto";
import { z } from "zod";
import { PlatformError } from "../../operation/errors.ts";
import type { Operation } from "../../operation/operation.ts";
import {
  type CallFault,
  checkedFault,
  type CountedFault,
  type EndFault,
  type Fault,
  faultAsData,
  type FaultTarget,
  fromStored,
  storedFaultSchema,
  toStored,
} from "./fault.ts";
import type { World } from "../store/world.ts";

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

const stored = z.object({ seq: z.number(), data: z.string() });

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
    const added = this.#world.prepare("INSERT INTO faults (data) VALUES (?) RETURNING seq, data").get(dataOf(kept));
    return stored.parse(added).seq;
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
    const drawn = createHash("sha256")
      .update(`${seed ?? this.#world.clock().seed}/fault/${met}`)
      .digest();
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
        .map((row) => stored.parse(row))
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
