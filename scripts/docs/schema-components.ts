import { fieldsOf, unwrapped } from "@container-platform/sdk";
import ts from "typescript";
import { z } from "zod";
import { inputOf } from "../../provider/src/components/arguments.ts";
import { networkSchema } from "../../provider/src/components/network.ts";
import { platformSchema } from "../../provider/src/components/platform-args.ts";
import { secretOutputs } from "../../provider/src/plugin/components/outputs.ts";
import { NodePool } from "../../provider/src/resources/cluster/node-pool.ts";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { schemaOf } from "../../provider/src/schema/parts.ts";
import { type Comments, interfacesIn, type Member } from "./comments.ts";
import { isRequired, propertyOf, ref, type Spec, type Types } from "./schema-types.ts";

const sources = ["components/network.ts", "components/platform-args.ts", "components/children.ts", "plugin/components/outputs.ts"];

type Interfaces = ReadonlyMap<string, readonly Member[]>;

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

/** The type of each object in the arguments, by path. An argument of a component has the name of what it belongs to. */
const objects: Readonly<Record<string, string>> = {
  "Network.subnets": "SubnetRole",
  "Network.childAliases": "NetworkChildAliases",
  "Platform.network": "PlatformNetwork",
  "Platform.network.subnets": "SubnetRole",
  "Platform.network.childAliases": "NetworkChildAliases",
  "Platform.nodePools": "PlatformPool",
  "Platform.nodePools.native": "PlatformPoolNative",
  "Platform.access": "PlatformAccess",
  "Platform.registry": "PlatformRegistry",
  "Platform.permissions": "PlatformGrant",
  "Platform.childAliases": "PlatformChildAliases",
};

/** The interface with the comments on the properties of a type, where that has another name. */
const commented: Readonly<Record<string, string>> = {
  PlatformNetwork: "NetworkArgs",
  NetworkChildAliases: "ChildArgs",
  PlatformChildAliases: "ChildArgs",
};

/**
 * The components of the plugin, by token, as Pulumi's schema has them, from the schemas of their arguments. What has to be known while a
 * program runs, the schema calls plain.
 */
export function componentSpecs(comments: ReadonlyMap<string, Comments>, types: Types): Record<string, Spec> {
  const interfaces: Interfaces = new Map(sources.flatMap(interfacesIn).map(({ name, members }) => [name, members]));
  const writer = new Writer(comments, interfaces, types);
  return Object.fromEntries(
    Object.entries({ Network: networkSchema, Platform: platformSchema }).map(([name, schema]) => {
      const outputs = interfaces.get(`${name}Outputs`) ?? [];
      const told = outputs.map((member) => {
        const secret = secretOutputs.includes(member.name) ? { secret: true } : {};
        return [member.name, { ...outputType(member.type), description: member.comment, ...secret }] as const;
      });
      const { properties, required } = writer.properties(schema, `${name}Args`, name);
      const spec = {
        isComponent: true,
        description: comments.get(name)?.summary,
        inputProperties: name === "Platform" ? { ...properties, sharedNetwork } : properties,
        requiredInputs: required,
        properties: Object.fromEntries(told),
        required: outputs.filter(({ optional }) => !optional).map(({ name: output }) => output),
      };
      return [nativeToken(name), spec];
    }),
  );
}

class Writer {
  /** The comments on the inputs of `NodePool`. */
  readonly #ofPool: ReadonlyMap<string, string>;
  readonly #interfaces: Interfaces;
  readonly #types: Types;

  constructor(comments: ReadonlyMap<string, Comments>, interfaces: Interfaces, types: Types) {
    this.#ofPool = comments.get("NodePool")?.inputs ?? new Map();
    this.#interfaces = interfaces;
    this.#types = types;
  }

  /** The properties of an object, with the comments of an interface. Functions are left out. */
  properties(
    schema: z.core.$ZodType,
    of: string,
    path: string,
  ): { readonly properties: Record<string, Spec>; readonly required: string[] } {
    const fields = Object.entries(fieldsOf(known(schema))).filter(([key]) => key !== "transform");
    const properties = fields.map(([key, field]) => {
      const member = this.#interfaces.get(of)?.find((one) => one.name === key);
      return [key, { ...this.#type(field, `${path}.${key}`), ...(member ? { description: member.comment } : {}) }] as const;
    });
    const more = of === "NetworkArgs" ? { subnetRoles } : {};
    const required = fields.filter(([, field]) => isRequired(field)).map(([key]) => key);
    return { properties: { ...Object.fromEntries(properties), ...more }, required };
  }

  #type(schema: z.core.$ZodType, path: string): Spec {
    const input = inputOf(unwrapped(schema));
    if (input) return this.#input(input, path);
    const type = known(schema);
    if (type instanceof z.ZodUnion) return { oneOf: type.options.map((option) => this.#type(option, path)), plain: true };
    if (type instanceof z.ZodArray) return { type: "array", items: this.#type(type.element, path), plain: true };
    if (type instanceof z.ZodRecord) return { type: "object", additionalProperties: this.#type(type.valueType, path), plain: true };
    if (type instanceof z.ZodObject) return this.#object(type, path);
    if (type instanceof z.ZodEnum) return { type: "string", plain: true };
    return { ...this.#input(type, path), plain: true };
  }

  /** What may come later is as an input of `NodePool`, if it is one. */
  #input(schema: z.core.$ZodType, path: string): Spec {
    const place = { owner: "NodePool", path: path.replace("Platform.nodePools.", ""), comments: this.#ofPool };
    const { description: _ofResource, ...spec } = propertyOf(schema, place, this.#types);
    return spec;
  }

  #object(schema: z.ZodObject, path: string): Spec {
    const name = objects[path];
    if (name === undefined) throw new Error(`${path} has no name`);
    const token = nativeToken(name);
    this.#types[token] ??=
      name === "PlatformPoolNative"
        ? this.#settingsOfPool()
        : { type: "object", ...this.properties(schema, commented[name] ?? name, path) };
    return { ...ref(token), plain: true };
  }

  /** The settings of `NodePool.native`, each of which may be left out: the platform gives the others. */
  #settingsOfPool(): Spec {
    propertyOf(schemaOf(NodePool.kind, "native"), { owner: "NodePool", path: "native", comments: this.#ofPool }, this.#types);
    return { ...this.#types[nativeToken("NodePoolNative")], required: [] };
  }
}

/** The type of what is known: what programs in TypeScript may give besides is left out. */
function known(schema: z.core.$ZodType): z.core.$ZodType {
  const type = unwrapped(schema);
  if (type instanceof z.ZodPipe) return known(type.out);
  if (!(type instanceof z.ZodUnion)) return type;
  const [first, ...others] = type.options.filter((option) => !(option instanceof z.ZodCustom));
  return first && others.length === 0 ? known(first) : type;
}

/** The type of an output: texts, lists and maps, each of which may come later. */
function outputType(node: ts.TypeNode | undefined): Spec {
  if (node && ts.isTypeOperatorNode(node)) return outputType(node.type);
  if (node && ts.isArrayTypeNode(node)) return { type: "array", items: outputType(node.elementType) };
  if (node && ts.isTypeReferenceNode(node)) {
    const inner = outputType(node.typeArguments?.at(-1));
    return node.typeName.getText() === "Record" ? { type: "object", additionalProperties: inner } : inner;
  }
  if (node?.kind === ts.SyntaxKind.StringKeyword) return { type: "string" };
  throw new Error(`${node?.getText() ?? "an output"} has no type in Pulumi's schema`);
}
