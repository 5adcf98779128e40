import ts from "typescript";
import { networkChildren } from "../../provider/src/components/network.ts";
import { secretOutputs } from "../../provider/src/plugin/components/outputs.ts";
import { NodePool } from "../../provider/src/resources/cluster/node-pool.ts";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { schemaOf } from "../../provider/src/schema/parts.ts";
import { type Comments, interfacesIn, type Member, sourceOf } from "./comments.ts";
import { propertyOf, ref, type Spec, type Types } from "./schema-types.ts";

const sources = ["components/network.ts", "components/platform-args.ts", "components/children.ts", "plugin/components/outputs.ts"];

/** Platforms may share a network: what TypeScript has as one of two types is another argument elsewhere. */
const sharedNetwork: Spec = {
  $ref: `#/resources/${nativeToken("Network")}`,
  plain: true,
  description: "A network of the program, which platforms may share, instead of one of its own. Default: none.",
};

/** Maps have no order in Pulumi's schema. */
const subnetRoles: Spec = {
  type: "array",
  items: { type: "string", plain: true },
  plain: true,
  description:
    "The roles of `subnets`, in the order in which they get their places in the range. A role that is added later goes to the end. Required with several roles.",
};

/** The properties of an object, as Pulumi's schema has them. */
interface Properties {
  readonly properties: Record<string, Spec>;
  readonly required: readonly string[];
}

/**
 * The components of the plugin, by token, as Pulumi's schema has them, from the interfaces of their arguments and outputs. Whatever has to be
 * known while a program runs, the schema calls plain: it is no `Input`.
 */
export function componentSpecs(comments: ReadonlyMap<string, Comments>, types: Types): Record<string, Spec> {
  const writer = new Writer(comments, types);
  return Object.fromEntries(
    ["Network", "Platform"].map((name) => {
      const { properties: inputs, required: requiredInputs } = writer.properties(`${name}Args`);
      const { properties, required } = writer.properties(`${name}Outputs`, {});
      const secrets = secretOutputs
        .filter((output) => output in properties)
        .map((output) => [output, { ...properties[output], secret: true }] as const);
      const spec = {
        isComponent: true,
        description: comments.get(name)?.summary,
        inputProperties: name === "Platform" ? { ...inputs, sharedNetwork } : inputs,
        requiredInputs,
        properties: { ...properties, ...Object.fromEntries(secrets) },
        required,
      };
      return [nativeToken(name), spec];
    }),
  );
}

const plain: Spec = { plain: true };

class Writer {
  /** The comments on the inputs of `NodePool`. */
  readonly #ofPool: ReadonlyMap<string, string>;
  readonly #interfaces = new Map(
    sources
      .map(sourceOf)
      .flatMap(interfacesIn)
      .map(({ name, members }) => [name, members] as const),
  );
  readonly #types: Types;

  constructor(comments: ReadonlyMap<string, Comments>, types: Types) {
    this.#ofPool = comments.get("NodePool")?.inputs ?? new Map();
    this.#types = types;
  }

  /** The properties of an interface. Functions are left out. @param known the mark of a value that has to be known */
  properties(name: string, known = plain): Properties {
    const members = (this.#interfaces.get(name) ?? []).filter((member) => member.name !== "transform");
    const properties = members.map((member) => [member.name, { ...this.#type(member.type, known), description: member.comment }] as const);
    const more = name === "NetworkArgs" ? { subnetRoles } : {};
    const required = members.filter(({ optional }) => !optional).map((member) => member.name);
    return { properties: { ...Object.fromEntries(properties), ...more }, required };
  }

  #type(node: ts.TypeNode | undefined, known: Spec): Spec {
    if (node && ts.isUnionTypeNode(node)) return this.#union(node, known);
    if (node && ts.isTypeOperatorNode(node)) return this.#type(node.type, known);
    if (node && ts.isArrayTypeNode(node)) return { type: "array", items: this.#type(node.elementType, known), ...known };
    if (node && ts.isIndexedAccessTypeNode(node)) return this.#inputOfPool(node);
    if (node && ts.isTypeReferenceNode(node)) return this.#reference(node, known);
    if (node?.kind === ts.SyntaxKind.StringKeyword) return { type: "string", ...known };
    if (node?.kind === ts.SyntaxKind.BooleanKeyword) return { type: "boolean", ...known };
    // Components count: zones, nodes, gigabytes.
    if (node?.kind === ts.SyntaxKind.NumberKeyword) return { type: "integer", ...known };
    throw new Error(`${node?.getText() ?? "a property"} has no type in Pulumi's schema`);
  }

  /** A network of the program is an argument of its own elsewhere. */
  #union({ types }: ts.UnionTypeNode, known: Spec): Spec {
    if (types.some(ts.isLiteralTypeNode)) return { type: "string", ...known };
    const [first, ...others] = types.filter((one) => one.kind !== ts.SyntaxKind.UndefinedKeyword && !one.getText().startsWith("Network<"));
    if (others.length === 0) return this.#type(first, known);
    return { oneOf: [first, ...others].map((one) => this.#type(one, known)), ...known };
  }

  #reference({ typeName, typeArguments: args = ts.factory.createNodeArray() }: ts.TypeReferenceNode, known: Spec): Spec {
    const name = typeName.getText();
    const last = args.at(-1);
    if (name === "Readonly") return this.#type(last, known);
    if (name === "Record") return { type: "object", additionalProperties: this.#type(last, known), ...known };
    if (name === "Partial") return this.#object("PlatformPoolNative", () => this.#settingsOfPool());
    if (name === "ChildAliases") return this.#object(`${last?.getText() ?? ""}Aliases`, (own) => this.#aliases(own));
    // An argument of a component has the name of what it belongs to.
    if (this.#interfaces.has(name)) return this.#object(name === "NetworkArgs" ? "PlatformNetwork" : name, () => this.properties(name));
    const { plain: _known, ...later } = this.#type(last, known);
    return later;
  }

  #object(name: string, make: (name: string) => Spec | Properties): Spec {
    this.#types[nativeToken(name)] ??= { type: "object", ...make(name) };
    return { ...ref(nativeToken(name)), ...plain };
  }

  /** The names of resources, by child. */
  #aliases(name: string): Properties {
    const children: readonly Member[] = this.#interfaces.get("ChildArgs") ?? [];
    const some: readonly string[] = name === "NetworkChildAliases" ? networkChildren : children.map((child) => child.name);
    const text = { type: "string", ...plain };
    const names = { oneOf: [text, { type: "object", additionalProperties: text, ...plain }], ...plain };
    const described = children
      .filter((child) => some.includes(child.name))
      .map((child) => [child.name, { ...names, description: child.comment }] as const);
    return { properties: Object.fromEntries(described), required: [] };
  }

  /** An input of `NodePool`, such as `ChildArgs["nodePool"]["labels"]`. */
  #inputOfPool(node: ts.IndexedAccessTypeNode): Spec {
    const path = node.indexType.getText().replaceAll('"', "");
    const place = { owner: "NodePool", path, comments: this.#ofPool };
    const { description: _ofResource, ...spec } = propertyOf(schemaOf(NodePool.kind, path), place, this.#types);
    return spec;
  }

  /** The settings of `NodePool.native`, each of which may be left out: the platform gives the others. */
  #settingsOfPool(): Spec {
    propertyOf(schemaOf(NodePool.kind, "native"), { owner: "NodePool", path: "native", comments: this.#ofPool }, this.#types);
    return { ...this.#types[nativeToken("NodePoolNative")], required: [] };
  }
}
