import { contains, overlaps } from "@container-platform/sdk";
import type { Kind } from "../definition/definition.ts";
import type { Invariant } from "../definition/invariants.ts";
import { rangeIn, textIn } from "../definition/unique.ts";
import { nameOf } from "../schema/urn.ts";
import { isChanged } from "./graph.ts";

/**
 * A CIDR block that has to be inside the CIDR block of the parent, or outside it.
 *
 * @param by the input with the CIDR block
 * @param parent the input with the parent's ID
 * @param of the parent's kind, and its input with its CIDR block
 */
export function cidrContainment<const By extends string, const Parent extends string>(
  how: "inside" | "outside",
  by: By,
  parent: Parent,
  of: { readonly kind: Kind; readonly by: string },
): Invariant<Kind, By | Parent> {
  return (graph, node, world) => {
    const inner = rangeIn(node.inputs, by);
    if (!inner || !isChanged(node, by, parent) || node.operation === "import") return undefined;
    return world.ifReadable(`${inner.canonical} is ${how} the CIDR block of ${parent}`, async () => {
      const source = graph.source(node, parent);
      const id = textIn(node.inputs, parent);
      const props = source?.inputs ?? (id === undefined ? undefined : await world.read(of.kind, id, {}));
      const outer = rangeIn(props ?? {}, of.by);
      if (!outer || (how === "inside" ? contains(outer, inner) : !overlaps(outer, inner))) return undefined;
      const place = `${outer.canonical}, the CIDR block of ${source ? `"${nameOf(source.urn)}"` : (id ?? "")}`;
      return {
        path: by,
        message:
          how === "inside"
            ? `${inner.canonical} must be inside ${place}`
            : `${inner.canonical} overlaps ${place}. Use a CIDR block outside it`,
      };
    });
  };
}
