import type { DatabaseSync, StatementSync } from "node:sqlite";

/** A statement, and what there is to do before it runs. */
export interface Prepared {
  readonly statement: StatementSync;
  readonly isWrite: boolean;
  /** The tables that it may change. */
  readonly changes: readonly string[];
}

/** What follows these words in a statement that writes is a table. */
const changed = /\b(?:INTO|UPDATE|FROM)\s+"?(\w+)/gi;

/** Prepares each statement only once per connection. */
export function statements(database: DatabaseSync): (sql: string) => Prepared {
  const prepared = new Map<string, Prepared>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const isWrite = !/^\s*(SELECT|PRAGMA)\b/i.test(sql);
    const changes = isWrite ? [...sql.matchAll(changed)].map(([, table = ""]) => table) : [];
    const made = { statement: database.prepare(sql), isWrite, changes };
    prepared.set(sql, made);
    return made;
  };
}
