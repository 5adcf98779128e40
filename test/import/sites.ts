import type { Cloud } from "@container-platform/sdk";
import type { World } from "@container-platform/sdk/local";
import { type KindName, kinds } from "../../provider/src/resources/reviews.ts";
import { casesOf } from "../provider/kinds/all.ts";

/** A resource that exists without a program, by its id in the form that states have. */
export interface SiteResource {
  readonly kind: KindName;
  readonly id: string;
}

/** Makes a site with calls alone, as people without a program do: each kind makes its part of it. Returns all that was made. */
export async function makeSite(
  { cloud, world }: { readonly cloud: Cloud; readonly world: World },
  index: number,
): Promise<readonly SiteResource[]> {
  const made: SiteResource[] = [];
  const idsOf = (kind: KindName): readonly string[] => made.filter((one) => one.kind === kind).map(({ id }) => id);
  const idOf = (kind: KindName): string => {
    const [id] = idsOf(kind);
    if (id === undefined) throw new Error(`a site has no ${kind} yet`);
    return id;
  };
  for (const kind of kinds) {
    const ids = await casesOf[kind].site({ cloud, world, index, idsOf, idOf });
    made.push(...ids.map((id) => ({ kind, id })));
  }
  return made;
}
