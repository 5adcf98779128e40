import { z } from "zod";
import { type ErrorCode, PlatformError } from "../errors.ts";
import type { Operation } from "../operation.ts";
import type { World } from "./world.ts";

const things = [
  "cluster",
  "clusterEndpoint",
  "node",
  "nodePool",
  "authentication",
  "registry",
  "registryEndpoint",
  "registryDeletion",
] as const;
export type Thing = (typeof things)[number];

const ruleSchema = z.union([
  z.object({
    action: z.string(),
    /** How many more calls of the action pass unharmed. */
    passing: z.int(),
    when: z.enum(["before", "after"]),
    /** What the caller gets; without a code the connection is dropped. */
    code: z.string().optional(),
    reason: z.string(),
  }),
  z.object({ thing: z.enum(things), end: z.string(), reason: z.string() }),
]);
type Rule = z.output<typeof ruleSchema>;

/** One call that goes wrong. */
export interface CallFault {
  readonly operation: Pick<Operation, "action">;
  /** Which call of the operation from now on: 1 is the next one. 1 unless given. */
  readonly nth?: number;
  /** Before the call has any effect, or after it had it and its answer gets lost. */
  readonly when: "before" | "after";
  /** The code it is answered with; without one, the connection is dropped. */
  readonly code?: ErrorCode;
  readonly reason?: string;
}

/** A thing, the next of its kind to be made or changed, that ends in a given state. */
export interface EndFault {
  readonly thing: Thing;
  /** The state it ends in, such as `Abnormal` or `CreateFailed`. */
  readonly end: string;
  /** The platform's words about it. */
  readonly reason: string;
}

const stored = z.object({ seq: z.number(), data: z.string() });

/** What is to go wrong in a world, each once. Kept in the world, so that every process that uses it is hit. */
export class Faults {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  add(fault: CallFault | EndFault): void {
    const rule: Rule =
      "thing" in fault
        ? { thing: fault.thing, end: fault.end, reason: fault.reason }
        : {
            action: fault.operation.action,
            passing: (fault.nth ?? 1) - 1,
            when: fault.when,
            ...(fault.code && { code: fault.code }),
            reason: fault.reason ?? "a fault was asked for",
          };
    this.#world.prepare("INSERT INTO faults (data) VALUES (?)").run(JSON.stringify(rule));
  }

  /** The state in which the next thing of a kind is to end, if one was asked for. Asking uses it up. */
  ending(thing: Thing): EndFault | undefined {
    for (const [seq, rule] of this.#rules()) {
      if (!("thing" in rule) || rule.thing !== thing) continue;
      this.#remove(seq);
      return rule;
    }
    return undefined;
  }

  /** What goes wrong in this call of an operation. Counts the call. */
  striking(operation: Operation): { when: "before" | "after"; error: (requestId: string) => PlatformError } | undefined {
    for (const [seq, rule] of this.#rules()) {
      if ("thing" in rule || rule.action !== operation.action) continue;
      if (rule.passing > 0) {
        this.#world.prepare("UPDATE faults SET data = ? WHERE seq = ?").run(JSON.stringify({ ...rule, passing: rule.passing - 1 }), seq);
        continue;
      }
      this.#remove(seq);
      const { product, action } = operation;
      return {
        when: rule.when,
        error: (requestId) =>
          rule.code === undefined
            ? new PlatformError(
                "ConnectionLost",
                "the connection was lost before the answer came",
                { product, action, requestId: "" },
                "unreachable",
              )
            : new PlatformError(rule.code, rule.reason, { product, action, requestId }),
      };
    }
    return undefined;
  }

  #rules(): [number, Rule][] {
    return this.#world
      .prepare("SELECT seq, data FROM faults ORDER BY seq")
      .all()
      .map((row) => stored.parse(row))
      .map(({ seq, data }) => [seq, ruleSchema.parse(JSON.parse(data))]);
  }

  #remove(seq: number): void {
    this.#world.prepare("DELETE FROM faults WHERE seq = ?").run(seq);
  }
}
