import type { Cloud } from "@container-platform/sdk";
import type { Kind } from "../../definition/definition.ts";
import { owners } from "../../definition/ids.ts";
import { type NamedId, idsIn } from "../../schema/ids.ts";
import { placeOf } from "../../schema/messages.ts";
import { schemaOf } from "../../schema/property.ts";
import { isAmong, type Props, textsIn } from "../../schema/values.ts";
import { nameIn } from "./claims.ts";
import type { Context } from "../context.ts";
import { advice, isUnseen } from "../errors.ts";
import { hasOwnId, type Members } from "./members/members.ts";
import { privateStateOf } from "../private-state.ts";
import { firstLook } from "../../definition/recently.ts";

/** An id, and the resource that names it. */
interface Naming extends NamedId {
  readonly urn: string;
  /** The URN of the resource of the program whose output the id is, as far as that can be told: a literal is of none. */
  readonly source: string | undefined;
}

/** What of a run's session is looked at. */
interface Known {
  readonly members: Members;
  readonly listings: ReadonlyMap<string, Promise<readonly Props[]>>;
  readonly unsaid: (id: string, sentences: readonly string[]) => string[];
}

/** The ids of others that the resources of the program name, as far as this run has seen. */
export class NamedIds {
  /** By URN of the resource that names them. */
  readonly #byUrn = new Map<string, readonly Naming[]>();
  readonly #seen = new Set<string>();
  #cloud: Cloud | undefined;

  /**
   * Why a checked resource cannot name what it names, one sentence each. Only what is new in it is looked for, each id once a run, and
   * nothing that the program itself has. What cannot be looked at is not refused.
   */
  async refusals(
    { cloud, warn }: Pick<Context, "cloud" | "warn">,
    session: Known,
    kind: Kind,
    { olds, news, inputs }: { readonly olds: Props; readonly news: Props; readonly inputs: Props },
  ): Promise<readonly string[]> {
    const { __urn: urn, __adopt: imported } = privateStateOf(inputs);
    const { __of: of } = privateStateOf(news);
    const all = Object.keys(kind.inputs.shape).flatMap((key) => idsIn(schemaOf(kind, key), inputs[key], [key]));
    this.#byUrn.set(
      urn,
      all.map((one) => ({ ...one, urn, source: sourceOf(of, one) })),
    );
    this.#cloud = cloud;
    // What is imported is compared with what is there.
    if (imported !== undefined && Object.keys(olds).length === 0) return [];
    const sentences = all.map(async (one) => {
      const { path, prefix, id } = one;
      const holder = session.members.holdingOwn(id);
      if (holder?.leaves) return [`${placeOf(path)}: ${leaving(id, holder.urn, urn)}`];
      if (holder || session.members.isMade(id) || isAmong(olds, path, id)) return [];
      try {
        if (await this.#isThere(cloud, session, one)) return [];
        return [`${placeOf(path)}: there is no ${owners[prefix].noun} ${id} in ${cloud.region}. ${advice.notFound}`];
      } catch (error) {
        if (!isUnseen(error)) throw error;
        const doubt = `whether there is a ${owners[prefix].noun} ${id} cannot be seen: ${error.reason} (${error.origin.action}: ${error.code})`;
        for (const sentence of session.unsaid(id, [doubt])) warn(sentence);
        return [];
      }
    });
    return (await Promise.all(sentences)).flat();
  }

  /** @throws Error if a resource that is replaced is named by its old id: that is not known any more afterwards */
  refuseToLeave(kind: Kind, id: string, urn: string): void {
    if (!hasOwnId(kind)) return;
    const [by] = [...this.#byUrn].find(([other, ids]) => other !== urn && ids.some((one) => one.id === id)) ?? [];
    if (by !== undefined) throw new Error(leaving(id, urn, by));
  }

  /** What resources name of the stack, as far as this run has not seen the program to have it: by the mark of the stack that it has. */
  async unheld(members: Members, mark: string): Promise<readonly Naming[]> {
    const cloud = this.#cloud?.tolerating(firstLook);
    const named = [...this.#byUrn.values()].flat();
    const open = named.filter(({ prefix, id }) => owners[prefix].type !== undefined && !members.holdingOwn(id));
    const looks = open.map(async ({ prefix, id }) => (cloud && owners[prefix].find ? owners[prefix].find(cloud, id) : undefined));
    const found = await Promise.all(looks.map((look) => look.catch(() => undefined)));
    return open.filter((_, index) => textsIn(found[index]).includes(mark));
  }

  async #isThere(cloud: Cloud, { listings }: Known, { prefix, id }: NamedId): Promise<boolean> {
    const { find, type = "" } = owners[prefix];
    if (!find || this.#seen.has(id)) return true;
    const listed = await listings.get(type);
    if (listed?.some((one) => Object.values(one).includes(id))) return true;
    // It may have been made since by somebody else: before it is refused, it is looked for once more.
    const found = (await find(cloud.tolerating(firstLook), id)) ?? (await find(cloud.tolerating(0), id));
    if (found !== undefined) this.#seen.add(id);
    return found !== undefined;
  }
}

/** What a whole value is an output of, each id in it is. */
function sourceOf(of: Readonly<Record<string, string>>, { path }: NamedId): string | undefined {
  return path.flatMap((_, index) => of[path.slice(0, path.length - index).join(".")] ?? [])[0];
}

function leaving(id: string, old: string, by: string): string {
  const [left, one] = [old, by].map((urn) => nameIn(urn, [old, by]));
  return `${id} is ${left} of this program, in whose place a new one with another id is made: in ${one}, write the output of ${left} instead of the id, so that it follows`;
}
