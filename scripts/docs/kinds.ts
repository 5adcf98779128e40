import type { Kind } from "../../provider/src/definition/definition.ts";
import { kinds as loaders } from "../../provider/src/resources/kinds.ts";

const all = await Promise.all(Object.values(loaders).map(async (load) => (await load()).kind));

/** The definitions of all kinds of resources, by name. */
export const kinds: readonly Kind[] = all.sort((one, other) => (one.type < other.type ? -1 : 1));
