import { kinds } from "../../provider/src/resources/reviews.ts";
import { called, type Declaration, type Program } from "../lifecycle/program.ts";
import type { Entry } from "../lifecycle/state.ts";
import { preview, type Step } from "./previews.ts";

/** What a preview of the engine's stand-in would do. */
interface Planned {
  readonly program: Program;
  /** As the stand-in tells them: `create Vpc main`. */
  readonly operations: readonly string[];
  /** The state before, and what it would be. */
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
}

/** The same, as `pulumi preview --json` prints it: what stays, then the steps in order. */
export function planText({ program, operations, before, after }: Planned): string {
  const olds = new Map(program.flatMap((one) => pairOf(one, before)));
  const deleted = new Map([...olds].map(([name, old]) => [called(old), name]));
  const steps = operations.map((operation): Step => {
    const [verb = "", ...words] = operation.split(" ");
    const name = words.join(" ");
    if (verb === "delete") {
      const successor = deleted.get(name);
      const old = before.find((entry) => called(entry) === name);
      return stepOf(name, successor === undefined ? "delete" : "delete-replaced", old, entryIn(after, successor));
    }
    const old = olds.get(name);
    return stepOf(name, verb === "update" ? "update" : old ? "create-replacement" : "create", old, entryIn(after, name));
  });
  const touched = new Set(operations.map((operation) => operation.split(" ").slice(1).join(" ")));
  const same = program.map(called).filter((name) => !touched.has(name));
  return preview([...same.map((name) => stepOf(name, "same", olds.get(name), entryIn(after, name))), ...steps]);
}

function pairOf({ type, name, aliases = [] }: Declaration, before: readonly Entry[]): [string, Entry][] {
  const old = [name, ...aliases].flatMap((one) => before.filter((entry) => entry.type === type && entry.name === one)).at(0);
  return old ? [[called({ type, name }), old]] : [];
}

function entryIn(entries: readonly Entry[], name: string | undefined): Entry | undefined {
  return entries.find((entry) => called(entry) === name && entry.status === "live");
}

function stepOf(called: string, op: Step["op"], old: Entry | undefined, now: Entry | undefined): Step {
  const [type = "", ...name] = called.split(" ");
  const kind = kinds.find((one) => one === type);
  if (!kind) throw new Error(`${type} is no kind`);
  return {
    ...{ kind, name: name.join(" "), op },
    ...(old ? { old: old.inputs, outputs: old.outputs, was: old.name } : {}),
    ...(now ? { now: now.inputs, from: now.sources } : {}),
  };
}
