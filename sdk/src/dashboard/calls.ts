import { z } from "zod";
import { recordSchema } from "../local/audit/events.ts";
import type { World } from "../local/store/world.ts";
import type { ShownCall } from "./shown.ts";

const stored = z.array(z.object({ seq: z.number(), time: z.number(), region: z.string(), data: z.string() }));
const users = z.array(z.object({ uin: z.string(), name: z.string() }));

/** So many calls are told, whatever they did; and as many of those that wrote something or were refused, which many reads may be between. */
const most = 50;

/** Older calls are not looked through. */
const span = 2000;

/** The last calls of all accounts, newest first. */
export function lastCalls(world: World): ShownCall[] {
  const columns = "SELECT seq, time, region, data FROM";
  const latest = world.prepare(`${columns} audit ORDER BY seq DESC LIMIT ?`).all(most);
  const telling = world
    .prepare(
      `${columns} (SELECT * FROM audit ORDER BY seq DESC LIMIT ?) WHERE data ->> '$.effect' = 'write' OR data ->> '$.code' <> '' ORDER BY seq DESC LIMIT ?`,
    )
    .all(span, most);
  const rows = new Map(stored.parse([...latest, ...telling]).map((row) => [row.seq, row]));
  const names = new Map(users.parse(world.prepare("SELECT uin, name FROM accounts").all()).map(({ uin, name }) => [uin, name]));
  return [...rows.values()]
    .sort((one, other) => other.seq - one.seq)
    .map(({ seq, time, region, data }) => {
      const { uin, product, action, effect, names: about, code } = recordSchema.parse(JSON.parse(data));
      return { number: seq, time, user: names.get(uin) ?? uin, region, product, action, isWrite: effect === "write", names: about, code };
    });
}
