import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const provider = new URL("../../provider/src/", import.meta.url);

/** The comments in the source of a class. */
export type Comments = ReturnType<typeof commentsOn>;

let known: ReadonlyMap<string, Comments> | undefined;

/** The comments of all classes of the provider, by class name. */
export function commentsOfResources(): ReadonlyMap<string, Comments> {
  return (known ??= readComments());
}

function readComments(): ReadonlyMap<string, Comments> {
  const program = ts.createProgram([fileURLToPath(new URL("index.ts", provider))], {
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const sources = program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
  const classes = sources.flatMap((source) => source.statements.filter(ts.isClassDeclaration));
  return new Map(classes.flatMap((one) => (one.name ? [[one.name.text, commentsOn(one, one.name.text, checker)]] : [])));
}

function commentsOn(declaration: ts.ClassDeclaration, name: string, checker: ts.TypeChecker) {
  const definition = declaration.heritageClauses?.[0]?.types[0]?.expression;
  const unique = (definition ? objectLiterals(definition) : [])
    .flatMap(({ properties }) => [...properties])
    .find((property) => property.name?.getText() === "unique");
  const interfaces = declaration.getSourceFile().statements.filter(ts.isInterfaceDeclaration);
  const declared = (ending: string) =>
    new Map(interfaces.filter((one) => one.name.text === name + ending).flatMap((one) => commentsIn(one, "", checker)));
  return {
    summary: commentOn(declaration),
    example: exampleOf(declaration),
    /** The comment on each input, nested ones included, by path: `native.scaling.minReplicas`. */
    inputs: declared("Args"),
    outputs: declared("State"),
    /** The methods' signatures and comments. */
    methods: declaration.members.filter(ts.isMethodDeclaration).map((method) => ({ call: callOf(method), says: commentOn(method) })),
    /** The comment on `unique`: what two of the kind cannot have at the same time. */
    unique: unique && lineComment(unique),
  };
}

/** The comments on the properties of an interface, and of those that their types name, by path. */
function commentsIn(declaration: ts.InterfaceDeclaration, prefix: string, checker: ts.TypeChecker): [path: string, comment: string][] {
  return declaration.members.filter(ts.isPropertySignature).flatMap((property): [string, string][] => {
    const path = `${prefix}${property.name.getText()}`;
    const inside = property.type && interfaceIn(property.type, checker);
    return [[path, commentOn(property)], ...(inside ? commentsIn(inside, `${path}.`, checker) : [])];
  });
}

/** The interface that a type names, as in `Input<readonly Input<NodePoolTaint>[] | undefined>`. */
function interfaceIn(node: ts.Node, checker: ts.TypeChecker): ts.InterfaceDeclaration | undefined {
  const symbol = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined;
  const found = symbol?.declarations?.find((one) => ts.isInterfaceDeclaration(one) && !one.getSourceFile().isDeclarationFile);
  if (found && ts.isInterfaceDeclaration(found)) return found;
  return ts.forEachChild(node, (child) => interfaceIn(child, checker));
}

/** The object arguments of a chain of calls: `resource("Vpc", { … }).managed({ … })`. */
function objectLiterals(expression: ts.Expression): ts.ObjectLiteralExpression[] {
  if (ts.isPropertyAccessExpression(expression)) return objectLiterals(expression.expression);
  if (!ts.isCallExpression(expression)) return [];
  return [...objectLiterals(expression.expression), ...expression.arguments.filter(ts.isObjectLiteralExpression)];
}

export function commentOn(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comment?.comment) ?? "";
}

export function exampleOf(node: ts.Node): string | undefined {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === "example");
  return tag && ts.getTextOfJSDocComment(tag.comment);
}

function callOf(method: ts.MethodDeclaration): string {
  const parameters = method.parameters.map((parameter) => parameter.getText()).join(", ");
  return `${method.name.getText()}(${parameters})${method.type ? `: ${method.type.getText()}` : ""}`;
}

function lineComment(node: ts.Node): string | undefined {
  const text = node.getSourceFile().text;
  const comments = ts.getLeadingCommentRanges(text, node.pos) ?? [];
  return comments.map(({ pos, end }) => text.slice(pos, end).replace(/^\/\/\s*/, "")).join(" ") || undefined;
}

/** Splits a comment: the sentence about the default has its own column. */
export function parted(comment: string): { readonly text: string; readonly fallback: string | undefined } {
  const sentence = /\s*\bDefault: (.+?)\.(?=\s|$)/s.exec(comment);
  const text = comment.replace(sentence?.[0] ?? "", "").trim();
  const fallback = sentence?.[1];
  return { text, fallback: fallback === "true" || fallback === "false" ? `\`${fallback}\`` : fallback };
}

/** A file of the provider, given by its path in `provider/src`. */
export function sourceOf(path: string): ts.SourceFile {
  return sourceWith(readFileSync(new URL(path, provider), "utf8"));
}

export function sourceWith(text: string): ts.SourceFile {
  return ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
}

/** An exported interface of a source. */
export type Interface = ReturnType<typeof interfacesIn>[number];
export type Member = ReturnType<typeof memberOf>;

export function interfacesIn(source: ts.SourceFile) {
  const declared = source.statements.filter(ts.isInterfaceDeclaration);
  return declared
    .filter(({ modifiers = [] }) => modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .map((one) => ({
      name: one.name.text,
      comment: commentOn(one),
      members: one.members.filter(ts.isPropertySignature).map(memberOf),
    }));
}

function memberOf(member: ts.PropertySignature) {
  if (!member.type) throw new Error(`${member.getText()} has no type`);
  const whole = member.type.getText().replaceAll(/\s+/g, " ").replace(/^\| /, "");
  /** The text of the type, without `| undefined`. */
  const text = whole.replace(/ \| undefined$/, "");
  const optional = Boolean(member.questionToken) || text !== whole;
  return { name: member.name.getText(), type: member.type, text, optional, comment: commentOn(member) };
}
