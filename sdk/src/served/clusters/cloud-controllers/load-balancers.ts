import { join } from "node:path";
import { z } from "zod";
import { addressAt, addressCount } from "../../../formats/addresses.ts";
import { jsonInFile, replaceJson } from "../../folder.ts";
import { change, ensure, metadata, patches, Watched } from "../control-plane/watched.ts";
import type { Keeping } from "./keeping.ts";

/** Ranges that are reserved for documentation (RFC 5737, RFC 9637). Elastic IPs and VPCs have addresses of others. */
const ranges = { IPv4: "192.0.2.128/25", IPv6: "3fff::/64" } as const;

const family = z.enum(["IPv4", "IPv6"]);
type Family = z.output<typeof family>;

/** The Service or the Ingress of a cluster that has an address. */
const ownerSchema = z.object({ clusterId: z.string(), uid: z.string() });
type Owner = z.output<typeof ownerSchema>;

const kept = z.record(z.string(), ownerSchema);

/** The addresses of the load balancers of all clusters. A file keeps them, because a cluster without a control plane keeps its addresses. */
export class LoadBalancerAddresses {
  readonly #file: string;
  readonly #owners: Map<string, Owner>;

  /** @param folder where the file is */
  constructor(folder: string) {
    this.#file = join(folder, "load-balancers.json");
    // Without a file, or with a damaged one, each load balancer gets another address.
    this.#owners = new Map(Object.entries(jsonInFile(this.#file, kept) ?? {}));
  }

  /** The addresses of an owner, one of each family; those that it has stay. */
  assign(owner: Owner, families: readonly Family[]): readonly string[] {
    const before = this.of(owner);
    const ofFamily = (family: Family) => before.find((address) => address.includes(":") === (family === "IPv6"));
    const assigned = families.map((family) => ofFamily(family) ?? this.#unused(family));
    if (before.length === assigned.length && before.every((address) => assigned.includes(address))) return assigned;
    for (const address of before) this.#owners.delete(address);
    for (const address of assigned) this.#owners.set(address, owner);
    this.#save();
    return assigned;
  }

  /** Frees the addresses of the owners that no longer exist. */
  free(isGone: (owner: Owner) => boolean): void {
    const gone = [...this.#owners].filter(([, owner]) => isGone(owner));
    if (gone.length === 0) return;
    for (const [address] of gone) this.#owners.delete(address);
    this.#save();
  }

  /** The addresses that an owner has. */
  of({ clusterId, uid }: Owner): readonly string[] {
    return [...this.#owners].flatMap(([address, owner]) => (owner.clusterId === clusterId && owner.uid === uid ? [address] : []));
  }

  #unused(family: Family): string {
    const range = ranges[family];
    const last = Math.min(Number(addressCount(range)) - 2, 65_534);
    for (let number = 1; number <= last; number++) {
      const address = addressAt(range, number);
      if (!this.#owners.has(address)) return address;
    }
    throw new Error(`there is no address left for another load balancer in ${range}: all ${last} are taken`);
  }

  #save(): void {
    replaceJson(this.#file, Object.fromEntries(this.#owners));
  }
}

const balanced = z.object({
  metadata,
  spec: z.object({
    type: z.string().default(""),
    loadBalancerClass: z.string().optional(),
    ipFamilies: z.array(family).default([]),
    ingressClassName: z.string().optional(),
  }),
  status: z
    .object({
      loadBalancer: z.object({ ingress: z.array(z.object({ ip: z.string().default("") })).default([]) }).prefault({}),
    })
    .prefault({}),
});
type Balanced = z.output<typeof balanced>;

/** The class of Ingresses that get an address, which is the default of a cluster. */
const ingressClass = "load-balancer";

/** The objects that get addresses, and the families of these. */
const kinds = [
  {
    path: "/api/v1/services",
    pathOf: ({ namespace, name }: Balanced["metadata"]) => `/api/v1/namespaces/${namespace}/services/${name}`,
    familiesOf: ({ spec }: Balanced): readonly Family[] =>
      spec.type === "LoadBalancer" && spec.loadBalancerClass === undefined ? spec.ipFamilies : [],
  },
  {
    path: "/apis/networking.k8s.io/v1/ingresses",
    pathOf: ({ namespace, name }: Balanced["metadata"]) => `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses/${name}`,
    familiesOf: ({ spec }: Balanced, ofCluster: readonly Family[]): readonly Family[] =>
      spec.ingressClassName === ingressClass ? ofCluster : [],
  },
] as const;

/** Gives an address of each of its families to each Service of type LoadBalancer, and to each Ingress of the class. */
export async function keepLoadBalancers(keeping: Keeping, addresses: LoadBalancerAddresses, ofCluster: readonly Family[]): Promise<void> {
  const { api, clusterId } = keeping.controlPlane;
  await ensure(api, "/apis/networking.k8s.io/v1/ingressclasses", {
    apiVersion: "networking.k8s.io/v1",
    kind: "IngressClass",
    metadata: { name: ingressClass, annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
    spec: { controller: "container-platform/load-balancer" },
  });
  const watched = kinds.map((kind) => ({ ...kind, objects: new Watched(api, kind.path, balanced) }));
  const freeUnused = () => {
    const used = watched.flatMap(({ objects, familiesOf }) => objects.all.filter((object) => familiesOf(object, ofCluster).length > 0));
    const uids = new Set(used.map(({ metadata }) => metadata.uid));
    addresses.free((owner) => owner.clusterId === clusterId && !uids.has(owner.uid));
  };
  for (const { objects, pathOf, familiesOf } of watched)
    keeping.keep(objects, async (object) => {
      const owner = { clusterId, uid: object.metadata.uid };
      const families = familiesOf(object, ofCluster);
      // It needs no load balancer, or another controller's.
      if (families.length === 0 && addresses.of(owner).length === 0) return;
      const before = object.status.loadBalancer.ingress.map(({ ip }) => ip);
      const assigned = addresses.assign(owner, families);
      if (before.join() === assigned.join()) return;
      const ingress = assigned.map((ip) => ({ ip }));
      await change(api, "PATCH", `${pathOf(object.metadata)}/status`, {
        body: { status: { loadBalancer: { ingress } } },
        type: patches.merge,
      });
    });
  await Promise.all(watched.map(({ objects }) => objects.begin(keeping.signal)));
  // Before, the objects that use addresses are not all known.
  for (const { objects } of watched) objects.gone = freeUnused;
  freeUnused();
}
