import type { Cloud } from "@container-platform/sdk";
import { schemaOf } from "../schema/property.ts";
import { isGone, unreadyState } from "../lifecycle/reconcile.ts";
import type { Kind } from "../definition/definition.ts";
import { isKind, kinds } from "../resources/kinds.ts";
import { separatingOwnershipTags } from "../recovery/ownership-tags.ts";
import { cleanProps, type Props } from "../schema/values.ts";
import { isUsual, shortened } from "./shortened.ts";

/** A thing that is there. */
export interface Found {
  readonly kind: Kind;
  readonly id: string;
  /** All that it tells, and the parts of its id. */
  readonly live: Props;
  /** What a program would say of it, with ids where it names others. */
  readonly inputs: Props;
}

/** How old, in milliseconds, an answer may be that many things are read from. */
const tolerance = 60_000;

/**
 * Everything in a region that resources can stand for: what others stand on first, and things of a kind by their ids.
 *
 * @param users sub-accounts whose permissions are looked for
 * @param leaveOut told of what is left out, in a sentence
 */
export async function foundIn(region: Cloud, users: readonly string[], leaveOut: (why: string) => void): Promise<Found[]> {
  const cloud = region.tolerating(tolerance);
  const listed = new Map<string, readonly string[]>([["targetUin", [...new Set(users)]]]);
  const found: Found[] = [];
  for (const type of Object.keys(kinds).filter(isKind)) {
    const kind = separatingOwnershipTags((await kinds[type]()).kind);
    const ids = (await kind.list(cloud, Object.fromEntries(listed))).map((parts) => kind.id.of(parts)).sort();
    const read = await Promise.all(ids.map((id) => readIn(cloud, kind, id, leaveOut)));
    const there = read.filter((one) => one !== undefined);
    // What belongs to something that is left out is left out with it.
    for (const part of kind.id.names)
      if (part in kind.outputs.shape)
        listed.set(
          part,
          there.map(({ live }) => String(live[part])),
        );
    found.push(...there);
  }
  return found;
}

async function readIn(cloud: Cloud, kind: Kind, id: string, leaveOut: (why: string) => void): Promise<Found | undefined> {
  const parts = kind.id.parts(id) ?? {};
  const told = await kind.read(cloud, parts);
  // It may have gone since it was listed.
  if (!told || isGone(kind, told)) return undefined;
  const state = unreadyState(kind, told);
  if (state !== undefined) {
    leaveOut(`${kind.type} ${id} is ${state}, and left out`);
    return undefined;
  }
  const live = { ...told, ...parts };
  const described = { ...live, ...(await kind.rare?.inputsToImport?.(cloud, live)) };
  const written = Object.keys(kind.inputs.shape).flatMap((key): [string, unknown][] => {
    const schema = schemaOf(kind, key);
    return isUsual(schema, described[key]) ? [] : [[key, shortened(schema, described[key])]];
  });
  return { kind, id, live, inputs: cleanProps(Object.fromEntries(written)) };
}
