import type { World } from "@container-platform/sdk/local";
import { z } from "zod";

const callSchema = z.object({
  product: z.string(),
  action: z.string(),
  effect: z.enum(["read", "write"]),
  code: z.string(),
  names: z.array(z.string()),
  requestId: z.string(),
});
/** A call that the platform has answered. */
export type Recorded = z.output<typeof callSchema> & { readonly region: string; readonly time: number };

/** The calls that the platform of a world has answered, in order, without as many first ones as `skipped` says. */
export function callsOf(world: World, skipped = 0): Recorded[] {
  const rows = world.prepare("SELECT time, region, data FROM audit ORDER BY seq LIMIT -1 OFFSET ?").all(skipped);
  return rows.map(({ time, region, data }) => ({
    ...callSchema.parse(JSON.parse(String(data))),
    region: String(region),
    time: Number(time),
  }));
}

/** How many rows each table of a world has. */
export type Contents = Readonly<Record<string, number>>;

/** Without empty tables, accounts and their keys, audit and clock. */
export function contentsOf(world: World): Contents {
  const names = world.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const counted = names.map(({ name }) => [String(name), countOf(world, String(name))] as const);
  return Object.fromEntries(counted.filter(([name, count]) => count > 0 && !["accounts", "accessKeys", "audit", "clock"].includes(name)));
}

export function countOf(world: World, table: string): number {
  return Number(world.prepare(`SELECT count(*) AS count FROM "${table}"`).get()?.["count"]);
}
