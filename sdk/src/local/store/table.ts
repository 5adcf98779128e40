import type { StatementSync } from "node:sqlite";
import { z } from "zod";
import { once } from "../../operation/operation.ts";

/** A table of the world. Its rows are JSON; each belongs to one account and region, and is found by its id or its parent. */
export interface Table<Row extends { id: string }> {
  readonly name: string;
  readonly row: z.ZodType<Row>;
  /** The text field by which `lastUpTo` searches, if that is used. */
  readonly sorted: string | undefined;
}

/** A table whose rows have an id and these fields. Their schema is built when the first row is read or changed. */
export function table<Fields extends z.ZodRawShape>(name: string, fields: () => Fields, sorted?: keyof Fields & string) {
  const row = once(() => z.object({ id: z.string(), ...fields() }));
  return {
    name,
    get row() {
      return row();
    },
    sorted,
  };
}

/** A table without the type of its rows. */
export type AnyTable = Pick<Table<{ id: string }>, "name" | "sorted">;

export const createTable = ({ name, sorted }: AnyTable): string => `
  CREATE TABLE IF NOT EXISTS "${name}" (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL, region TEXT NOT NULL,
    parent TEXT NOT NULL, expires INTEGER, data TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS "${name}_region" ON "${name}" (account, region);
  CREATE INDEX IF NOT EXISTS "${name}_place" ON "${name}" (account, region, parent);
  CREATE INDEX IF NOT EXISTS "${name}_expires" ON "${name}" (expires) WHERE expires IS NOT NULL;
  ${sorted === undefined ? "" : `CREATE INDEX IF NOT EXISTS "${name}_sorted" ON "${name}" (account, region, parent, data ->> '$.${sorted}');`}`;

/** Where rows are kept. */
export interface Store {
  readonly prepare: (sql: string) => StatementSync;
  /** What was read of a table before, if nobody has written there since. */
  readonly recall: <T>(table: string, name: string, read: () => T) => T;
}

/** The rows of one table that one account has in one region. */
export class Rows<Row extends { id: string }> {
  readonly #store: Store;
  readonly #name: string;
  readonly #table: Table<Row>;
  readonly #place: readonly [account: string, region: string];
  readonly #expiring: (moment: number) => void;

  /** @param expiring is called with the moment at which a row will expire */
  constructor(store: Store, table: Table<Row>, place: readonly [account: string, region: string], expiring: (moment: number) => void) {
    this.#store = store;
    this.#name = table.name;
    this.#table = table;
    this.#place = place;
    this.#expiring = expiring;
  }

  /** Calls that follow each other ask for the same rows: what was read stays as it was read, until somebody writes. */
  get(id: string): Row | undefined {
    const [account, region] = this.#place;
    return this.#store.recall(this.#name, `${account} ${region} ${id}`, () => {
      const sql = `SELECT data FROM "${this.#name}" WHERE id = ? AND account = ? AND region = ?`;
      const found = this.#store.prepare(sql).get(id, account, region);
      return found && unchangeable(this.#parsed(found));
    });
  }

  /** All rows, or those that belong to `parent`, oldest first; or one page of them. */
  list(parent?: string, page?: { readonly offset?: number; readonly limit: number }): Row[] {
    const [where, values] = this.#where(parent);
    const sql = `SELECT data FROM "${this.#name}" WHERE ${where} ORDER BY seq`;
    const found = page
      ? this.#store.prepare(`${sql} LIMIT ? OFFSET ?`).all(...values, page.limit, page.offset ?? 0)
      : this.#store.prepare(sql).all(...values);
    return found.map((row) => this.#parsed(row));
  }

  count(parent?: string): number {
    const [where, values] = this.#where(parent);
    const found = this.#store.prepare(`SELECT count(*) AS count FROM "${this.#name}" WHERE ${where}`).get(...values);
    return Number(found?.["count"]);
  }

  /** The row of `parent` with the greatest sorted field that is not greater than `value`. */
  lastUpTo(value: string, parent = ""): Row | undefined {
    const [where, values] = this.#where(parent);
    const field = `data ->> '$.${this.#table.sorted ?? "id"}'`;
    const sql = `SELECT data FROM "${this.#name}" WHERE ${where} AND ${field} <= ? ORDER BY ${field} DESC LIMIT 1`;
    const found = this.#store.prepare(sql).get(...values, value);
    return found && this.#parsed(found);
  }

  /** @param parent the id of what the row belongs to */
  insert(row: Row, parent = ""): Row {
    const sql = `INSERT INTO "${this.#name}" (id, account, region, parent, data) VALUES (?, ?, ?, ?, ?)`;
    this.#store.prepare(sql).run(row.id, ...this.#place, parent, JSON.stringify(row));
    return row;
  }

  /** Changes fields of a row; `undefined` removes a field. */
  update(id: string, change: Partial<{ [Key in keyof Row]: Row[Key] | undefined }>): Row {
    const row = this.#table.row.parse({ ...this.get(id), ...change });
    const sql = `UPDATE "${this.#name}" SET data = ? WHERE id = ? AND account = ? AND region = ?`;
    this.#store.prepare(sql).run(JSON.stringify(row), id, ...this.#place);
    return row;
  }

  remove(id: string): void {
    this.#store.prepare(`DELETE FROM "${this.#name}" WHERE id = ? AND account = ? AND region = ?`).run(id, ...this.#place);
  }

  /** Deletes a row at a moment of the world's clock. */
  expire(id: string, moment: number): void {
    this.#expire("id = ?", [id], moment);
  }

  /** Deletes all rows of a parent at a moment of the world's clock. */
  expireBelow(parent: string, moment: number): void {
    this.#expire("parent = ?", [parent], moment);
  }

  /** Deletes all rows of the parents whose ids begin with `<place>/` at a moment of the world's clock. */
  expireWithin(place: string, moment: number): void {
    // The character after "/" ends the range of such ids.
    this.#expire("parent >= ? AND parent < ?", [`${place}/`, `${place}0`], moment);
  }

  #expire(which: string, values: readonly string[], moment: number): void {
    const sql = `UPDATE "${this.#name}" SET expires = ? WHERE account = ? AND region = ? AND ${which}`;
    this.#store.prepare(sql).run(moment, ...this.#place, ...values);
    this.#expiring(moment);
  }

  #where(parent: string | undefined): [string, string[]] {
    return parent === undefined
      ? ["account = ? AND region = ?", [...this.#place]]
      : ["account = ? AND region = ? AND parent = ?", [...this.#place, parent]];
  }

  #parsed({ data }: Readonly<Record<string, unknown>>): Row {
    return this.#table.row.parse(JSON.parse(String(data)));
  }
}

/** The same value, which nothing can change any more: those who remember it share it. */
function unchangeable<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(unchangeable);
  return Object.freeze(value);
}

const names = {
  vpc: ["routeTables", "elasticIps", "natGateways", "securityGroups", "attachments"],
  compute: ["instances", "keyPairs"],
  cluster: ["clusters", "nodePools", "nodes", "clusterEndpoints", "authorities", "clientCertificates", "clusterTasks"],
  clusterAccess: ["unreachableAddresses", "permissions", "clusterRoles", "edgeModules"],
  registry: ["registries", "buckets", "whitelists", "internalEndpoints", "internalNames", "registryTokens"],
  content: ["namespaces", "repositories", "images", "manifests", "blobs", "serviceAccounts", "replicationRules", "retentionRules"],
};

/** Every table, without the schema of its rows: the schemas take time to load, and opening a world does not need them. */
export const tables: readonly AnyTable[] = [
  { name: "vpcs", sorted: "range" },
  { name: "subnets", sorted: "range" },
  ...Object.values(names)
    .flat()
    .map((name) => ({ name, sorted: undefined })),
];
