import { randomBytes } from "node:crypto";
import type { SecureContext } from "node:tls";
import { type ClusterPlace } from "../../local/cluster/access/kubeconfig.ts";
import { certify } from "../../local/cluster/access/certificates.ts";
import { domainOf } from "../../local/cluster/control-plane/clusters.ts";
import { authorities } from "../../local/cluster/tables.ts";
import type { World } from "../../local/store/world.ts";
import { loopback } from "../../loopback/remembered-ports.ts";

const day = 24 * 60 * 60 * 1000;
/** A certificate is made anew after this time: clients find it valid for a year. */
const renewAfter = 180 * day;

interface Made {
  readonly authority: string;
  readonly at: number;
  readonly context: Promise<SecureContext>;
}

/** What clusters show to their clients: certificates of the clusters' own authorities, valid by the machine's clock, as clients judge by that. */
export class ServerCertificates {
  readonly #world: World;
  readonly #made = new Map<string, Made>();

  constructor(world: World) {
    this.#world = world;
  }

  of({ region, account, cluster: { id } }: ClusterPlace): Promise<SecureContext> {
    const authority = this.#world.rows(authorities, region, account).get(id);
    if (!authority) return Promise.reject(new Error(`cluster ${id} is gone`));
    const before = this.#made.get(id);
    const now = Date.now();
    if (before?.authority === authority.certificate && Math.abs(now - before.at) < renewAfter) return before.context;
    const context = contextOf(id, authority, now);
    this.#made.set(id, { authority: authority.certificate, at: now, context });
    return context;
  }

  forget(clusterIds: ReadonlySet<string>): void {
    for (const id of this.#made.keys()) if (!clusterIds.has(id)) this.#made.delete(id);
  }
}

async function contextOf(id: string, authority: { certificate: string; privateKey: string }, now: number): Promise<SecureContext> {
  const { createSecureContext } = process.getBuiltinModule("node:tls");
  const names = [domainOf(id), "localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const plan = { subject: domainOf(id), kind: "server", from: now - day, names, addresses: [loopback] } as const;
  const { certificate, privateKey } = await certify(authority, plan, randomBytes(32));
  return createSecureContext({ cert: certificate, key: privateKey, ca: authority.certificate, minVersion: "TLSv1.2" });
}
