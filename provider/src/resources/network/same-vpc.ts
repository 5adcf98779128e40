import type { Cloud } from "@container-platform/sdk";
import { natGatewayFinder, routeTableFinder, subnetFinder } from "@container-platform/sdk/finders/vpc";
import type { Kind } from "../../definition/definition.ts";
import type { Head, Invariant, Node, Program, Violation, World } from "../../definition/invariants.ts";
import { recently } from "../../definition/context.ts";
import { isChanged, referenceIn } from "../../program/graph.ts";
import { referenceCalled } from "../../program/messages.ts";
import { displayPath, expandPath, valueAt } from "../../schema/paths.ts";
import { nameOf, typeOf } from "../../schema/urn.ts";
import { holdsUnknown, type Props } from "../../schema/values.ts";

interface Options<Beside extends string> {
  /** The noun for a resource that the input names. Default: `subnet`. */
  readonly noun?: string;
  /** Another input that decides whether a subnet is valid. */
  readonly beside?: Beside;
  /** What is wrong with a subnet of the program, after its name. */
  readonly flaw?: (subnet: Props, own: Props) => string | undefined;
}

/**
 * The subnets in an input, or other parts of a VPC, belong to the VPC of the resource, whether the program creates them or they exist.
 *
 * @param by the input with the IDs. `*` stands for each item of a list
 * @param as the input with the ID of the VPC, or of a cluster in it
 */
export function inSameVpc<const By extends string, const As extends string, const Beside extends string = never>(
  by: By,
  as: As,
  { noun = "subnet", beside, flaw }: Options<Beside> = {},
): Invariant<Kind, Head<By> | Head<As> | Beside> {
  return async (graph, node, world) => {
    const check = async (path: string): Promise<readonly Violation[]> => {
      // In a list of objects, each subnet has its VPC beside it.
      const own = as.replace(/\*/g, () => /\d+/.exec(path)?.[0] ?? "*");
      if (node.operation === "import" || !isChanged(node, path, own, beside ?? own)) return [];
      const [theirs, ours] = await Promise.all([path, own].map((one) => vpcOf(graph, node, world, one)));
      const subnet = graph.source(node, path);
      const name = subnet ? `"${nameOf(subnet.urn)}"` : String(valueAt(node.inputs, path));
      if (theirs !== undefined && ours !== undefined && theirs !== ours) {
        const message = `${name} is in ${referenceCalled(theirs)}. Use a ${noun} of ${referenceCalled(ours)}`;
        return [{ code: "UnmetRequirement", path: displayPath(path), message }];
      }
      const found = subnet && flaw?.(subnet.inputs, node.inputs);
      return found === undefined ? [] : [{ code: "UnmetRequirement", path: displayPath(path), message: `${name} ${found}` }];
    };
    return (await Promise.all(expandPath(node.inputs, by).map(check))).flat();
  };
}

/** The ID of the VPC in an input, or of the VPC of the resource in it. While it is unknown, its URN. */
async function vpcOf(graph: Program<Kind>, node: Node<Kind>, world: World<Kind>, path: string): Promise<string | undefined> {
  const value = valueAt(node.inputs, path);
  const id = typeof value === "string" && value !== "" && !holdsUnknown(value) ? value : undefined;
  if (id?.startsWith("vpc-")) return id;
  const source = graph.source(node, path);
  if (source) return source.kind.type === "Vpc" ? source.urn : referenceIn(source, "vpcId");
  const urn = node.sources[path];
  if (id === undefined) return urn !== undefined && typeOf(urn) === "Vpc" ? urn : undefined;
  const find = vpcOfPart[id.slice(0, id.indexOf("-"))];
  return find && world.ifReadable(`${id} is in the same VPC`, async () => find(world.cloud.tolerating(recently), id));
}

/** Finds the VPC of a resource, which never changes, by the prefix of the resource's ID. */
const vpcOfPart: Readonly<Record<string, (cloud: Cloud, id: string) => Promise<string | undefined>>> = {
  subnet: async (cloud, id) => (await subnetFinder.seen(cloud, id))?.vpcId,
  rtb: async (cloud, id) => (await routeTableFinder.seen(cloud, id))?.vpcId,
  nat: async (cloud, id) => (await natGatewayFinder.seen(cloud, id))?.vpcId,
  cls: async (cloud, id) => {
    const { clusterFinder } = await import("@container-platform/sdk/finders/cluster");
    return (await clusterFinder.seen(cloud, id))?.clusterNetworkSettings.vpcId;
  },
};
