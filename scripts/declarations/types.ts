import ts from "typescript";
import { commented, commentOn } from "./comments.ts";
import type { Desk } from "./desk.ts";
import { argumentsOf, itemsOf, nameAt, type Place, within, resultsOf } from "./names.ts";
import { NotPlain } from "./not-plain.ts";

const indent = "    ";

const { StringLike, NumberLike, BigIntLike, BooleanLike, VoidLike, Null, Unknown, Never } = ts.TypeFlags;
const simple = StringLike | NumberLike | BigIntLike | BooleanLike | VoidLike | Null | Unknown | Never;

/** Writes types of the checker down. Objects become interfaces, with names from the properties that they belong to. */
export class Types {
  readonly #entryPoint: Desk;
  readonly #checker: ts.TypeChecker;

  constructor(entryPoint: Desk) {
    this.#entryPoint = entryPoint;
    this.#checker = entryPoint.sources.checker;
  }

  /** A function that is kept in a constant: what it takes and tells has names of its own. */
  functionOf(type: ts.Type, name: string): string {
    const [call, ...others] = type.getCallSignatures();
    return call && others.length === 0 ? this.signature(call, resultsOf(name), " => ", argumentsOf(name)) : this.of(type, resultsOf(name));
  }

  /** A type as text. */
  of(type: ts.Type, place: Place): string {
    const wrapped = this.#wrapped(type);
    if (wrapped) {
      this.#entryPoint.import("@pulumi/pulumi", wrapped.by);
      return `${wrapped.by}<${this.of(wrapped.inside, place)}>`;
    }
    const alias = type.aliasSymbol;
    if (alias && this.#entryPoint.isExported(alias) && !type.aliasTypeArguments?.length) return this.#entryPoint.nameOf(alias);
    if (type.isUnion()) return this.#union(type, place);
    if (type.isStringLiteral()) return JSON.stringify(type.value);
    if (type.flags & ts.TypeFlags.Any) throw new NotPlain(`${place.name} is any`);
    if (type.flags & simple) return this.#checker.typeToString(type);
    if (!(type.flags & ts.TypeFlags.Object) && !type.isIntersection()) throw new NotPlain(`${place.name} is computed`);
    return this.#list(type, place) ?? this.#record(type, place) ?? this.#named(type, place) ?? this.#object(type, place);
  }

  /** The properties of a type as members of an interface or class. */
  members(properties: readonly ts.Symbol[], place: Place, keyword = ""): string {
    return properties
      .map((property) => {
        const optional = property.flags & ts.SymbolFlags.Optional ? "?" : "";
        const key = /^[\w$]+$/.test(property.name) ? property.name : JSON.stringify(property.name);
        const text = this.of(this.#checker.getTypeOfSymbol(property), within(place, property.name));
        return commented(commentOn(this.#checker, property), `${keyword}${key}${optional}: ${text};\n`, indent);
      })
      .join("");
  }

  /** The parameters and the result of a function. `args`: the place of its first parameter's objects. */
  signature(signature: ts.Signature, place: Place, arrow = ": ", args?: Place): string {
    if (signature.typeParameters) throw new NotPlain(`${place.name} has type parameters`);
    const parameters = signature.parameters.map((parameter, at) => {
      const { valueDeclaration: declaration } = parameter;
      const optional = declaration && ts.isParameter(declaration) && (declaration.questionToken ?? declaration.initializer) ? "?" : "";
      return `${parameter.name}${optional}: ${this.of(this.#checker.getTypeOfSymbol(parameter), at === 0 && args ? args : within(place, parameter.name))}`;
    });
    return `(${parameters.join(", ")})${arrow}${this.of(signature.getReturnType(), place)}`;
  }

  /** What is inside of an `Input` or an `Output`. */
  #wrapped(type: ts.Type): { readonly by: "Input" | "Output"; readonly inside: ts.Type } | undefined {
    const parts = type.isUnion() ? type.types : [type];
    const outputs = parts.map((part) => this.#argumentOf(part.isIntersection() ? part.types : [part], "OutputInstance"));
    const [told] = outputs;
    // The compiler makes a union of the Output of a union.
    if (told && outputs.every((output) => output === told)) return { by: "Output", inside: told };
    const given = this.#argumentOf(parts, "Promise");
    return given && this.#argumentOf(parts, "OutputInstance") && { by: "Input", inside: given };
  }

  #argumentOf(types: readonly ts.Type[], name: string): ts.Type | undefined {
    const found = types.find((one) => one.getSymbol()?.name === name);
    return found && this.#checker.getTypeArguments(found as ts.TypeReference)[0];
  }

  #union(type: ts.UnionType, place: Place): string {
    const isUndefined = (one: ts.Type) => (one.flags & ts.TypeFlags.Undefined) !== 0;
    const parts = [...type.types.filter((one) => !isUndefined(one)), ...type.types.filter(isUndefined)].map((one) => this.of(one, place));
    const both = parts.includes("true") && parts.includes("false");
    return (both ? parts.filter((part) => part !== "true").map((part) => (part === "false" ? "boolean" : part)) : parts).join(" | ");
  }

  #list(type: ts.Type, place: Place): string | undefined {
    if (!this.#checker.isArrayType(type)) return undefined;
    const [item] = this.#checker.getTypeArguments(type as ts.TypeReference);
    if (!item) return undefined;
    const text = this.of(item, itemsOf(place));
    const keyword = type.getSymbol()?.name === "ReadonlyArray" ? "readonly " : "";
    return `${keyword}${/ \| | => /.test(text) && !/^\w+<.*>$/.test(text) ? `(${text})` : text}[]`;
  }

  #record(type: ts.Type, place: Place): string | undefined {
    const [info, ...others] = this.#checker.getIndexInfosOfType(type);
    if (!info || others.length > 0 || type.getProperties().length > 0) return undefined;
    const text = `Record<${this.#checker.typeToString(info.keyType)}, ${this.of(info.type, itemsOf(place))}>`;
    return info.isReadonly ? `Readonly<${text}>` : text;
  }

  /** A class or interface, of ours, of a package, or of the language. */
  #named(type: ts.Type, place: Place): string | undefined {
    const symbol = type.getSymbol();
    const file = symbol?.declarations?.[0]?.getSourceFile();
    if (!symbol || !file || !(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return undefined;
    const given = this.#checker.getTypeArguments(type as ts.TypeReference).map((one) => this.of(one, place));
    const all = given.length > 0 ? `<${given.join(", ")}>` : "";
    if (this.#entryPoint.sources.isOwn(file)) return `${this.#entryPoint.nameOf(symbol)}${all}`;
    if (/\/typescript\/lib\/|\/@types\/node\//.test(file.fileName)) return `${symbol.name}${all}`;
    const [, from = file.fileName] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file.fileName) ?? [];
    this.#entryPoint.import(from, symbol.name);
    return `${symbol.name}${all}`;
  }

  #object(type: ts.Type, place: Place): string {
    const [call, ...others] = type.getCallSignatures();
    if (call && others.length === 0) return this.signature(call, place, " => ");
    const name = nameAt(place);
    const properties = this.#checker.getPropertiesOfType(type);
    if (call || properties.length === 0) throw new NotPlain(`${name} is ${this.#checker.typeToString(type)}`);
    this.#entryPoint.declare(name, () => `export interface ${name} {\n${this.members(properties, place)}}\n`);
    return name;
  }
}
