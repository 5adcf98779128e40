import { z } from "zod";
import { InputError } from "../../operation/errors.ts";
import { policySchema, putFirstAccount } from "../accounts/rows.ts";
import { recordSchema } from "../audit/events.ts";
import * as clusterTables from "../cluster/tables.ts";
import * as computeTables from "../compute/tables.ts";
import { storedFaultSchema } from "../faults/faults.ts";
import * as registryTables from "../registry/tables.ts";
import { type Table, tables } from "../store/table.ts";
import { layout, type World } from "../store/world.ts";
import { type TimeScale, timeScales } from "../time.ts";
import * as vpcTables from "../vpc/tables.ts";

/** Every table of a world, with the schema of its rows. */
export const everyTable = Object.values<object>({ ...clusterTables, ...computeTables, ...registryTables, ...vpcTables }).filter(isTable);

function isTable(value: object): value is Table<{ id: string }> {
  return "row" in value && "sorted" in value;
}

const storedRow = z.strictObject({
  id: z.string(),
  account: z.string(),
  region: z.string(),
  /** The id of what it belongs to; empty if it belongs to nothing. */
  parent: z.string(),
  /** The moment at which it is deleted; null: never. */
  expires: z.int().nullable(),
  row: z.unknown(),
});

const snapshotSchema = z.strictObject({
  version: z.literal(layout),
  /** `time`: the time of the world's clock, in milliseconds since 1970, from which it goes on. `pace`: its time scale. */
  clock: z.strictObject({ time: z.int(), frozen: z.boolean(), pace: z.enum(timeScales), seed: z.string(), drawn: z.int().min(0) }),
  accounts: z.array(z.strictObject({ uin: z.string(), main: z.string(), name: z.string(), policy: policySchema() })),
  accessKeys: z.array(
    z.strictObject({
      id: z.string(),
      uin: z.string(),
      secret: z.string(),
      token: z.string().nullable(),
      expires: z.int().nullable(),
      disabled: z.int(),
    }),
  ),
  faults: z.array(z.strictObject({ id: z.int(), ...storedFaultSchema().shape })),
  /** The rows of each table, oldest first. */
  things: z.record(z.string(), z.array(storedRow)),
  /** Recorded calls, oldest first. Absent if the snapshot was taken without them. */
  audit: z.array(z.strictObject({ time: z.int(), account: z.string(), region: z.string(), record: recordSchema() })).exactOptional(),
});

/** A whole world as JSON. It holds secrets, as the world does: keys of accounts, and of clusters. */
export type Snapshot = z.output<typeof snapshotSchema>;

/** Takes a snapshot of a world. Runs in a transaction. */
export function snapshotOf(world: World, { audit = false }: { readonly audit?: boolean } = {}): Snapshot {
  const { timeScale, seed, drawn, frozen } = world.clock();
  const all = (sql: string, ...json: readonly string[]) =>
    world
      .prepare(sql)
      .all()
      .map((row) => parsed(row, json));
  return snapshotSchema.parse({
    version: layout,
    clock: { time: world.now(), frozen: frozen !== null, pace: timeScale, seed, drawn },
    accounts: all("SELECT uin, main, name, policy FROM accounts ORDER BY uin", "policy"),
    accessKeys: all("SELECT id, uin, secret, token, expires, disabled FROM accessKeys ORDER BY seq"),
    faults: world
      .prepare("SELECT seq, data FROM faults ORDER BY seq")
      .all()
      .map(({ seq, data }) => ({ id: seq, ...storedFaultSchema().parse(JSON.parse(String(data))) })),
    things: Object.fromEntries(
      tables
        .map(
          ({ name }) => [name, all(`SELECT id, account, region, parent, expires, data AS row FROM "${name}" ORDER BY seq`, "row")] as const,
        )
        .filter(([, rows]) => rows.length > 0),
    ),
    ...(audit && { audit: all("SELECT time, account, region, data AS record FROM audit ORDER BY seq", "record") }),
  });
}

/**
 * Replaces all that is in a world by a snapshot. Runs in a transaction.
 *
 * @throws InputError if it is not a snapshot, or one of another version of this library; then nothing is changed.
 */
export function restore(world: World, snapshot: Snapshot): void {
  const { clock, accounts, accessKeys, faults, things, audit = [] } = checkedSnapshot(snapshot);
  clear(world);
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>) => {
    const names = Object.keys(row);
    const sql = `INSERT INTO "${table}" (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
    world.prepare(sql).run(...Object.values(row));
  };
  for (const { policy, ...row } of accounts) insert("accounts", { ...row, policy: JSON.stringify(policy) });
  for (const row of accessKeys) insert("accessKeys", row);
  for (const { id, ...kept } of faults) insert("faults", { seq: id, data: JSON.stringify(kept) });
  for (const [table, rows] of Object.entries(things))
    for (const { row, ...columns } of rows) insert(table, { ...columns, data: JSON.stringify(row) });
  for (const { record, ...row } of audit) insert("audit", { ...row, data: JSON.stringify(record) });
  const { time, frozen, pace, seed, drawn } = clock;
  world.resetClock({ timeScale: pace, seed, drawn });
  if (frozen) world.freeze(time);
  else world.setTime(time);
  world.updateNextExpiry();
}

/** Empties a world, as it was when it was made: with the same seed unless another is given. Runs in a transaction. */
export function reset(
  world: World,
  { seed = world.clock().seed, timeScale = world.timeScale }: { readonly seed?: string; readonly timeScale?: TimeScale } = {},
): void {
  clear(world);
  world.resetClock({ timeScale, seed, drawn: 0 });
  putFirstAccount(world, seed);
}

function clear(world: World): void {
  for (const name of [...tables.map((table) => table.name), "accounts", "accessKeys", "faults", "audit"])
    world.prepare(`DELETE FROM "${name}"`).run();
}

/** @throws InputError if it is not a snapshot, or one of another version of this library. */
export function checkedSnapshot(given: unknown): Snapshot {
  const version = z.object({ version: z.number() }).safeParse(given).data?.version;
  if (version === undefined) throw new InputError("this is not a snapshot of the emulator: the version is missing");
  if (version !== layout) {
    const age = version > layout ? "a newer" : "an older";
    throw new InputError(
      `the snapshot is of ${age} version of this library (layout ${version}, this one reads ${layout}): use that version`,
    );
  }
  const { data, error } = snapshotSchema.safeParse(given);
  if (!data) throw new InputError(`the snapshot cannot be read: ${sentence(error)}`);
  for (const [name, rows] of Object.entries(data.things)) {
    const table = everyTable.find((known) => known.name === name);
    if (!table)
      throw new InputError(
        `the snapshot cannot be read: there is no table ${name}; there are ${tables.map((known) => known.name).join(", ")}`,
      );
    for (const { id, row } of rows) {
      const flaw = table.row.safeParse(row).error;
      if (flaw) throw new InputError(`the snapshot cannot be read: ${id} of ${name}: ${sentence(flaw)}`);
    }
  }
  return data;
}

function sentence({ issues }: z.ZodError): string {
  const [first] = issues;
  return first ? `${first.path.join(".")}: ${first.message}` : "it does not have the form of a snapshot";
}

/** A row of the database, with its columns of JSON parsed. */
function parsed(row: Readonly<Record<string, unknown>>, json: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, json.includes(name) ? JSON.parse(String(value)) : value]));
}
