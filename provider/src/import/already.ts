import { projectFolder } from "@container-platform/sdk/cli";
import { nameOf } from "../lifecycle/program/claims.ts";
import { stackNameIn } from "../recovery/ownership-tags.ts";
import { savedStackIn } from "../runtime/stack-export.ts";
import type { FoundResource } from "./find-resources.ts";
import { exportOf } from "./stack.ts";

/** How many are named. */
const most = 5;

/**
 * Reads the state of the stack of this folder's project. Later, it tells which resources that are to be imported the stack has already, in a
 * sentence; `undefined` if it has none, or cannot be read.
 *
 * @param stack the stack, if it is not the selected one
 */
export function stateOfHere(stack: string | undefined): (found: readonly FoundResource[], region: string) => Promise<string | undefined> {
  const isHere = stack !== undefined || projectFolder(process.cwd()) !== undefined;
  // What is written does not depend on it.
  const saved = isHere ? exportOf(stack).then(savedStackIn, () => undefined) : Promise.resolve(undefined);
  return async (found, region) => {
    const { urn = "", resources = [] } = (await saved) ?? {};
    const held = found.flatMap(({ kind: { type }, id }) =>
      resources.filter((one) => one.type === type && one.id === id && (one.home?.region ?? region) === region).slice(0, 1),
    );
    if (held.length === 0) return undefined;
    const named = held.slice(0, most).map(({ type, id, urn: of }) => `${id} (${type} "${nameOf(of)}")`);
    const more = held.length > most ? ` and ${held.length - most} more` : "";
    return `the stack ${stackNameIn(urn) ?? ""} has ${held.length} of these already: ${named.join(", ")}${more}. Leave these out where the program has them: an id belongs to one resource`;
  };
}
