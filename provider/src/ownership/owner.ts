import type { Cloud } from "@container-platform/sdk";
import { recently } from "../definition/context.ts";
import { nameOf } from "../schema/urn.ts";
import type { Props } from "../schema/values.ts";
import { tagsOf } from "./pending.ts";
import type { Resource } from "./session.ts";
import { savedUnder, type StackState } from "./state.ts";
import { isOfStack, ownerKey, ownerOf, ownershipIn, ownershipOf, stackCalled } from "./tags.ts";

/** The URN of a resource of this stack with another provider that manages an ID; `undefined` if no other provider does. */
export async function ownerOfOtherProvider({ kind, urn, home, session }: Resource, cloud: Cloud, id: string): Promise<string | undefined> {
  const parts = kind.id.parts(id);
  if (!parts || urn === "") return undefined;
  if (kind.tagsInput !== undefined) {
    const { owner = ownerOf(urn) } = ownershipOf((await kind.read(cloud, parts)) ?? {});
    if (owner === ownerOf(urn)) return undefined;
  }
  const state = await session.state.first(urn);
  const saved = state ? savedUnder(state, kind, id, home) : [];
  return saved.find((one) => one.urn !== urn && one.provider !== session.state.provider)?.savedAs;
}

/**
 * Why a live resource must not be deleted as this one; `undefined` if it may be. An import writes the owner tag: from then on, the resource is
 * not deleted as any other one.
 */
export async function reasonToKeep({ kind, urn, home, session, cloud }: Resource, id: string, known: Props): Promise<string | undefined> {
  const adopted = session.inState.adopted(kind, id);
  if (adopted && adopted.urn !== urn) return `${id} was not deleted: "${nameOf(adopted.urn)}" imported or recovered it in this update`;
  if (adopted) return `${id} was not deleted, because this update imported or recovered it: ${adopted.remedy}`;
  const other = session.graph.otherOwner(kind, id, urn);
  if (other !== undefined) return `${id} was not deleted: "${nameOf(other)}" in this program manages it as well`;
  // States of early versions do not record the URN.
  if (urn === "" || kind.tagsInput === undefined) return undefined;
  const tags = await tagsOf(kind, cloud, id, known, ownerKey, ownerOf(urn));
  const { owner, stack } = tags ? ownershipIn(tags) : ownershipOf((await kind.read(cloud.tolerating(recently), known)) ?? {});
  if (owner === undefined || owner === ownerOf(urn)) return undefined;
  const state = await session.state.having(kind, id, urn);
  // After a rename with an alias, the outputs of the resource have the earlier URN until Pulumi saves a change.
  const own = state && savedUnder(state, kind, id, home).find(({ outputUrn }) => outputUrn === urn);
  if (own && ownerOf(own.urn) === owner) return undefined;
  return `${id} was removed from the state but not deleted on the platform: its tag ${ownerKey} names ${ownerCalled(urn, owner, stack, state)}. If it is not needed, delete it there`;
}

function ownerCalled(urn: string, owner: string, stack: string | undefined, state: StackState | undefined): string {
  if (stack === undefined) return "another resource";
  if (!isOfStack(stack, urn)) return `a resource of ${stackCalled(stack)}`;
  const saved = state?.resources.find((one) => ownerOf(one.urn) === owner);
  return saved ? `${saved.type} "${nameOf(saved.urn)}" of this stack` : "another resource of this stack";
}
