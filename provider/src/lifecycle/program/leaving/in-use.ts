import { listed } from "@container-platform/sdk";
import type { Kind, User } from "../../../definition/definition.ts";
import { recently } from "../../../definition/recently.ts";
import type { RunSession } from "../../../recovery/run-session.ts";
import { differs } from "../../../schema/compare.ts";
import { schemaOf } from "../../../schema/property.ts";
import type { Props } from "../../../schema/values.ts";
import type { Context } from "../../context.ts";
import { isUnseen } from "../../errors.ts";
import { privateStateOf } from "../../private-state.ts";
import { nameOf } from "../claims.ts";

type Sight = Pick<Context, "cloud" | "warn">;

/**
 * A resource gives up the value of an input in place, before anything that leaves the program is deleted. Whether those that use it stay
 * or leave, and whoever has them, it is refused as long as they are there.
 *
 * @throws Error if the platform does not let go of it
 */
export async function refuseToGiveUp(
  { cloud, warn }: Sight,
  session: Pick<RunSession, "members" | "saved" | "unsaid">,
  kind: Kind,
  { id, olds, news }: { readonly id: string; readonly olds: Props; readonly news: Props },
): Promise<void> {
  for (const [by, using] of Object.entries(kind.rare?.used ?? {})) {
    const value = olds[by];
    if (!using || typeof value !== "string" || !differs(schemaOf(kind, by), news[by], value)) continue;
    try {
      const users = await using.find(cloud.tolerating(recently), { ...olds, ...kind.id.parts(id) });
      if (users.length === 0) continue;
      const names = users.map((one) => called(session, privateStateOf(news).__urn, one));
      throw new Error(`${by}: ${heldFast(value, id, listed(await Promise.all(names)), using.remedy)}`);
    } catch (error) {
      if (!isUnseen(error)) throw error;
      const doubt = `whether something uses ${value} of ${id} cannot be seen: ${error.reason} (${error.origin.action}: ${error.code})`;
      for (const sentence of session.unsaid(id, [`${by}: ${doubt}`])) warn(sentence);
    }
  }
}

/** What uses it is mostly checked later: its name is in the state. */
async function called(session: Pick<RunSession, "members" | "saved">, asking: string, { what, id }: User): Promise<string> {
  const holder = session.members.holdingOwn(id) ?? (await session.saved(asking))?.resources.find((one) => one.id === id);
  return holder ? `${what} "${nameOf(holder.urn)}" (${id})` : `${what} ${id}`;
}

function heldFast(value: string, id: string, users: string, remedy: string): string {
  return `${value} of ${id} cannot be given up while it is in use by ${users}. ${remedy}`;
}
