import { X509Certificate } from "node:crypto";
import type { ClusterPlace } from "../../local/cluster/access/kubeconfig.ts";
import { authorities } from "../../local/cluster/tables.ts";
import type { World } from "../../local/store/world.ts";

/**
 * Tells of clusters that clients do not trust: they judge a cluster by the machine's clock, and the authority that it shows is of the
 * world's. Such a client ends the connection before it sends anything, so nobody else can tell of it.
 */
export class ClockWatch {
  readonly #world: World;
  readonly #told: (line: string) => void;
  /** Those that have been told of. */
  readonly #known = new Set<string>();

  constructor(world: World, told: (line: string) => void) {
    this.#world = world;
    this.#told = told;
  }

  /** Tells of a cluster once, if clients do not trust it now. */
  look({ region, account, cluster: { id } }: ClusterPlace): void {
    const row = this.#known.has(id) ? undefined : this.#world.rows(authorities, region, account).get(id);
    if (!row) return;
    const { validFromDate, validToDate } = new X509Certificate(row.certificate);
    if (validFromDate.getTime() <= Date.now() && Date.now() < validToDate.getTime()) return;
    this.#known.add(id);
    this.#told(
      `cluster ${id}: the world's clock was moved, and so its authority is valid from ${validFromDate.toISOString()} to ${validToDate.toISOString()}: ` +
        "by this machine's clock, clients do not trust it now",
    );
  }
}
