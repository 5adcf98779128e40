import type { Pending } from "./pending.ts";
import type { OtherStacks } from "../other-stacks.ts";

/**
 * What of it no other stack of the backend has saved. What one has is not left: it was moved there, or the stack had another name. Its entry
 * in the intent log goes.
 *
 * @param stack the own stack, as ownership tags name it
 * @param place endpoint, region and account
 * @throws if that cannot be told
 */
export async function heldByNone(
  left: readonly Pending[],
  others: OtherStacks,
  stack: string,
  place: readonly string[],
): Promise<readonly Pending[]> {
  const none: Pending[] = [];
  for (const one of left)
    if ((await others.holding(stack, { type: one.kind.type, id: one.id }, place)) === undefined) none.push(one);
    else one.forget?.();
  return none;
}
