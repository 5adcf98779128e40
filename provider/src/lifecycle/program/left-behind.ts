import { listed } from "@container-platform/sdk";
import type { Kind } from "../../definition/definition.ts";
import type { RunSession } from "../../recovery/run-session.ts";
import { holdsUnknown, type Props } from "../../schema/values.ts";
import type { Context } from "../context.ts";
import { isUnseen } from "../errors.ts";
import { privateStateOf } from "../private-state.ts";
import { nameOf } from "./claims.ts";
import type { Member, Members } from "./members.ts";
import { valueAt } from "./paths.ts";
import { staysIn } from "./remarks.ts";

/**
 * What a resource leaves behind when it goes elsewhere, such as the nodes of a pool in a subnet. That cannot be deleted then: where the
 * program has a new one made in its place, the change is refused. Whether the program has it at all may not be known yet, so that is
 * a warning.
 *
 * @throws Error if what is left behind is in the way
 */
export async function refuseToLeaveBehind(
  { cloud, warn }: Pick<Context, "cloud" | "warn">,
  session: RunSession,
  kind: Kind,
  { id, olds, news }: { readonly id: string; readonly olds: Props; readonly news: Props },
): Promise<void> {
  const { members } = session;
  const holds = kind.rare?.holds;
  const parts = kind.id.parts(id);
  const member = members.get(privateStateOf(news).__urn);
  if (!holds || !parts || !member) return;
  for (const left of leftIn(members, member, holds.by, { olds, news })) {
    const holder = members.holdingOwn(left);
    if (holder && holder.leaves === undefined) continue;
    const ids = await holds.leftIn(cloud.tolerating(2000), parts, left).catch((error: unknown) => {
      if (isUnseen(error)) return [];
      throw error;
    });
    if (ids.length === 0) continue;
    const called = holder ? `${holder.kind.type} "${nameOf(holder.urn)}"` : left;
    const stay = staysIn(holds.by, listed(ids), ids.length === 1, left);
    if (holder) throw new Error(`${stay} it has nodes, and in whose place a new one is made. ${holds.remedy(called)}`);
    for (const sentence of session.unsaid(id, [`${stay} it has nodes. ${holds.remedy(called)}`])) warn(sentence);
  }
}

/** The ids that are no longer in a list; none if one of the new ones may be any. */
function leftIn(members: Members, { of }: Member, by: string, { olds, news }: { olds: Props; news: Props }): readonly string[] {
  const [before, after] = [valueAt(olds, by), valueAt(news, by)];
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const items: readonly unknown[] = after;
  const isOpen = items.some((item, index) => holdsUnknown(item) && !members.get(of[`${by}.${index}`]));
  return isOpen ? [] : before.filter((one: unknown): one is string => typeof one === "string" && !items.includes(one));
}
