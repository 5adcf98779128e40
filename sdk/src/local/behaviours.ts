import { getCallerIdentity } from "../catalogue/identity.ts";
import type { Product } from "../operation/operation.ts";
import { type Behaviour, type Form, on } from "./behaviour.ts";

/** The behaviours of each product. A product is loaded at its first call, as most programs use only a few. */
const behaviours: Readonly<Record<Product, () => Promise<readonly Behaviour[]>>> = {
  vpc: () => import("./vpc/behaviours.ts").then(({ networkBehaviours }) => networkBehaviours),
  compute: () => import("./compute/behaviours.ts").then(({ computeBehaviours }) => computeBehaviours),
  disk: () => import("./compute/behaviours.ts").then(({ diskBehaviours }) => diskBehaviours),
  audit: () => import("./audit/lookup.ts").then(({ auditBehaviours }) => auditBehaviours),
  tag: () => import("./tag/tags.ts").then(({ tagBehaviours }) => tagBehaviours),
  identity: () => Promise.resolve([on(getCallerIdentity, ({ account, uin }) => ({ accountId: account, userId: uin }))]),
  cluster: () => import("./cluster/behaviours.ts").then(({ clusterServiceBehaviours }) => clusterServiceBehaviours),
  registry: () => import("./registry/behaviours.ts").then(({ registryBehaviours }) => registryBehaviours),
};

/** The behaviours of a product by action, of which there may be several versions. */
export type Behaviours = ReadonlyMap<string, readonly Behaviour[]>;

const loaded: Readonly<Record<Form, Map<Product, Behaviours>>> = { specification: new Map(), public: new Map() };

export async function behavioursOf(product: Product, form: Form): Promise<Behaviours> {
  const known = loaded[form].get(product);
  if (known) return known;
  const { publicFormBehaviours } = form === "public" ? await import("./public-form.ts") : { publicFormBehaviours: [] };
  const all = [...(await behaviours[product]()), ...publicFormBehaviours.filter(({ operation }) => operation.product === product)];
  const byAction = new Map<string, Behaviour[]>(all.map(({ operation }) => [operation.action, []]));
  for (const behaviour of all) byAction.get(behaviour.operation.action)?.push(behaviour);
  loaded[form].set(product, byAction);
  return byAction;
}
