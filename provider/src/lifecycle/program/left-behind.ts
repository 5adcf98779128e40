import { listed } from "@container-platform/sdk";
import type { Keeping, Kind } from "../../definition/definition.ts";
import { holdsUnknown, type Props } from "../../schema/values.ts";
import type { Context } from "../context.ts";
import { isUnseen } from "../errors.ts";
import { privateStateOf } from "../private-state.ts";
import { nameOf } from "./claims.ts";
import type { Member, Members } from "./members.ts";
import { valueAt } from "./paths.ts";
import { leftBehindIn } from "./remarks.ts";

/** What keeps a resource from being deleted that a change goes away from. */
interface Left {
  readonly id: string;
  /** @param end what is to become of it, after "cannot be deleted while it has nodes" */
  readonly why: (called: string, end?: string) => string;
}

/**
 * What resources leave behind when they go elsewhere, such as the nodes of a pool in a subnet. That cannot be deleted then: where the
 * program has a new one made in its place, that is refused, whichever of the two the engine comes to first. Whether the program still
 * has it at all is known when the run ends.
 */
export class LeftBehind {
  readonly #left: Left[] = [];

  /** @throws Error if a change leaves something in what is made anew */
  async refuseToLeave(
    { cloud }: Pick<Context, "cloud">,
    members: Members,
    kind: Kind,
    { id, olds, news }: { readonly id: string; readonly olds: Props; readonly news: Props },
  ): Promise<void> {
    const parts = kind.id.parts(id);
    const member = members.get(privateStateOf(news).__urn);
    if (!parts || !member) return;
    for (const keeping of kind.rare?.holds?.keeps ?? [])
      for (const left of leftIn(members, member, keeping.by, { olds, news })) {
        const holder = members.holdingOwn(left);
        if (holder && holder.leaves === undefined) continue;
        const ids = await keeping.keptBy(cloud.tolerating(2000), parts, left).catch((error: unknown) => {
          if (isUnseen(error)) return [];
          throw error;
        });
        if (ids.length > 0) this.#left.push({ id: left, why: reasonOf(keeping, ids, left) });
        if (holder) this.refuseToReplace(holder.kind, left, holder.urn);
      }
  }

  /** @throws Error if something is left behind in a resource in whose place a new one is made */
  refuseToReplace({ type }: Kind, id: string, urn: string): void {
    const left = this.#left.find((one) => one.id === id);
    if (left) throw new Error(left.why(`${type} "${nameOf(urn)}"`, ", and in whose place a new one is made"));
  }

  /** What something is left behind in, as far as this run has not seen the program to have it. */
  unheld(members: Members): readonly Left[] {
    return this.#left.filter(({ id }) => !members.holdingOwn(id));
  }
}

function reasonOf({ by, how, remedy }: Keeping<Props>, ids: readonly string[], id: string): Left["why"] {
  return (called, end = "") => `${leftBehindIn(by, listed(ids), how(id, ids.length === 1))} it has nodes${end}. ${remedy(called)}`;
}

/** The ids that are no longer in a list; none if one of the new ones may be any. */
function leftIn(members: Members, { of }: Member, by: string, { olds, news }: { olds: Props; news: Props }): readonly string[] {
  const [before, after] = [valueAt(olds, by), valueAt(news, by)];
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const items: readonly unknown[] = after;
  const isOpen = items.some((item, index) => holdsUnknown(item) && !members.get(of[`${by}.${index}`]));
  return isOpen ? [] : before.filter((one: unknown): one is string => typeof one === "string" && !items.includes(one));
}
