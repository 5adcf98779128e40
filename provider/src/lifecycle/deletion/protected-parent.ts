import { type Cloud, listed } from "@container-platform/sdk";
import { recently } from "../../definition/context.ts";
import { called, withRemedies } from "../../program/messages.ts";
import type { Subject as SubjectOf } from "../../ownership/session.ts";
import type { Props } from "../../schema/values.ts";
import type { RunSession } from "../run-session.ts";
import { worldOf } from "../world.ts";

type Subject = SubjectOf<RunSession>;

/**
 * Keeps the contents of a parent that the platform deletes with all that it contains.
 *
 * @throws Error if the program keeps a resource in it
 */
export function requireNoKeptContents({ kind, urn, session }: Subject, id: string): void {
  const contained = kind.takesAlong ? session.graph.contained(id) : [];
  const kept = contained.filter((one) => one.operation === "keep" && one.kind.within?.kind.type === kind.type);
  if (kept.length === 0) return;
  const that = urn === "" ? `${kind.type} ${id}` : called({ kind, urn });
  const [contents, it] = [listed(kept.map(called)), kept.length === 1 ? "it" : "them"];
  throw new Error(
    withRemedies(`not deleted: the program keeps ${contents}, which would be deleted with ${that}`, [
      `Keep ${that} in the program`,
      `Or remove ${contents} as well, or move ${it} to another ${kind.type}`,
    ]),
  );
}

/**
 * Keeps the contents of a protected parent. Why: Pulumi deletes the contents first, and learns only then that the platform protects the
 * parent.
 *
 * @throws Error if the parent is protected, is in the state, and this update has not seen that it is kept
 */
export async function requireUnprotectedParent(cloud: Cloud, subject: Subject, id: string, known: Props): Promise<void> {
  const { kind, urn, target, session } = subject;
  const { within, type } = kind;
  const { graph } = session;
  const parent = within && known[within.by];
  if (!within || typeof parent !== "string" || graph.isParentKept(within.kind, parent)) return;
  // A resource that is deleted with another one than the parent, such as its subnet, is recreated in the parent.
  if (graph.cascaded(kind, id)?.causes.includes(parent) === false) return;
  const { type: parentType, protectedBy } = within.kind;
  if (protectedBy === undefined) return;
  const live = await worldOf(session, { cloud, warn: () => undefined }, target).read(within.kind, parent, {}, recently);
  if (live?.[protectedBy] !== true) return;
  const saved = await session.state.savedUnder(within.kind, parent, urn, target);
  if (saved?.length === 0) return;
  throw new Error(
    withRemedies(`not deleted: it belongs to ${parentType} ${parent}, which has ${protectedBy} on`, [
      `To delete only this ${type}, remove it from the program and run \`pulumi up\` without --target`,
      `To delete the ${parentType}, set ${protectedBy} to false and run \`pulumi up\` first (with --refresh if it was turned on outside Pulumi)`,
    ]),
  );
}
