import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalControl } from "@container-platform/sdk/local";
import { expect } from "vitest";
import type { Change } from "../../provider/src/review/report.ts";
import { nameOf, operationsOf, type Outcome } from "../support/pulumi.ts";
import type { Stack } from "../support/stack.ts";

/** The resources by what is done with them: `deleted: ["Token pull"]`. */
type Done = Readonly<Record<"created" | "changed" | "replaced" | "deleted", readonly string[]>>;

/** What a review says is done. The engine deletes what is no longer managed, too, but from its state alone. */
function claimed(all: readonly Change[]): Done {
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

/** `up` did what the review said, and each replacement in the order that it said. */
export function expectAsClaimed(said: readonly Change[], up: Outcome): void {
  expect(claimed(said)).toEqual(done(up));
  for (const { urn, order, operation } of said) if (operation === "replace") expect([urn, order]).toEqual([urn, orderIn(up, nameOf(urn))]);
}

/** Whether a replacement makes the new one first, as `up` did. */
function orderIn(up: Outcome, name: string): Change["order"] {
  const ops = (operationsOf(up)[name] ?? []).filter((op) => op === "create-replacement" || op === "delete-replaced");
  return ops[0] === "delete-replaced" ? "old one first" : "new one first";
}

/** What puts the platform and the state of a stack back to what they are now. */
export async function wayBackOf(stack: Stack): Promise<() => Promise<void>> {
  const [world, { stdout: state }] = [await new LocalControl(stack.world).snapshot(), await stack.ok("stack", "export")];
  return async () => {
    await new LocalControl(stack.world).restore(world);
    writeFileSync(join(stack.folder, "before.json"), state);
    await stack.ok("stack", "import", "--file", "before.json");
  };
}
