import type { Cloud } from "@container-platform/sdk";
import type { World } from "@container-platform/sdk/local";
import { expect } from "vitest";
import { type KindName, kinds } from "../../provider/src/resources/reviews.ts";
import type { FoundResource } from "../../provider/src/import/find-resources.ts";
import { programOf } from "../../provider/src/import/program.ts";
import { referencesTo } from "../../provider/src/import/references.ts";
import { type Selection, selectResources } from "../../provider/src/import/selection.ts";
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

export function programFor(all: readonly FoundResource[], choice: Partial<Selection> = {}, withImport = true): string {
  const resources = selectResources(all, { vpcs: [], ids: [], tag: undefined, ...choice }, referencesTo(all), "eu-frankfurt");
  const { text, problems } = programOf(resources, "eu-frankfurt", withImport);
  expect(problems).toEqual([]);
  return text;
}

/** The resources that a program declares: `Vpc site-0`. */
export function declared(program: string): string[] {
  return [...program.matchAll(/new (\w+)\(\s*"([^"]+)"/g)].map(([, type = "", name = ""]) => `${type} ${name}`);
}
