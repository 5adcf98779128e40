import type { Cloud } from "@container-platform/sdk";
import { recently } from "../../definition/recently.ts";
import { withRemedies } from "../../program/messages.ts";
import type { Subject } from "../../recovery/possession.ts";
import type { Props } from "../../schema/values.ts";
import { worldOf } from "../world.ts";

/**
 * Keeps the contents of a protected parent. Why: Pulumi deletes the contents first, and learns only then that the platform protects the
 * parent.
 *
 * @throws Error if the parent is protected, is in the state, and this update has not seen that it is kept
 */
export async function requireUnprotectedParent(cloud: Cloud, subject: Subject, id: string, known: Props): Promise<void> {
  const { kind, urn, place, session } = subject;
  const { within, type } = kind;
  const { graph } = session;
  const parent = within && known[within.by];
  if (!within || typeof parent !== "string" || graph.isParentKept(within.kind, parent)) return;
  if (graph.cascaded(kind, id)) return;
  const { type: parentType, protectedBy } = within.kind;
  if (protectedBy === undefined) return;
  const live = await worldOf(session, { cloud, warn: () => undefined }, place).read(within.kind, parent, {}, recently);
  if (live?.[protectedBy] !== true || (await session.isSaved(within.kind, parent, urn, place)) === false) return;
  throw new Error(
    withRemedies(`not deleted: it belongs to ${parentType} ${parent}, which has ${protectedBy} on`, [
      `To delete only this ${type}, remove it from the program and run \`pulumi up\` without --target`,
      `To delete the ${parentType}, set ${protectedBy} to false and run \`pulumi up\` first (with --refresh if it was turned on outside Pulumi)`,
    ]),
  );
}
