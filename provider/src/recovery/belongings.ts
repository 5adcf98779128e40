import type { Cloud } from "@container-platform/sdk";
import type { Kind } from "../definition/definition.ts";
import { nameOf } from "../lifecycle/program/claims.ts";
import type { Subject } from "./possession.ts";
import type { RunSession } from "./run-session.ts";
import { recently } from "../definition/recently.ts";

/** It may have been of the stack until now: what the engine only forgets is out of the state before this one is deleted. */
const unmanaged =
  "this stack does not manage it, or no longer, and it is lost: what is inside goes along, also with the options retainOnDelete and deletedWith";

/**
 * What is inside of a resource, and goes along with it on the platform. The engine deletes that first, unless the user has forced the
 * deletion of this one resource: then the engine knows of no change of the others, and counts them as unchanged.
 */
export class Belongings {
  readonly #session: RunSession;

  constructor(session: RunSession) {
    this.#session = session;
  }

  /** A warning that names what goes along with a resource that is about to be deleted; `undefined` if nothing does. */
  async lostWith(cloud: Cloud, { kind, urn }: Subject, id: string): Promise<string | undefined> {
    if (!kind.rare?.takesAlong) return undefined;
    const kinds = (await this.#session.kinds()).filter(({ within }) => within?.kind.type === kind.type);
    const inside = await this.#listed(cloud, kinds, kind, id);
    // Not all can be listed by what they are in. A resource that was made anew in this run is another reason to ask.
    if (inside.length === 0 && !this.#session.made.has(urn)) return undefined;
    const saved = await this.#session.readSaved(urn);
    const ours = kinds.flatMap((one) =>
      (saved?.resources ?? []).filter(
        (other) => other.type === one.type && isIn(one, other.id, id) && !this.#session.deleted.has(one, other.id),
      ),
    );
    const others = inside.filter(({ kind: { type }, id: of }) => !ours.some((one) => one.type === type && one.id === of));
    const again = ours.map((one) => `${one.type} "${nameOf(one.urn)}"`).join(", ");
    const lost = others.map((one) => `${one.kind.type} ${one.id}`).join(", ");
    if (again === "" && lost === "") return undefined;
    const remake = again === "" ? "" : `${again}: the next \`pulumi up\` makes that again. `;
    const foreign = lost === "" ? "" : `${lost}: ${saved ? unmanaged : "the next `pulumi up` makes again what is of this stack"}. `;
    return `with ${id} goes what is in it, although the run counts it as unchanged. ${remake}${foreign}`.trim();
  }

  /** What is inside, of the kinds of which this run has deleted none there. */
  async #listed(cloud: Cloud, kinds: readonly Kind[], container: Kind, id: string) {
    const asked = kinds.filter((one) => !this.#session.deleted.hasInside(one, id));
    const found = asked.map(async (kind) => {
      const parts = await kind.list(cloud.tolerating(recently), listedBy(container, id)).catch(() => []);
      return parts.map((one) => ({ kind, id: kind.id.of(one) })).filter((one) => isIn(kind, one.id, id));
    });
    return (await Promise.all(found)).flat();
  }
}

/** The id of a container, as lists of what is inside take it. */
function listedBy({ id: { names } }: Kind, id: string): Record<string, readonly string[]> {
  return Object.fromEntries(names.map((name) => [name, [id]]));
}

function isIn({ within, id: form }: Kind, id: string, container: string): boolean {
  return within !== undefined && form.parts(id)?.[within.by] === container;
}
