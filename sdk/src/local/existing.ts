import type { Call } from "./behaviour.ts";
import type { Table } from "./store/table.ts";

/** The row of an id; `ResourceNotFound` if there is none in the call's region. `thing`: what it is, for the sentence, such as `VPC`. */
export function existing<Row extends { id: string }>(call: Call<"ResourceNotFound">, of: Table<Row>, thing: string, id: string): Row {
  const row = call.rows(of).get(id);
  if (!row) throw call.error("ResourceNotFound", `there is no ${thing} ${id} in ${call.region}`);
  return row;
}
