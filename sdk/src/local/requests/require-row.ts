import type { Call } from "../behaviour.ts";
import type { Table } from "../store/table.ts";

/** The row of an id; refuses with `ResourceNotFound` if the call's region has none. `noun` is for the message, such as `VPC`. */
export function requireRow<Row extends { id: string }>(call: Call<"ResourceNotFound">, of: Table<Row>, noun: string, id: string): Row {
  const row = call.rows(of).get(id);
  if (!row) throw call.error("ResourceNotFound", `there is no ${noun} ${id} in ${call.region}`);
  return row;
}
