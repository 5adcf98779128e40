import { namespacesOf, registryFinder } from "@container-platform/sdk/finders/registry";
import { firstLook } from "../../definition/context.ts";
import type { Kind } from "../../definition/definition.ts";
import type { Head, Invariant, Node, Program, Violation, World } from "../../definition/invariants.ts";
import { isChanged, referenceIn } from "../../program/graph.ts";
import { referenceCalled } from "../../program/messages.ts";
import { differs } from "../../schema/compare.ts";
import { displayPath, expandPath, valueAt } from "../../schema/paths.ts";
import { schemaOf } from "../../schema/parts.ts";
import { holdsUnknown, type Props } from "../../schema/values.ts";

/** A resource that has to exist before another is created, and that the other does not name by its ID, such as a namespace by its name. */
export interface Prerequisite<By extends string = string, In extends string = string> {
  /** The input that names it, such as `permissions.*.resource`. */
  readonly by: By;
  /** The input with the registry's ID. */
  readonly in: In;
  readonly type: string;
  /** Its input with the registry's ID. Left out if the registry itself is the prerequisite. */
  readonly within?: string;
  /** Whether a resource of the program fulfils it. */
  readonly isMetBy: (other: Props, value: unknown, region: string) => boolean;
  /** Whether an existing resource fulfils it. */
  readonly exists: (world: World<Kind>, registryId: string, value: unknown, inputs: Props) => Promise<boolean>;
  readonly message: (registry: string, value: unknown) => string;
}

/** The prerequisite exists, or the program creates it first: Pulumi creates resources without a dependency at the same time. */
export function requires<const By extends string, const In extends string>(needed: Prerequisite<By, In>): Invariant<Kind, Head<By> | In> {
  return async (graph, node, world) => {
    const [by = needed.by] = needed.by.split(".");
    const isSame = !isChanged(node, needed.in) && !differs(schemaOf(node.kind, by), node.inputs[by], node.lastInputs[by]);
    if (node.operation === "import" || isSame) return undefined;
    const found = await Promise.all(expandPath(node.inputs, needed.by).map((path) => unmetAt(path, needed, graph, node, world)));
    return [...new Map(found.flat().map((one) => [`${one.path} ${one.message}`, one])).values()];
  };
}

async function unmetAt(
  path: string,
  needed: Prerequisite,
  graph: Program<Kind>,
  node: Node<Kind>,
  world: World<Kind>,
): Promise<readonly Violation[]> {
  const { region } = world.cloud;
  const { within, type, isMetBy } = needed;
  const value = valueAt(node.inputs, path);
  const registry = referenceIn(node, needed.in);
  const isNew = registry?.startsWith("urn:") === true;
  // A resource of another provider is in another process.
  const isElsewhere = node.sources[path] !== undefined && !graph.get(node.sources[path]);
  if (registry === undefined || holdsUnknown(value) || isElsewhere || (isNew && !graph.get(registry))) return [];
  const message = needed.message(referenceCalled(registry), value);
  const unmet: readonly Violation[] = [{ code: "UnmetRequirement", path: displayPath(path), message }];
  if (within === undefined) {
    const other = graph.get(registry) ?? graph.withId({ type }, registry);
    if (other && !isMetBy(other.inputs, value, region)) return unmet;
    if (other && graph.dependsOn(node, other.urn)) return [];
  } else if (graph.ofType(type).some((other) => isCreatedBefore(other, within))) return [];
  if (isNew) return unmet;
  const exists = await world.ifReadable(
    `registry ${registry} accepts this value`,
    () => needed.exists(world, registry, value, node.inputs),
    displayPath(path),
  );
  return exists === false ? unmet : [];

  function isCreatedBefore(other: Node<Kind>, parentInput: string): boolean {
    const parent = referenceIn(other, parentInput);
    const isInRegistry = parent === undefined || parent === registry;
    return other.urn !== node.urn && isInRegistry && isMetBy(other.inputs, value, region) && graph.dependsOn(node, other.urn);
  }
}

const namespaceRemedy =
  "Use an existing one. If this program creates it, pass the output namespaceName of that Namespace, so that Pulumi creates it first";

/** The namespace in an input exists. A permission may end its name with `/`. */
export function namespaceIn<const By extends string, const In extends string>(by: By, registryInput: In): Prerequisite<By, In> {
  return {
    by,
    in: registryInput,
    type: "Namespace",
    within: "registryId",
    isMetBy: ({ namespaceName }, value) => typeof namespaceName !== "string" || namespaceName === nameIn(value),
    exists: async ({ cloud }, registryId, value) =>
      (await namespacesOf(cloud.tolerating(firstLook), registryId)).some(({ name }) => name === nameIn(value)),
    message: (registry, value) => `namespace ${nameIn(value)} not found in registry ${registry}. ${namespaceRemedy}`,
  };
}

const existing = namespaceIn("destNamespace", "destinationRegistryId");

/** The same for the target of a replication. Namespaces of a registry in another region are not read. */
export const destinationNamespace: Prerequisite<"destNamespace", "destinationRegistryId"> = {
  ...existing,
  exists: async (world, registryId, value, { destinationRegion = world.cloud.region }) =>
    destinationRegion !== world.cloud.region || existing.exists(world, registryId, value, {}),
};

function nameIn(value: unknown): string {
  return String(value).replace(/\/$/, "");
}

const premiumRemedy =
  'Set its registryType to "premium". If this program does, pass the output registryId of that RegistryInstance, so that Pulumi updates it first';

/** The source of a replication to another region is a premium registry. */
export const premiumSource: Prerequisite<"destinationRegion", "sourceRegistryId"> = {
  by: "destinationRegion",
  in: "sourceRegistryId",
  type: "RegistryInstance",
  isMetBy: ({ registryType }, value, region) => isInRegion(value, region) || registryType === "premium" || holdsUnknown(registryType),
  exists: async ({ cloud }, registryId, value) =>
    isInRegion(value, cloud.region) || (await registryFinder.find(cloud.tolerating(firstLook), registryId))?.registryType === "premium",
  message: (registry, value) =>
    `copies to ${String(value)} need a premium source, and registry ${registry} is not premium. ${premiumRemedy}`,
};

/** Whether a replication stays in the region. */
function isInRegion(value: unknown, region: string): boolean {
  return value === undefined || value === "" || value === region;
}
