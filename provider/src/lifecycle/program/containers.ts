import { setTimeout as sleep } from "node:timers/promises";
import type { Cloud } from "@container-platform/sdk";
import type { Kind } from "../../definition/definition.ts";
import type { Props } from "../../schema/values.ts";
import { privateStateOf } from "../private-state.ts";
import { isGone } from "../gone.ts";

/** In milliseconds: for so long, the program may take until it speaks of a container. */
const patience = 30_000;

interface Removal {
  /** Whether the stack has saved a resource of a kind with an id; `undefined` if that cannot be told. */
  readonly isSaved: (kind: Kind, id: string) => Promise<boolean | undefined>;
  /** Whether the resource goes along with another one that is replaced, which the engine asks for when a program runs. */
  readonly goesAlong: boolean;
  readonly signal: AbortSignal;
}

/**
 * The resources that others are in, such as the cluster of a node pool. The engine deletes what is inside first, and learns only then
 * that the platform protects the container. So nothing inside a protected container is deleted, unless this run has seen that the
 * container stays.
 */
export class Containers {
  /** By type and id: those that the program uses, and those that it has and keeps, with their URNs. */
  readonly #used = new Set<string>();
  readonly #kept = new Map<string, string>();
  readonly #protected = new Map<string, Promise<boolean>>();

  /** Notes that the program has a resource, and with it the container whose id it names. */
  noteChecked({ within }: Kind, olds: Props, inputs: Props): void {
    const id = within && inputs[within.by];
    if (within && typeof id === "string") this.#used.add(keyOf(within.kind, id));
    // Without an old state, a new one is made. If that is in place of what seemed to be kept, the replacement is forced.
    if (Object.keys(olds).length > 0) return;
    const { __urn: urn } = privateStateOf(inputs);
    for (const [key, holder] of this.#kept) if (holder === urn) this.#kept.delete(key);
  }

  /** Notes that the program has a resource, and keeps it. What a refresh compares is not of the program, and is not to be noted. */
  noteKept(kind: Kind, id: string, urn: string): void {
    this.#kept.set(keyOf(kind, id), urn);
  }

  /**
   * Called before a resource is deleted.
   *
   * @throws Error if it is inside a protected container of the stack, of which this run has not seen that it stays
   */
  async refuseToEmpty(cloud: Cloud, { within, type }: Kind, inputs: Props, removal: Removal): Promise<void> {
    const id = within && inputs[within.by];
    if (!within || typeof id !== "string" || this.#stays(keyOf(within.kind, id))) return;
    if (!(await this.#isProtected(cloud, within.kind, id)) || (await removal.isSaved(within.kind, id)) === false) return;
    if (removal.goesAlong && (await this.#comesToStay(keyOf(within.kind, id), removal.signal))) return;
    const { type: container, protectedBy } = within.kind;
    throw new Error(
      `it is inside ${container} ${id}, whose ${protectedBy} is on: nothing in it is deleted along with it. To delete this ${type} alone, take it out of the program and run \`pulumi up\` without --target. To delete all of it, set ${protectedBy} to false and run \`pulumi up\` first (\`pulumi up --refresh\`, if it was switched on elsewhere)`,
    );
  }

  #stays(key: string): boolean {
    return this.#used.has(key) || this.#kept.has(key);
  }

  /** The engine deletes what goes along as soon as it knows, which may be before the program has spoken of the container. */
  async #comesToStay(key: string, signal: AbortSignal): Promise<boolean> {
    const begun = performance.now();
    while (!this.#stays(key) && performance.now() - begun < patience && !signal.aborted) await sleep(100);
    return this.#stays(key);
  }

  /** One look for all that is inside. */
  #isProtected(cloud: Cloud, container: Kind, id: string): Promise<boolean> {
    const key = keyOf(container, id);
    const asked = this.#protected.get(key) ?? isProtected(cloud, container, id);
    this.#protected.set(key, asked);
    // The next one asks again.
    asked.catch(() => this.#protected.delete(key));
    return asked;
  }
}

async function isProtected(cloud: Cloud, kind: Kind, id: string): Promise<boolean> {
  const { protectedBy } = kind;
  const parts = kind.id.parts(id);
  if (protectedBy === undefined || parts === undefined) return false;
  const live = await kind.read(cloud, parts);
  return live !== undefined && !isGone(kind, live) && live[protectedBy] === true;
}

const keyOf = ({ type }: Kind, id: string): string => `${type} ${id}`;
