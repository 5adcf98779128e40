import type { DatabaseSync } from "node:sqlite";

type Sqlite = typeof import("node:sqlite");

let loaded: Sqlite | undefined;

/** Opens a database. Node's SQLite is loaded at the first use, without the notice that older Nodes print about its being new. */
export function openDatabase(file: string): DatabaseSync {
  loaded ??= quietly();
  return new loaded.DatabaseSync(file);
}

function quietly(): Sqlite {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
