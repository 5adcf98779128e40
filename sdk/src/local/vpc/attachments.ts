import type { z } from "zod";
import type { Call } from "../behaviour.ts";
import { firstFew } from "../requests/names-and-tags.ts";
import { attachments } from "./tables.ts";

export type Attachment = z.output<typeof attachments.row>;

/** Attaches a resource to a VPC: it takes addresses, and uses security groups, until the attachment is removed. */
export function attach(call: Call, attachment: Omit<Attachment, "id">): void {
  call.rows(attachments).insert({ ...attachment, id: call.world.newId("eni", attachments) }, attachment.vpcId);
}

/** The matching attachments of the region's VPCs, or of one VPC. */
export function attachmentsBy(call: Call, matches: (attachment: Attachment) => boolean, vpcId?: string): Attachment[] {
  return call.rows(attachments).list(vpcId).filter(matches);
}

/** The owners of attachments, each once, for a message. */
export function ownersOf(found: readonly Attachment[]): string {
  return firstFew([...new Set(found.map(({ owner }) => owner))]);
}
