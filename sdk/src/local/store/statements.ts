import type { DatabaseSync, StatementSync } from "node:sqlite";

/** A statement, and what there is to do before it runs. */
export interface Prepared {
  readonly statement: StatementSync;
  readonly isWrite: boolean;
  /** The tables whose rows are remembered that it may change. */
  readonly changes: readonly RememberedTable[];
}

/** Tables that every call reads, and that few change. */
const rememberedTables = ["clock", "accessKeys", "faults"] as const;
export type RememberedTable = (typeof rememberedTables)[number];

/** Prepares each statement only once per connection. */
export function statements(database: DatabaseSync): (sql: string) => Prepared {
  const prepared = new Map<string, Prepared>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const isWrite = !/^\s*(SELECT|PRAGMA)\b/i.test(sql);
    const changes = isWrite ? rememberedTables.filter((table) => new RegExp(`\\b${table}\\b`).test(sql)) : [];
    const made = { statement: database.prepare(sql), isWrite, changes };
    prepared.set(sql, made);
    return made;
  };
}
