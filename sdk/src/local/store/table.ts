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

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

const countRow = z.object({ count: z.number() });

/** Where rows are kept. */
interface Store {
  readonly prepare: (sql: string) => StatementSync;
  /** What was read of a table before, if nobody has written there since. */
  readonly recall: <T>(table: string, name: string, read: () => T) => T;
}

/** The rows of one table that one account has in one region. */
export class Rows<Row extends { id: string }> {
  readonly #prepare: Store["prepare"];
  readonly #recall: Store["recall"];
  readonly #name: string;
  readonly #table: Table<Row>;
  readonly #sorted: string | undefined;
  readonly #place: readonly [account: string, region: string];
  readonly #expiring: (moment: number) => void;

  /** @param expiring is called with the moment at which a row will expire */
  constructor(
    { prepare, recall }: Store,
    table: Table<Row>,
    place: readonly [account: string, region: string],
    expiring: (moment: number) => void,
  ) {
    this.#prepare = prepare;
    this.#recall = recall;
    this.#name = table.name;
    this.#table = table;
    this.#sorted = table.sorted;
    this.#place = place;
    this.#expiring = expiring;
  }

  /** Calls that follow each other ask for the same rows: what was read stays as it was read, until somebody writes. */
  get(id: string): Row | undefined {
    const [account, region] = this.#place;
    return this.#recall(this.#name, `${account} ${region} ${id}`, () => {
      const found = this.#prepare(`SELECT data FROM "${this.#name}" WHERE id = ? AND account = ? AND region = ?`).get(id, account, region);
      return found && unchangeable(this.#parsed(found));
    });
  }

  /** All rows, or those that belong to `parent`, oldest first. */
  list(parent?: string): Row[] {
    const [where, values] = this.#where(parent);
    return this.#prepare(`SELECT data FROM "${this.#name}" WHERE ${where} ORDER BY seq`)
      .all(...values)
      .map((row) => this.#parsed(row));
  }

  page({ offset, limit }: Page, parent?: string): Row[] {
    const [where, values] = this.#where(parent);
    return this.#prepare(`SELECT data FROM "${this.#name}" WHERE ${where} ORDER BY seq LIMIT ? OFFSET ?`)
      .all(...values, limit, offset)
      .map((row) => this.#parsed(row));
  }

  count(parent?: string): number {
    const [where, values] = this.#where(parent);
    return countRow.parse(this.#prepare(`SELECT count(*) AS count FROM "${this.#name}" WHERE ${where}`).get(...values)).count;
  }

  /** The row of `parent` with the greatest sorted field that is not greater than `value`. */
  lastUpTo(value: string, parent = ""): Row | undefined {
    const [where, values] = this.#where(parent);
    const field = `data ->> '$.${this.#sorted ?? "id"}'`;
    const found = this.#prepare(`SELECT data FROM "${this.#name}" WHERE ${where} AND ${field} <= ? ORDER BY ${field} DESC LIMIT 1`).get(
      ...values,
      value,
    );
    return found && this.#parsed(found);
  }

  /** @param parent the id of what the row belongs to */
  insert(row: Row, parent = ""): Row {
    this.#prepare(`INSERT INTO "${this.#name}" (id, account, region, parent, data) VALUES (?, ?, ?, ?, ?)`).run(
      row.id,
      ...this.#place,
      parent,
      JSON.stringify(row),
    );
    return row;
  }

  /** Changes fields of a row; `undefined` removes a field. */
  update(id: string, change: Partial<{ [Key in keyof Row]: Row[Key] | undefined }>): Row {
    const row = this.#table.row.parse({ ...this.get(id), ...change });
    this.#prepare(`UPDATE "${this.#name}" SET data = ? WHERE id = ? AND account = ? AND region = ?`).run(
      JSON.stringify(row),
      id,
      ...this.#place,
    );
    return row;
  }

  remove(id: string): void {
    this.#prepare(`DELETE FROM "${this.#name}" WHERE id = ? AND account = ? AND region = ?`).run(id, ...this.#place);
  }

  /** Deletes a row at a moment of the world's clock. */
  expire(id: string, moment: number): void {
    this.#prepare(`UPDATE "${this.#name}" SET expires = ? WHERE id = ? AND account = ? AND region = ?`).run(moment, id, ...this.#place);
    this.#expiring(moment);
  }

  /** Deletes all rows of a parent at a moment of the world's clock. */
  expireBelow(parent: string, moment: number): void {
    const [where, place] = this.#where(parent);
    this.#prepare(`UPDATE "${this.#name}" SET expires = ? WHERE ${where}`).run(moment, ...place);
    this.#expiring(moment);
  }

  /** Deletes all rows of the parents whose ids begin with `<place>/` at a moment of the world's clock. */
  expireWithin(place: string, moment: number): void {
    // The character after "/" ends the range of such ids.
    this.#prepare(`UPDATE "${this.#name}" SET expires = ? WHERE account = ? AND region = ? AND parent >= ? AND parent < ?`).run(
      moment,
      ...this.#place,
      `${place}/`,
      `${place}0`,
    );
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

/** Every table, without the schema of its rows: the schemas take time to load, and opening a world does not need them. */
export const tables: readonly AnyTable[] = [
  { name: "vpcs", sorted: "range" },
  { name: "subnets", sorted: "range" },
  { name: "routeTables", sorted: undefined },
  { name: "elasticIps", sorted: undefined },
  { name: "natGateways", sorted: undefined },
  { name: "securityGroups", sorted: undefined },
  { name: "attachments", sorted: undefined },
  { name: "instances", sorted: undefined },
  { name: "keyPairs", sorted: undefined },
  { name: "clusters", sorted: undefined },
  { name: "nodePools", sorted: undefined },
  { name: "nodes", sorted: undefined },
  { name: "clusterEndpoints", sorted: undefined },
  { name: "authorities", sorted: undefined },
  { name: "clientCertificates", sorted: undefined },
  { name: "clusterTasks", sorted: undefined },
  { name: "unreachableAddresses", sorted: undefined },
  { name: "permissions", sorted: undefined },
  { name: "clusterRoles", sorted: undefined },
  { name: "edgeModules", sorted: undefined },
  { name: "registries", sorted: undefined },
  { name: "buckets", sorted: undefined },
  { name: "whitelists", sorted: undefined },
  { name: "internalEndpoints", sorted: undefined },
  { name: "internalNames", sorted: undefined },
  { name: "registryTokens", sorted: undefined },
  { name: "namespaces", sorted: undefined },
  { name: "repositories", sorted: undefined },
  { name: "images", sorted: undefined },
  { name: "manifests", sorted: undefined },
  { name: "blobs", sorted: undefined },
  { name: "serviceAccounts", sorted: undefined },
  { name: "replicationRules", sorted: undefined },
  { name: "retentionRules", sorted: undefined },
];
