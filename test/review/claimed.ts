import type { Change } from "../../provider/src/review/report.ts";
import { nameOf, operationsOf, type Outcome } from "../support/pulumi.ts";

/** The resources by what is done with them: `deleted: ["Token pull"]`. */
export type Done = Readonly<Record<"created" | "changed" | "replaced" | "deleted", readonly string[]>>;

/** What a review says is done. The engine deletes what is no longer managed, too, but from its state alone. */
export function claimed(all: readonly Change[]): Done {
  const of = (...operations: readonly Change["operation"][]) =>
    all.flatMap((one) => (operations.includes(one.operation) ? [nameOf(one.urn)] : [])).toSorted();
  return { created: of("create", "adopt"), changed: of("update"), replaced: of("replace"), deleted: of("delete", "detach") };
}

/** What the engine did. */
export function done(up: Outcome): Done {
  const operations = Object.entries(operationsOf(up));
  const of = (is: (ops: readonly string[]) => boolean) => operations.flatMap(([name, ops]) => (is(ops) ? [name] : [])).toSorted();
  const isReplaced = (ops: readonly string[]) => ops.some((op) => op.includes("replace"));
  return {
    created: of((ops) => ops.includes("create")),
    changed: of((ops) => ops.includes("update")),
    replaced: of(isReplaced),
    deleted: of((ops) => ops.includes("delete") && !isReplaced(ops)),
  };
}

/** Whether a replacement makes the new one first, as `up` did. */
export function orderIn(up: Outcome, name: string): Change["order"] {
  const ops = (operationsOf(up)[name] ?? []).filter((op) => op === "create-replacement" || op === "delete-replaced");
  return ops[0] === "delete-replaced" ? "old one first" : "new one first";
}
