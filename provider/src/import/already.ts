import { projectFolder } from "@container-platform/sdk/cli";
import { nameOf } from "../schema/urn.ts";
import { OtherStacks } from "../recovery/other-stacks.ts";
import { stackIn, stackNameIn, stackOf } from "../recovery/ownership-tags.ts";
import type { SavedStack } from "../recovery/saved-resources.ts";
import { listStacks, savedStackIn } from "../runtime/stack-export.ts";
import type { FoundResource } from "./find-resources.ts";
import { exportOf } from "./stack.ts";

/** How many are named. */
const most = 5;

/**
 * Reads the state of the stack of this folder's project. Later, it tells which resources that are to be imported a stack has already: this
 * one, or another one of the same backend. One sentence for each.
 *
 * @param stack the stack, if it is not the selected one
 */
export function stateOfHere(stack: string | undefined): (found: readonly FoundResource[], region: string) => Promise<readonly string[]> {
  const isHere = stack !== undefined || projectFolder(process.cwd()) !== undefined;
  // What is written does not depend on it.
  const read = isHere ? exportOf(stack).then(savedStackIn, () => undefined) : Promise.resolve(undefined);
  return async (found, region) => {
    const saved = await read;
    return [heldHere(saved, found, region) ?? [], await heldElsewhere(saved, found)].flat();
  };
}

function heldHere(saved: SavedStack | undefined, found: readonly FoundResource[], region: string): string | undefined {
  const { urn = "", resources = [] } = saved ?? {};
  const held = found.flatMap(({ kind: { type }, id }) =>
    resources.filter((one) => one.type === type && one.id === id && (one.home?.region ?? region) === region).slice(0, 1),
  );
  if (held.length === 0) return undefined;
  const named = held.map(({ type, id, urn: of }) => `${id} (${type} "${nameOf(of)}")`);
  return `the stack ${stackNameIn(urn) ?? ""} has ${held.length} of these already: ${first(named)}. Leave these out where the program has them: an id belongs to one resource`;
}

/** What the tags of other stacks are on, as far as these still have it. */
async function heldElsewhere(saved: SavedStack | undefined, found: readonly FoundResource[]): Promise<readonly string[]> {
  const others = new OtherStacks(listStacks);
  const own = saved?.urn === undefined ? undefined : stackOf(saved.urn);
  const held = await Promise.all(
    found.map(async ({ kind: { type }, id, live }) => {
      const stack = await others.having(stackIn(live), own, { type, id });
      return stack ? [{ id, called: stack.called }] : [];
    }),
  );
  return Object.entries(Object.groupBy(held.flat(), ({ called }) => called)).map(([called, of = []]) => {
    const [are, them] = of.length === 1 ? ["is", "it"] : ["are", "them"];
    return `${of.length} of these ${are} managed by ${called}: ${first(of.map(({ id }) => id))}. After the import, that stack no longer deletes ${them}. Take ${them} out of that program, too: until then, both change ${them}`;
  });
}

function first(named: readonly string[]): string {
  return named.slice(0, most).join(", ") + (named.length > most ? ` and ${named.length - most} more` : "");
}
