import type { Rows } from "../local/store/table.ts";
import type { Some } from "./shown.ts";

/** The most of one list. */
const longest = 100;

/**
 * How much there is room for. A world may have a hundred thousand resources: a picture of all of them helps nobody, and calls would wait
 * while it is drawn.
 */
export class Room {
  #left: number;

  constructor(left = 1500) {
    this.#left = left;
  }

  /** The oldest rows of a parent, or of all; or the newest, newest first. */
  take<Row extends { id: string }, Item>(
    rows: Rows<Row>,
    draw: (row: Row) => Item,
    { parent, isNewestFirst = false }: { readonly parent?: string; readonly isNewestFirst?: boolean } = {},
  ): Some<Item> {
    const count = rows.count(parent);
    const limit = Math.min(count, this.#left, longest);
    this.#left -= limit;
    const found = rows.page({ offset: isNewestFirst ? count - limit : 0, limit }, parent);
    return { items: (isNewestFirst ? found.reverse() : found).map(draw), more: count - limit };
  }
}
