import { expect, test } from "vitest";
import { operationsOf } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";

test("the example comes, stays as it is, and goes over HTTP as it does in process", async () => {
  await using stack = await Stack.ofExample("platform", { served: true });
  await using embedded = await Stack.ofExample("platform");
  const made = await stack.up();
  expect(operationsOf(made)).toEqual(operationsOf(await embedded.up()));
  expect(made.output).not.toContain("warning");
  const outcomes = (of: Stack) => of.calls().flatMap(({ action, effect, code }) => (effect === "write" ? [`${action} ${code}`] : []));
  expect(outcomes(stack).sort()).toEqual(outcomes(embedded).sort());
  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});

  // What calls are signed with is nowhere in the state.
  const key = stack.world.prepare("SELECT id, secret FROM accessKeys").get();
  const state = await stack.exported();
  for (const part of [key?.["id"], key?.["secret"]]) expect(state).not.toContain(String(part));

  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
  expect(await stack.resources()).toEqual([]);
});
