import type { Snapshot } from "@container-platform/sdk/local";

type Row = Snapshot["things"][string][number];

/** The ids of the rows of a table, in the form that states have: the row's own unless said otherwise. */
export function idsOfTable(table: string, idInState = ({ id }: Row): string => id): (world: Snapshot) => readonly string[] {
  return ({ things }) => (things[table] ?? []).map(idInState);
}
