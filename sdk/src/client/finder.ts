import type { Cloud } from "./client.ts";
import { PlatformError } from "../operation/errors.ts";
import { type Page, pageSize } from "./paging.ts";
import type { Operation } from "../operation/operation.ts";
import type { Readings } from "./read-cache.ts";

/** How resources of one kind are looked up. */
export interface Lookup<Item> {
  /** The operation that is called for it. */
  readonly asking: Pick<Operation, "action">;
  /** Those with one of these ids, 100 at most. May throw because one of them does not exist. */
  readonly some: (cloud: Cloud, ids: readonly string[]) => Promise<readonly Item[]>;
  /** All resources, page by page. */
  readonly pages?: (cloud: Cloud) => AsyncIterable<Page<Item>>;
  readonly idOf: (item: Item) => string;
}

/** A region with more resources than this is not listed as a whole. */
const listable = 500;
/** Milliseconds for which a question waits for others, to be asked together, if a slightly older answer would do as well. */
const gathering = 5;
/** Whoever asks for an id twice within so many milliseconds is waiting for it: the id is asked for along with others. */
const polling = 20_000;

/**
 * Finds resources by id, with few calls. Questions of the same moment are one call. Ids that somebody waits for are asked for along
 * with others. If many are asked for in a region that does not have many more, the region is listed.
 */
export class Finder<Item> {
  readonly #lookup: Lookup<Item>;
  readonly #batches = new WeakMap<Readings, Batch<Item>>();

  constructor(lookup: Lookup<Item>) {
    this.#lookup = lookup;
  }

  /** The resource with an id; `undefined` if there is none. The answer is not older than `cloud` tolerates. */
  find(cloud: Cloud, id: string): Promise<Item | undefined> {
    return this.#batchOf(cloud).find(cloud, id);
  }

  /** The resource with an id, as it was when it was last seen: for what never changes of it. It is looked for if it never was. */
  async seen(cloud: Cloud, id: string): Promise<Item | undefined> {
    return this.#batchOf(cloud).lastSeen(id) ?? this.find(cloud, id);
  }

  #batchOf({ readings }: Cloud): Batch<Item> {
    const batch = this.#batches.get(readings) ?? new Batch(this.#lookup, readings);
    this.#batches.set(readings, batch);
    return batch;
  }
}

interface Question<Item> {
  readonly resolve: (item: Item | undefined) => void;
  readonly reject: (error: unknown) => void;
}

class Batch<Item> {
  readonly #lookup: Lookup<Item>;
  readonly #readings: Readings;
  readonly #known = new Map<string, { readonly item: Item | undefined; readonly at: number; readonly generation: number }>();
  readonly #asked = new Map<string, { readonly before: number; readonly last: number }>();
  #questions = new Map<string, Question<Item>[]>();
  #listed: { readonly at: number; readonly generation: number } | undefined;
  #tooMany = false;
  #calls = 0;
  #served = 0;
  /** The number of writes before the last question, if there was one. */
  #writes: number | undefined;

  constructor(lookup: Lookup<Item>, readings: Readings) {
    this.#lookup = lookup;
    this.#readings = readings;
  }

  get #generation(): number {
    return this.#readings.generationOf([this.#lookup.asking]);
  }

  lastSeen(id: string): Item | undefined {
    return this.#known.get(id)?.item;
  }

  find(cloud: Cloud, id: string): Promise<Item | undefined> {
    const now = performance.now();
    this.#asked.set(id, { before: this.#asked.get(id)?.last ?? -Infinity, last: now });
    const known = this.#known.get(id) ?? (this.#listed && { item: undefined, ...this.#listed });
    if (known?.generation === this.#generation && now - known.at <= cloud.tolerance) {
      this.#served++;
      return Promise.resolve(known.item);
    }
    return new Promise((resolve, reject) => {
      if (this.#questions.size === 0) {
        if (cloud.tolerance > gathering) setTimeout(() => void this.#ask(cloud), gathering);
        else setImmediate(() => void this.#ask(cloud));
      }
      this.#questions.set(id, [...(this.#questions.get(id) ?? []), { resolve, reject }]);
    });
  }

  async #ask(cloud: Cloud): Promise<void> {
    const questions = this.#questions;
    this.#questions = new Map();
    const begun = { at: performance.now(), generation: this.#generation };
    const onlyReads = begun.generation === (this.#writes ?? begun.generation);
    this.#writes = begun.generation;
    try {
      const listed = onlyReads && this.#worthListing(cloud, questions.size) ? await this.#list(cloud, begun) : undefined;
      // Between two pages of a list a resource can move to the page before, and be missed: what is not listed is asked for by id.
      const ids = listed === "one page" ? [] : [...questions.keys()].filter((id) => !listed || !this.#known.has(id));
      if (ids.length > 0)
        for (const [id, item] of await this.#some(cloud, [...ids, ...this.#waiting(ids)])) this.#known.set(id, { item, ...begun });
      this.#served += questions.size;
      for (const [id, askers] of questions) for (const { resolve } of askers) resolve(this.#known.get(id)?.item);
    } catch (error) {
      for (const askers of questions.values()) for (const { reject } of askers) reject(error);
    }
  }

  /** Other ids that are waited for. Without those that did not exist: a question for such an id takes further calls. */
  #waiting(besides: readonly string[]): string[] {
    const since = performance.now() - polling;
    const all = [...this.#asked].flatMap(([id, { before }]) =>
      before > since && this.#known.get(id)?.item && !besides.includes(id) ? [id] : [],
    );
    return all.slice(0, Math.max(0, pageSize - besides.length));
  }

  /**
   * A list takes up to two calls more than a question by ids. It is worth that once as many calls were saved. Between writes, each of
   * which outdates it, it never is.
   */
  #worthListing(cloud: Cloud, asking: number): boolean {
    return this.#lookup.pages !== undefined && !this.#tooMany && cloud.tolerance > gathering && this.#calls + 2 <= this.#served + asking;
  }

  async #list(cloud: Cloud, begun: { at: number; generation: number }): Promise<"one page" | "several pages" | undefined> {
    const { pages, idOf } = this.#lookup;
    if (!pages) return undefined;
    const all: (readonly Item[])[] = [];
    for await (const { items, total = Infinity } of pages(cloud)) {
      this.#calls++;
      all.push(items);
      this.#tooMany = total > listable;
      if (this.#tooMany) return undefined;
    }
    const items = all.flat();
    const extent = all.length > 1 ? "several pages" : "one page";
    this.#known.clear();
    for (const item of items) this.#known.set(idOf(item), { item, ...begun });
    this.#listed = extent === "one page" ? begun : undefined;
    return extent;
  }

  /** Asks for many ids at once. If the platform only says that one of them does not exist, asks for halves, until it is clear which. */
  async #some(cloud: Cloud, ids: readonly string[]): Promise<[string, Item | undefined][]> {
    if (ids.length > pageSize)
      return [...(await this.#some(cloud, ids.slice(0, pageSize))), ...(await this.#some(cloud, ids.slice(pageSize)))];
    this.#calls++;
    try {
      const found = new Map((await this.#lookup.some(cloud, ids)).map((item) => [this.#lookup.idOf(item), item]));
      return ids.map((id) => [id, found.get(id)]);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind !== "notFound") throw error;
    }
    const [first, ...others] = ids;
    if (first !== undefined && others.length === 0) return [[first, undefined]];
    const half = Math.ceil(ids.length / 2);
    return [...(await this.#some(cloud, ids.slice(0, half))), ...(await this.#some(cloud, ids.slice(half)))];
  }
}
