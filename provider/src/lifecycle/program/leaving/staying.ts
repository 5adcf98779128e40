import { type Cloud, listed } from "@container-platform/sdk";
import { idsIn, pathsLeftOut } from "../../../schema/ids.ts";
import { placeOf } from "../../../schema/messages.ts";
import { schemaOf } from "../../../schema/property.ts";
import { nameOf } from "../claims.ts";
import type { Member } from "../members/member.ts";
import type { Members } from "../members/members.ts";
import { keptBySilence } from "../remarks.ts";

/** Ids of the platform: `subnet-3f8a0c1e`. */
export const idForm = /\b[a-z]+-[0-9a-z]{8,}\b/g;

/**
 * What of the program keeps a resource from being deleted that the program no longer has, and what to do; `undefined` if none of it is
 * known to stay.
 *
 * @param sentence how the platform refuses: it names what is in the way
 */
export async function stayingIn(cloud: Cloud, members: Members, sentence: string, id: string, called: string): Promise<string | undefined> {
  const named = [...new Set(sentence.match(idForm))].filter((one) => !id.split("/").includes(one));
  const found: string[] = [];
  for (const one of named) {
    const holder = members.holdingOwn(one) ?? members.holdingLast(one);
    if (holder && holder.leaves === undefined) found.push(byItself(holder, id, called));
  }
  const parts = await Promise.all(members.all.map((member) => byParts(cloud, member, named, { id, called })));
  const all = [...found, ...parts.filter((one) => one !== undefined)];
  return all.length === 0 ? undefined : all.join(". ");
}

function byItself(holder: Member, id: string, called: string): string {
  const one = `${holder.kind.type} "${nameOf(holder.urn)}"`;
  const path = pathTo(holder, id);
  const silent = path === undefined ? pathLeftOut(holder, id) : undefined;
  if (silent !== undefined) return keptBySilence(one, silent, called);
  const how = path === undefined ? "" : `: its ${path} is ${id}`;
  const other = path === undefined ? "change what it uses" : `give it another ${path}`;
  return `${one} of this program is in the way, and stays${how}. Put ${called} back into the program; or ${other}, or take it out of the program, too`;
}

function pathTo({ kind, inputs }: Member, id: string): string | undefined {
  const ids = Object.keys(kind.inputs.shape).flatMap((key) => idsIn(schemaOf(kind, key), inputs[key], [key]));
  const found = ids.find((one) => one.id === id);
  return found && placeOf(found.path);
}

/** Where it may have it although the program does not say so. */
function pathLeftOut({ kind, inputs }: Member, id: string): string | undefined {
  const [found] = Object.keys(kind.inputs.shape).flatMap((key) => pathsLeftOut(schemaOf(kind, key), inputs[key], [key], id));
  return found && placeOf(found);
}

/** What a resource of the program has besides itself, such as the machines of a pool. */
async function byParts(
  cloud: Cloud,
  { kind, id, leaves, urn }: Member,
  named: readonly string[],
  of: { readonly id: string; readonly called: string },
): Promise<string | undefined> {
  const holds = kind.rare?.holds;
  const keeping = holds?.keeps.find((one) => of.id.startsWith(`${one.of}-`));
  const parts = id === undefined || leaves !== undefined ? undefined : kind.id.parts(id);
  if (!holds || !keeping || !parts) return undefined;
  const having = new Set(await holds.list(cloud, parts));
  const ours = named.filter((one) => having.has(one));
  if (ours.length === 0) return undefined;
  const are = ours.length === 1 ? "is" : "are";
  const stay = ours.length === 1 ? "stays" : "stay";
  return `${listed(ours)} of ${kind.type} "${nameOf(urn)}" ${are} in the way, and ${stay}. ${keeping.remedy(of.called)}`;
}
