import { X509Certificate } from "node:crypto";
import type { ClusterPlace } from "../../local/cluster/access/clients.ts";
import { authorities } from "../../local/cluster/tables.ts";
import type { World } from "../../local/store/world.ts";

/** Clients judge the cluster by the machine's clock, and the authority that it shows is of the world's. */
export function tellOfClock({ region, account, cluster: { id } }: ClusterPlace, world: World, told: (line: string) => void): void {
  const row = world.rows(authorities, region, account).get(id);
  if (!row) return;
  const { validFromDate, validToDate } = new X509Certificate(row.certificate);
  if (validFromDate.getTime() <= Date.now() && Date.now() < validToDate.getTime()) return;
  told(
    `cluster ${id}: the world's clock was moved, and so its authority is valid from ${validFromDate.toISOString()} to ${validToDate.toISOString()}: ` +
      "by this machine's clock, clients do not trust it now",
  );
}
