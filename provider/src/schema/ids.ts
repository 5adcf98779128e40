import { type IdPrefix, leftToPlatform, marksOf, type NamedId } from "./marks.ts";
import { itemsOf, partsOf, type Schema } from "./parts.ts";
import type { Path } from "./paths.ts";
import { at, holdsUnknown } from "./values.ts";

/** The ids of other resources in a value, as far as they are known. */
export function idsIn(schema: Schema, given: unknown, inside: Path): readonly NamedId[] {
  return partsOf(schema, given, inside).flatMap(({ schema: part, value, path }) => {
    const { idOf: prefix } = marksOf(part);
    return prefix !== undefined && typeof value === "string" && !holdsUnknown(value) ? [{ path, prefix, id: value }] : [];
  });
}

/** The ids that a value no longer has, where what is left out stays as it is on the platform. */
export function idsKept(schema: Schema, before: unknown, after: unknown, inside: Path): readonly NamedId[] {
  return partsLeftOut(schema, after, []).flatMap(({ schema: part, path }) => idsIn(part, at(before, path), [...inside, ...path]));
}

/** The path of the input, without the positions in lists: `native.securityGroupIds`. */
export const inputPath = ({ path }: NamedId): string => path.filter((part) => typeof part === "string").join(".");

/** The paths that a value leaves out, and where the platform may have an ID of the same kind. */
export function pathsLeftOut(schema: Schema, value: unknown, inside: Path, id: string): readonly Path[] {
  const takesIdsLike = ({ idOf: prefix }: { readonly idOf?: IdPrefix }) => prefix !== undefined && id.startsWith(`${prefix}-`);
  const alike = partsLeftOut(schema, value, inside).filter(({ schema: part }) => takesIdsLike(marksOf(itemsOf(part) ?? part)));
  return alike.map(({ path }) => path);
}

function partsLeftOut(schema: Schema, given: unknown, inside: Path) {
  return partsOf(schema, given, inside).filter(({ schema: part, value }) => value === undefined && leftToPlatform(part));
}
