import type { z } from "zod";
import type { Call } from "../behaviour.ts";
import { namedFew } from "../naming.ts";
import { attachments } from "./tables.ts";

export type Attachment = z.output<typeof attachments.row>;

/** Lets a thing live in a network: it takes addresses, and is guarded by groups, until it is detached. */
export function attach(call: Call, attachment: Omit<Attachment, "id">): void {
  call.rows(attachments).insert({ ...attachment, id: call.world.newId("eni", attachments) }, attachment.vpcId);
}

/** What matches of all that lives in the region's networks, or in one of them. */
export function attachmentsBy(call: Call, matches: (attachment: Attachment) => boolean, vpcId?: string): Attachment[] {
  return call.rows(attachments).list(vpcId).filter(matches);
}

/** What things belong to, each once, for a sentence. */
export function ownersOf(found: readonly Attachment[]): string {
  return namedFew([...new Set(found.map(({ owner }) => owner))]);
}
