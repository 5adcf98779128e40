import type { Kind } from "../definition/definition.ts";
import { differs } from "../schema/compare.ts";
import { schemaOf } from "../schema/property.ts";
import type { Props } from "../schema/values.ts";
import { ownerIn, ownerKey, ownerOf } from "./ownership-tags.ts";

/** The answer to a creation has named something that the creation has not made. That is not written to, and not saved. */
export class Misnamed extends Error {}

/** What to do where nobody can tell what a creation has made. */
export const findsWhatWasMade =
  "What was made is found by its tags: run `pulumi up` again, and tell those who run the platform if it stays so";
const deletesWhatWasMade =
  "What was made is deleted, by the next `pulumi up` at the latest: run it, and tell those who run the platform if it stays so";

/** What a resource has for its description until it is finished, if it takes no tags. It is the same for every creation of one resource. */
export function draftNoteOf(urn: string): string {
  return `being made by Pulumi (${ownerOf(urn).slice(0, 8)})`;
}

/** The input that has that note; `undefined` if none does. */
export function draftInput({ owned }: Kind, props: Props): string | undefined {
  return typeof owned === "object" && "sweep" in owned ? owned.draft?.(props) : undefined;
}

/** Whether something tells that what a creation has named is what it has made. */
export function tellsWhose(kind: Kind, props: Props): boolean {
  return kind.tagsInput !== undefined || draftInput(kind, props) !== undefined;
}

/**
 * What a new resource still lacks before it is known to be the one that the creation has made: the owner tag, or the draft note, which was
 * given with the creation. Some platforms show tags late.
 *
 * @throws Misnamed if it belongs to somebody else
 */
export function lackingOwner(
  kind: Kind,
  { id, urn }: { readonly id: string; readonly urn: string },
  live: Props,
  { isNew, isLate, isAsDesired }: { readonly isNew: boolean; readonly isLate: boolean; readonly isAsDesired: () => boolean },
): string | undefined {
  const misnamed = (whose: string, findsIt: string) => {
    const todo = isNew ? findsIt : `Take it out of the state with \`pulumi state delete '${urn}'\`. ${findsIt}`;
    return new Misnamed(
      `the platform has answered that it created ${id}, ${whose}: that is somebody else's, and was left as it is. ${todo}`,
    );
  };
  const draft = draftInput(kind, live);
  if (draft !== undefined) {
    if (live[draft] === draftNoteOf(urn) || (!isNew && isAsDesired())) return undefined;
    throw misnamed(`whose ${draft} is ${JSON.stringify(live[draft])}`, deletesWhatWasMade);
  }
  const owner = ownerIn(live);
  if (kind.tagsInput === undefined || owner === ownerOf(urn)) return undefined;
  if (owner === undefined && !isLate) return `its tag ${ownerKey} is not shown yet`;
  if (owner === undefined && isAsDesired()) return undefined;
  const whose = owner === undefined ? `which has no tag ${ownerKey}` : `whose tag ${ownerKey} names another owner, ${owner}`;
  throw misnamed(whose, findsWhatWasMade);
}

/** Why the record in the answer to a creation is not that of what was asked for; `undefined` if it may be. */
export function otherThanAsked(kind: Kind, desired: Props, told: Props): string | undefined {
  if (kind.tagsInput === undefined) return undefined;
  const odd = Object.keys(kind.inputs.shape).find((key) => {
    const [asked, answered] = [desired[key], told[key]];
    if (typeof asked !== "string" || typeof answered !== "string" || answered === "") return false;
    return differs(schemaOf(kind, key), asked, answered);
  });
  return odd && `its ${odd} is ${JSON.stringify(told[odd])}, and was to be ${JSON.stringify(desired[odd])}`;
}
