import { projectFolder } from "@container-platform/sdk/cli";
import { nameOf } from "../schema/urn.ts";
import type { StackState } from "../ownership/state.ts";
import { isOfStack, ownershipOf, stackCalled, stackIn } from "../ownership/tags.ts";
import { stateIn } from "../runtime/stack-export.ts";
import type { FoundResource } from "./find-resources.ts";
import { exportOf, nameOfStack, type StackName, urnOfStack } from "./stack.ts";

/** How many are named. */
const most = 5;

/** Messages about resources that this stack already manages, by its state, or another one, by its ownership tags. */
export function stateOfHere(stack: string | undefined): (found: readonly FoundResource[], region: string) => Promise<readonly string[]> {
  const isHere = stack !== undefined || projectFolder(process.cwd()) !== undefined;
  // What is written does not depend on it.
  const read = isHere ? exportOf(stack).then(stateIn, () => undefined) : Promise.resolve(undefined);
  const name = isHere ? nameOfStack(stack).catch(() => undefined) : Promise.resolve(undefined);
  return async (found, region) => {
    const [saved, own] = await Promise.all([read, name]);
    return [heldHere(saved, found, region) ?? [], heldElsewhere(own, found)].flat();
  };
}

function heldHere(saved: StackState | undefined, found: readonly FoundResource[], region: string): string | undefined {
  const { resources = [] } = saved ?? {};
  const held = found.flatMap(({ kind: { type }, id }) =>
    resources.filter((one) => one.type === type && one.id === id && (one.home?.region ?? region) === region).slice(0, 1),
  );
  if (held.length === 0) return undefined;
  const named = held.map(({ type, id, urn: of }) => `${id} (${type} "${nameOf(of)}")`);
  return `the stack ${stackIn(held[0]?.urn ?? "")?.stack ?? ""} has ${held.length} of these already: ${first(named)}. Leave these out where the program has them: an id belongs to one resource`;
}

/** The resources whose ownership tags name another stack. */
function heldElsewhere(own: StackName | undefined, found: readonly FoundResource[]): readonly string[] {
  const urn = own ? urnOfStack(own) : "";
  const held = found.flatMap(({ id, live }) => {
    const { stack } = ownershipOf(live);
    return stack === undefined || isOfStack(stack, urn) ? [] : [{ id, stack }];
  });
  return Object.entries(Object.groupBy(held, ({ stack }) => stack)).map(([stack, of = []]) => {
    const [names, them] = of.length === 1 ? ["has", "it"] : ["have", "them"];
    return `${of.length} of these ${names} the ownership tags of ${stackCalled(stack)}: ${first(of.map(({ id }) => id))}. After the import, that stack no longer deletes ${them}. If its program still declares ${them}, remove ${them} there: until then, both stacks change ${them}`;
  });
}

function first(named: readonly string[]): string {
  return named.slice(0, most).join(", ") + (named.length > most ? ` and ${named.length - most} more` : "");
}
