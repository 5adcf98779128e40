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

const loaded: Readonly<Record<Form, Map<Product, readonly Behaviour[]>>> = { specification: new Map(), public: new Map() };

/** The behaviours of a product that has been called before, in a form. */
export function behavioursLoaded(product: Product, form: Form): readonly Behaviour[] | undefined {
  return loaded[form].get(product);
}

export async function behavioursOf(product: Product, form: Form): Promise<readonly Behaviour[]> {
  const known = loaded[form].get(product) ?? (await (form === "public" ? withPublicForm(product) : behaviours[product]()));
  loaded[form].set(product, known);
  return known;
}

async function withPublicForm(product: Product): Promise<readonly Behaviour[]> {
  const own = await import("./public-form.ts").then(({ publicFormBehaviours }) => publicFormBehaviours);
  return [...(await behaviours[product]()), ...own.filter(({ operation }) => operation.product === product)];
}
