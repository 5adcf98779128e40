import ts from "typescript";
import { commented, commentOnSymbol } from "./comments.ts";
import type { Desk } from "./desk.ts";
import type { Sources } from "./sources.ts";
import type { Types } from "./types.ts";
import type { Written } from "./written.ts";

/** The class of a resource that a declaration belongs to: the class itself, or the type of its arguments. */
export function resourceBehind(sources: Sources, symbol: ts.Symbol): ts.Symbol | undefined {
  const [declaration] = symbol.declarations ?? [];
  if (!declaration) return undefined;
  if (ts.isClassDeclaration(declaration)) return isResource(declaration) ? symbol : undefined;
  if (!ts.isTypeAliasDeclaration(declaration) || !symbol.name.endsWith("Args")) return undefined;
  const owner = sources.scopeOf(declaration.getSourceFile()).get(symbol.name.replace(/Args$/, ""));
  const resource = owner && sources.target(owner);
  return resource?.declarations?.some((one) => ts.isClassDeclaration(one) && isResource(one)) ? resource : undefined;
}

/** Whether a class is defined by a call, as in `extends resource("Vpc", { … }).managed({ … })`. */
function isResource({ heritageClauses }: ts.ClassDeclaration): boolean {
  const base = heritageClauses?.[0]?.types[0]?.expression;
  return base !== undefined && ts.isCallExpression(base);
}

/** The class of a resource. Its arguments, and all objects in these, are declared with it. */
export function resourceClass(entryPoint: Desk, types: Types, written: Written, name: string, symbol: ts.Symbol): string {
  const { checker } = entryPoint.sources;
  const [construct] = checker.getTypeOfSymbol(symbol).getConstructSignatures();
  const args = construct?.parameters[1];
  if (!construct || !args) throw new Error(`${name} has no arguments`);
  for (const imported of ["CustomResource", "CustomResourceOptions", "ID", "Input"]) entryPoint.import("@pulumi/pulumi", imported);
  const inputs = checker.getPropertiesOfType(checker.getTypeOfSymbol(args));
  const head = `/** What \`new ${name}\` takes. */\n`;
  entryPoint.declare(`${name}Args`, () => `${head}export interface ${name}Args {\n${types.members(inputs, { name, ending: "" })}}\n`);
  const isOurs = ({ declarations = [] }: ts.Symbol) =>
    declarations.some((one) => entryPoint.sources.isOwn(one.getSourceFile()) && !ts.isMethodDeclaration(one));
  const properties = checker.getPropertiesOfType(construct.getReturnType()).filter(isOurs).sort(asWritten);
  const body = [
    `    /** Reads a resource that exists already, without managing it. It is an error if there is none with this id. */\n`,
    `    static get(name: string, id: Input<ID>, opts?: CustomResourceOptions): ${name};\n`,
    `    constructor(name: string, args: ${name}Args, opts?: CustomResourceOptions);\n`,
    types.members(properties, { name, ending: "Output" }, "readonly "),
    written.methods(symbol),
  ];
  const text = `export declare class ${name} extends CustomResource {\n${body.join("")}}\n`;
  return commented(commentOnSymbol(symbol), text);
}

/** Inputs before outputs, each in the order of the source. */
function asWritten(one: ts.Symbol, other: ts.Symbol): number {
  return (one.declarations?.[0]?.pos ?? 0) - (other.declarations?.[0]?.pos ?? 0);
}
