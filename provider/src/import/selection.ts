import { InputError } from "@container-platform/sdk";
import { isProps } from "../schema/values.ts";
import type { Found } from "./found.ts";
import { namedBy, type References } from "./references.ts";

/** What is asked for. Nothing: everything. */
export interface Selection {
  /** VPCs: with all that is in them, and the security groups that this uses. */
  readonly vpcs: readonly string[];
  /** A tag, `key` or `key=value`: what has it, and what belongs to that and takes no tags. */
  readonly tag: string | undefined;
  /** Single things. */
  readonly ids: readonly string[];
}

/** The things that are asked for, in the order in which they come. */
export function selected(
  things: readonly Found[],
  { vpcs, tag, ids }: Selection,
  references: References,
  region: string,
): readonly Found[] {
  if (vpcs.length === 0 && ids.length === 0 && tag === undefined) return things;
  const chosen = new Set([
    ...ids.flatMap((id) => present(things, id, (thing) => thing.id === id || thing.id.endsWith(`/${id}`), region)),
    ...(tag === undefined ? [] : withTag(things, tag, references)),
    ...vpcs.flatMap((id) =>
      within(
        present(things, id, (thing) => thing.kind.type === "Vpc" && thing.id === id, region),
        things,
        references,
      ),
    ),
  ]);
  return things.filter((thing) => chosen.has(thing));
}

/** @throws InputError if there is none. */
function present(things: readonly Found[], id: string, matches: (thing: Found) => boolean, region: string): Found[] {
  const found = things.filter(matches);
  if (found.length === 0) throw new InputError(`there is no ${id} in ${region}`);
  return found;
}

function withTag(things: readonly Found[], tag: string, references: References): Found[] {
  const [key = "", ...rest] = tag.split("=");
  const value = rest.length > 0 ? rest.join("=") : undefined;
  const tagged = things.filter(({ kind: { tagsInput = "" }, live }) => {
    const tags = live[tagsInput];
    return isProps(tags) && key in tags && (value === undefined || tags[key] === value);
  });
  const belonging = things.filter(
    (thing) =>
      thing.kind.tagsInput === undefined &&
      thing.kind.id.names.some((name) => tagged.some((one) => references.at(thing, name, String(thing.live[name]))?.of === one)),
  );
  return [...tagged, ...belonging];
}

/** Things, and all that stands on them; with the security groups that this uses, which are in no VPC. */
function within(roots: readonly Found[], things: readonly Found[], references: References): Found[] {
  const inside = new Set(roots);
  const grown = () => {
    const before = inside.size;
    for (const thing of things)
      if (!isGroup(thing) && namedBy(thing, references).some((other) => inside.has(other) && !isGroup(other))) inside.add(thing);
    return inside.size > before;
  };
  while (grown());
  const groups = new Set<Found>();
  const use = (thing: Found) => {
    for (const other of namedBy(thing, references))
      if (isGroup(other) && !groups.has(other)) {
        groups.add(other);
        use(other);
      }
  };
  inside.forEach(use);
  return [...inside, ...groups];
}

function isGroup({ kind }: Found): boolean {
  return kind.type === "SecurityGroup";
}
