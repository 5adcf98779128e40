import { readFileSync } from "node:fs";
import { unwrapped } from "@container-platform/sdk";
import ts from "typescript";
import { z } from "zod";
import { secretOutputs } from "../../provider/src/native/components/outputs.ts";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { type Comments, commentOn } from "./comments.ts";
import { kinds } from "./kinds.ts";
import { propertyOf, ref, type Spec, type Types } from "./schema-types.ts";

const sources = ["components/network.ts", "components/platform-args.ts", "components/children.ts", "native/components/outputs.ts"];

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

/**
 * The components of the plugin, by token, as Pulumi's schema has them, from the types of their arguments. What is not an `Input` there has to
 * be known while a program runs, which the schema calls plain.
 */
export function componentSpecs(comments: ReadonlyMap<string, Comments>, types: Types): Record<string, Spec> {
  const reader = new Reader(comments, types);
  return Object.fromEntries(["Network", "Platform"].map((name) => [nativeToken(name), reader.component(name)]));
}

class Reader {
  readonly #declared: ReadonlyMap<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>;
  readonly #comments: ReadonlyMap<string, Comments>;
  readonly #types: Types;

  constructor(comments: ReadonlyMap<string, Comments>, types: Types) {
    const statements = sources.flatMap((file) => {
      const text = readFileSync(new URL(`../../provider/src/${file}`, import.meta.url), "utf8");
      return [...ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).statements];
    });
    const declared = statements.filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each));
    this.#declared = new Map(declared.map((each) => [each.name.text, each]));
    this.#comments = comments;
    this.#types = types;
  }

  component(name: string): Spec {
    const [inputs, outputs] = [this.#members(`${name}Args`), this.#members(`${name}Outputs`)];
    const more = name === "Platform" ? { sharedNetwork } : { subnetRoles };
    const told = outputs.map((member): [string, Spec] => {
      const property = eventual(this.#property(member));
      return [nameOf(member), secretOutputs.includes(nameOf(member)) ? { ...property, secret: true } : property];
    });
    return {
      isComponent: true,
      description: this.#comments.get(name)?.summary,
      inputProperties: { ...this.#properties(inputs), ...more },
      requiredInputs: required(inputs),
      properties: Object.fromEntries(told),
      required: required(outputs),
    };
  }

  /** The members of an interface that other languages have, too: functions are left out. */
  #members(name: string): ts.PropertySignature[] {
    const declared = this.#declared.get(name);
    if (!declared || !ts.isInterfaceDeclaration(declared)) throw new Error(`the sources of the components have no interface ${name}`);
    return declared.members.filter(ts.isPropertySignature).filter(({ type }) => !type?.getText().startsWith("Transforms<"));
  }

  #properties(members: readonly ts.PropertySignature[]): Record<string, Spec> {
    return Object.fromEntries(members.map((member) => [nameOf(member), this.#property(member)]));
  }

  #property(member: ts.PropertySignature): Spec {
    const description = commentOn(member);
    if (!member.type || description === "") throw new Error(`${member.getText()} has no type or no comment`);
    return { ...this.#type(member.type), description };
  }

  #type(node: ts.TypeNode): Spec {
    if (ts.isTypeOperatorNode(node)) return this.#type(node.type);
    if (ts.isArrayTypeNode(node)) return { type: "array", items: this.#type(node.elementType), plain: true };
    if (ts.isUnionTypeNode(node)) return this.#union(node);
    if (ts.isTypeReferenceNode(node)) return this.#reference(node);
    if (ts.isIndexedAccessTypeNode(node)) return this.#ofPool(node);
    switch (node.kind) {
      case ts.SyntaxKind.StringKeyword:
        return { type: "string", plain: true };
      case ts.SyntaxKind.BooleanKeyword:
        return { type: "boolean", plain: true };
      // All numbers of components are whole.
      case ts.SyntaxKind.NumberKeyword:
        return { type: "integer", plain: true };
      default:
        throw new Error(`${node.getText()} has no type in Pulumi's schema`);
    }
  }

  #union({ types }: ts.UnionTypeNode): Spec {
    const given = types.filter((one) => one.kind !== ts.SyntaxKind.UndefinedKeyword && !one.getText().startsWith("Network<"));
    if (given.every(ts.isLiteralTypeNode)) return { type: "string", plain: true };
    const [first, ...others] = given.map((one) => this.#type(one));
    if (!first) throw new Error("a type of nothing");
    return others.length === 0 ? first : { oneOf: [first, ...others], plain: true };
  }

  #reference(node: ts.TypeReferenceNode): Spec {
    const name = node.typeName.getText();
    const [inner, value] = node.typeArguments ?? [];
    switch (name) {
      case "Input":
      case "Output":
        if (inner) return eventual(this.#type(inner));
        break;
      case "Readonly":
        if (inner) return this.#type(inner);
        break;
      case "Record":
        if (value) return { type: "object", additionalProperties: this.#type(value), plain: true };
        break;
      case "ChildAliases":
        if (inner) return this.#childAliases(inner.getText());
        break;
      case "Partial":
        return this.#settingsOfPool();
    }
    // An argument of a component has the name of what it belongs to: `NetworkArgs` are the arguments of the resource.
    return this.#object(name, name === "NetworkArgs" ? "PlatformNetwork" : name);
  }

  #object(name: string, called: string): Spec {
    const token = nativeToken(called);
    const members = this.#members(name);
    const more = name === "NetworkArgs" ? { subnetRoles } : {};
    this.#types[token] ??= { type: "object", properties: { ...this.#properties(members), ...more }, required: required(members) };
    return { ...ref(token), plain: true };
  }

  /** The children whose old names a component takes: one name, or several by the child's. */
  #childAliases(children: string): Spec {
    const token = nativeToken(children.replace("Child", "ChildAliases"));
    const declared = this.#declared.get(children)?.getText() ?? "";
    const all = this.#members("ChildArgs").filter((member) => children === "PlatformChild" || declared.includes(`"${nameOf(member)}"`));
    const names = { type: "object", additionalProperties: { type: "string", plain: true }, plain: true };
    const either = { oneOf: [{ type: "string", plain: true }, names], plain: true };
    const properties = all.map((member) => [nameOf(member), { ...either, description: commentOn(member) }]);
    this.#types[token] ??= { type: "object", properties: Object.fromEntries(properties) };
    return { ...ref(token), plain: true };
  }

  /** `ChildArgs["nodePool"]["labels"]` takes what the input of the resource takes. */
  #ofPool(node: ts.IndexedAccessTypeNode): Spec {
    const [, key = ""] = /^ChildArgs\["nodePool"\]\["(\w+)"\]$/.exec(node.getText()) ?? [];
    const { description: _ofResource, ...spec } = propertyOf(
      inputOfPool(key),
      { owner: "NodePool", path: key, comments: new Map() },
      this.#types,
    );
    return spec;
  }

  /** The settings of `NodePool.native`, each of which may be left out: the platform gives the others. */
  #settingsOfPool(): Spec {
    const token = nativeToken("PlatformPoolNative");
    const comments = this.#comments.get("NodePool")?.inputs ?? new Map<string, string>();
    propertyOf(inputOfPool("native"), { owner: "NodePool", path: "native", comments }, this.#types);
    this.#types[token] ??= { ...this.#types[nativeToken("NodePoolNative")], required: [] };
    return { ...ref(token), plain: true };
  }
}

function inputOfPool(key: string): z.core.$ZodType {
  const pool = kinds.find(({ type }) => type === "NodePool");
  const found: unknown = pool?.inputs.shape[key];
  if (!(found instanceof z.core.$ZodType)) throw new Error(`NodePool has no input ${key}`);
  return unwrapped(found);
}

/** What may be known later, with all that is in it. */
function eventual({ plain: _plain, ...spec }: Spec): Spec {
  const inside = ["items", "additionalProperties"].flatMap((key) => (isSpec(spec[key]) ? [[key, eventual(spec[key])] as const] : []));
  return { ...spec, ...Object.fromEntries(inside) };
}

function isSpec(value: unknown): value is Spec {
  return typeof value === "object" && value !== null;
}

function required(members: readonly ts.PropertySignature[]): string[] {
  return members.filter(({ questionToken }) => !questionToken).map(nameOf);
}

function nameOf(member: ts.PropertySignature): string {
  return member.name.getText();
}
