import { nameOf } from "../schema/urn.ts";
import { ownerOf, stackKey, stackOf, stackTagOf } from "./ownership-tags.ts";
import { isAt } from "./place.ts";
import type { ListedStack, ListStacks, SavedResource, SavedStack } from "./saved-resources.ts";

/** The stack of the tag of a live resource. */
export interface MarkedStack {
  /** In words. */
  readonly called: string;
  /** What is saved of it; `undefined` if that cannot be told. */
  readonly saved: SavedStack | undefined;
}

/** A stack of the backend, with what is saved of it. */
interface ReadStack {
  readonly listed: ListedStack;
  readonly saved: SavedStack;
}

/** How many stacks are read at a time. */
const readers = 4;

/** The stacks beside that of the run. A tag holds the hash of a name: the backend's list tells the name. Each is read once. */
export class OtherStacks {
  readonly #list: ListStacks;
  #listed: Promise<readonly ListedStack[]> | undefined;
  readonly #marked = new Map<string, Promise<MarkedStack>>();
  #all: Promise<readonly ReadStack[]> | undefined;

  constructor(list: ListStacks) {
    this.#list = list;
  }

  /**
   * The stack that has a live resource, which its tag names.
   *
   * @param tag the tag's value
   * @param own the value of the own stack
   * @returns `undefined` if no other stack has marked it, or the one that has does not have it any more
   */
  async having(
    tag: string | undefined,
    own: string | undefined,
    { type, id }: Pick<SavedResource, "type" | "id">,
  ): Promise<MarkedStack | undefined> {
    if (tag === undefined || tag === own) return undefined;
    const marked = await this.marked(tag);
    const isThere = marked.saved?.resources.some((one) => one.type === type && one.id === id) ?? true;
    return isThere ? marked : undefined;
  }

  /**
   * The stack that has saved a resource, in words, whatever its tags say: a stack may have got another name, and a resource another stack.
   * It takes a second or more.
   *
   * @param own the value of the own stack's tag
   * @param place endpoint, region and account
   * @returns `undefined` if no other stack of the backend has it
   * @throws if that cannot be told
   */
  async holding(
    own: string | undefined,
    { type, id }: Pick<SavedResource, "type" | "id">,
    place: readonly string[],
  ): Promise<string | undefined> {
    const all = await (this.#all ??= this.#read());
    const holder = all.find(
      ({ listed, saved }) =>
        stackTagOf(listed) !== own && saved.resources.some((one) => one.type === type && one.id === id && isAt(one, place)),
    );
    return holder && inWords(holder.listed);
  }

  /** Each stack is read by a program of its own: a few at a time. */
  async #read(): Promise<readonly ReadStack[]> {
    const queue = [...(await this.#list())];
    const all: ReadStack[] = [];
    const reader = async (): Promise<void> => {
      for (let listed = queue.shift(); listed; listed = queue.shift()) all.push({ listed, saved: await listed.read() });
    };
    await Promise.all(Array.from({ length: readers }, reader));
    return all;
  }

  /** Who owns a live resource, in words. `own`: the URN of a resource of the own stack, and what is saved of that. */
  async ownerCalled(
    owner: string,
    tag: string | undefined,
    own: { readonly urn: string; readonly saved: SavedStack | undefined },
  ): Promise<string> {
    if (tag === undefined) return "another resource, of this or another stack";
    const { called, saved } = tag === stackOf(own.urn) ? { called: "this stack", saved: own.saved } : await this.marked(tag);
    const found = saved?.resources.find(({ urn }) => ownerOf(urn) === owner);
    return `${found ? `${found.type} "${nameOf(found.urn)}"` : "another resource"} of ${called}`;
  }

  marked(tag: string): Promise<MarkedStack> {
    const marked = this.#marked.get(tag) ?? this.#find(tag);
    this.#marked.set(tag, marked);
    return marked;
  }

  async #find(tag: string): Promise<MarkedStack> {
    this.#listed ??= this.#list().catch(() => []);
    const found = (await this.#listed).find((one) => stackTagOf(one) === tag);
    if (!found) return { called: `a stack that is not in the list of stacks here (its tag ${stackKey} is ${tag})`, saved: undefined };
    return { called: inWords(found), saved: await found.read().catch(() => undefined) };
  }
}

function inWords({ stack, project }: ListedStack): string {
  return `stack ${stack} of project ${project}`;
}
