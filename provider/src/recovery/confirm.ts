import * as tag from "@container-platform/sdk/tag";
import { type Cloud, resourceKinds } from "@container-platform/sdk";
import type { JournalEntry } from "./intent-log.ts";
import type { Kind } from "../definition/definition.ts";
import { confirmed, marksOf, ownerKey, pending, stateKey } from "./ownership-tags.ts";
import type { Props } from "../schema/values.ts";

/** Something that the engine is told of, and is about to save. */
interface Told {
  readonly cloud: Cloud;
  readonly kind: Kind;
  readonly id: string;
  /** What is known of it, with its marks. */
  readonly live: Props;
}

/** Things in one call, at most. */
const most = 50;
/** In milliseconds: the engine waits five seconds for its provider to end. */
const patience = 4000;

const told = new Map<string, Told>();
const entries: JournalEntry[] = [];
let changing = false;

/** Once the process ends in order, a thing that is marked as pending is to be confirmed. */
export function confirmLater(thing: Told): void {
  if (marksOf(thing.live)[stateKey] === pending) told.set(`${thing.kind.type} ${thing.id}`, thing);
}

/** Once the process ends in order, an entry of the journal has served its time. */
export function removeLater(entry: JournalEntry): void {
  entries.push(entry);
}

/** It is going: there is nothing to confirm. */
export function confirmNoMore(kind: Kind, id: string): void {
  told.delete(`${kind.type} ${id}`);
}

/** This process changes things. One that only looks, such as a preview's, confirms nothing of what it sees. */
export function noteChanging(): void {
  changing = true;
}

/** The engine has saved all that it was told. What cannot be confirmed in time stays pending, which is safe. */
export async function confirmTold(): Promise<void> {
  for (const entry of entries.splice(0)) entry.remove();
  if (!changing || told.size === 0) return;
  const things = [...told.values()];
  const late = new Promise((resolve) => setTimeout(resolve, patience));
  await Promise.race([Promise.allSettled([...together(things), ...oneByOne(things)]), late]);
}

/** Things whose tags are the tag product's, which gives one to many at once. */
function together(things: readonly Told[]): Promise<unknown>[] {
  return Object.entries(resourceKinds).flatMap(([name, { service, type }]) => {
    const alike = things.filter(({ kind }) => kind.owned === name);
    return Array.from({ length: Math.ceil(alike.length / most) }, async (_, index) => {
      const some = alike.slice(index * most, (index + 1) * most);
      await some[0]?.cloud.call(tag.attachResourcesTag, {
        serviceType: service,
        resourcePrefix: type,
        resourceIds: some.map(({ id }) => id),
        tagKey: stateKey,
        tagValue: confirmed,
      });
    });
  });
}

/** Things whose tags are their own product's, which sets all of them at once: somebody may have put on others meanwhile. */
function oneByOne(things: readonly Told[]): Promise<unknown>[] {
  return things.map(async ({ kind, cloud, id, live }) => {
    const { owned, changes } = kind;
    const step = changes["tags"];
    if (typeof owned !== "object" || !("tagged" in owned) || typeof step !== "function") return;
    const listed = await owned.tagged(cloud, live, { key: stateKey, value: pending });
    const { [ownerKey]: owner, [stateKey]: state, ...tags } = listed.find((one) => one.id === id)?.tags ?? {};
    if (state !== pending) return;
    await step(cloud, { ...live, tags }, { ...live, tags, marks: { [ownerKey]: owner, [stateKey]: confirmed } }, () => Promise.resolve());
  });
}
