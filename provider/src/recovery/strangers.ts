import type { Cloud } from "@container-platform/sdk";
import type { Kind } from "../definition/definition.ts";
import { isGone } from "../lifecycle/gone.ts";
import { nameOf } from "../lifecycle/program/claims.ts";
import { idForm } from "../lifecycle/program/leaving/staying.ts";
import type { MarkedStack } from "./other-stacks.ts";
import { separatingOwnershipTags, stackIn, stackOf } from "./ownership-tags.ts";
import type { Subject } from "./possession.ts";
import type { RunSession } from "./run-session.ts";

/** Something on the platform that this run has neither made nor begun to delete. */
export interface Stranger {
  readonly id: string;
  /** Its kind, id and name: `Subnet subnet-3f8a0c1e "by hand"`. */
  readonly called: string;
  /** Its kind, if a program can import it. */
  readonly type: string | undefined;
  /** Whether it is in the stack: this run may still come to it. */
  readonly isOfStack: boolean;
  /** The other stack that has it; `undefined` if none has marked it, or has it any more. */
  readonly stack?: MarkedStack | undefined;
  /** Whether no run is known that may delete it: the stack has it no longer, or never had it, and no other stack has it. */
  readonly isNobodys: boolean;
}

/** Finds who is meant when the platform refuses a deletion because of something else. */
export class Strangers {
  readonly #session: RunSession;

  constructor(session: RunSession) {
    this.#session = session;
  }

  /**
   * What a sentence of the platform names, and what this run has not come to, and does not go away by itself.
   *
   * @param id the resource that the sentence is about
   */
  async namedIn(cloud: Cloud, sentence: string, { urn }: Pick<Subject, "urn">, id: string): Promise<readonly Stranger[]> {
    const named = [...new Set(sentence.match(idForm))].filter((one) => !id.split("/").includes(one));
    const foreign = named.filter((one) => !this.#session.hasHeardOf(one));
    if (foreign.length === 0) return [];
    const saved = (await this.#session.saved(urn))?.resources;
    const kinds = await this.#session.kinds();
    const looks = foreign.map(async (one): Promise<Stranger | undefined> => {
      const found = await this.#lookAt(cloud, one, kinds, stackOf(urn));
      const own = saved?.find((other) => other.id.split("/").at(-1) === one);
      if (!found || !own) return found && { ...found, isNobodys: found.isNobodys && saved !== undefined };
      return { ...found, called: `${own.type} "${nameOf(own.urn)}" (${one})`, isOfStack: true, isNobodys: false };
    });
    return (await Promise.all(looks)).filter((one) => one !== undefined);
  }

  /** `undefined` if it is gone, or about to be something else. */
  async #lookAt(cloud: Cloud, id: string, kinds: readonly Kind[], own: string | undefined): Promise<Stranger | undefined> {
    const kind = kinds.find(({ id: { looks, names } }) => names.length === 1 && looks.split("-", 1)[0] === id.split("-", 1)[0]);
    const parts = kind?.id.parts(id);
    if (!kind || !parts) return { id, called: id, type: undefined, isOfStack: false, isNobodys: false };
    const live = await separatingOwnershipTags(kind).read(cloud, parts);
    if (!live || isGone(kind, live)) return undefined;
    const isPending = Object.entries(kind.states ?? {}).some(([key, readinessOf]) => readinessOf[String(live[key])] === "pending");
    if (isPending) return undefined;
    const key = Object.keys(kind.inputs.shape).find((one) => /name$/i.test(one));
    const name = key === undefined ? undefined : live[key];
    const stack = await this.#session.otherStacks.having(stackIn(live), own, { type: kind.type, id });
    return {
      id,
      called: `${kind.type} ${id}${typeof name === "string" ? ` ${JSON.stringify(name)}` : ""}`,
      type: kind.type,
      isOfStack: false,
      stack,
      isNobodys: stack === undefined,
    };
  }
}
