import ts from "typescript";
import { commentAt, commented, commentOnSymbol } from "./comments.ts";
import type { Desk } from "./desk.ts";
import { resultsOf } from "./names.ts";
import { NotPlain } from "./not-plain.ts";
import type { Types } from "./types.ts";

type Named = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration | ts.FunctionDeclaration;

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Passes on declarations as they are written, from what the compiler has emitted, with all that they name. */
export class Written {
  readonly #entryPoint: Desk;
  readonly #types: Types;

  constructor(entryPoint: Desk, types: Types) {
    this.#entryPoint = entryPoint;
    this.#types = types;
  }

  /** A declaration of the sources, with its comment, under a name: as it is written, or else from its type. What is inferred the other way. */
  declaration(symbol: ts.Symbol, name: string, keyword: string): string {
    const [declaration] = symbol.declarations ?? [];
    if (!declaration) throw new Error(`${symbol.name} has no declaration`);
    const asWritten = () => this.#asWritten(symbol, name, keyword);
    const fromType = () => commented(commentOnSymbol(symbol), this.#fromType(symbol, declaration, name, keyword));
    return isInferred(declaration) ? this.#entryPoint.either(fromType, asWritten) : this.#entryPoint.either(asWritten, fromType);
  }

  /** The methods that a class of ours has of its own. */
  methods(symbol: ts.Symbol): string {
    return this.#statements(symbol)
      .filter(ts.isClassDeclaration)
      .flatMap(({ members }) => [...members])
      .map((member) => commented(commentAt(member), `${this.#edited(member, symbol, [])}\n`, "    "))
      .join("");
  }

  #asWritten(symbol: ts.Symbol, name: string, keyword: string): string {
    const statements = this.#statements(symbol);
    // `(typeof names)[number]` says less than the names.
    if (statements.some((one) => ts.isTypeAliasDeclaration(one) && contains(one, ts.isTypeQueryNode)))
      throw new NotPlain(`${name} is computed`);
    if (statements.length === 0) throw new NotPlain(`${name} is not emitted`);
    return statements
      .map((statement) => {
        const renamed = name === symbol.name || !isNamed(statement) || !statement.name ? [] : [edit(statement.name, name)];
        return commented(commentAt(statement), `${this.#declared(this.#edited(statement, symbol, renamed), keyword)}\n`);
      })
      .join("");
  }

  /** The text of a statement with `export` and `declare` as they have to be. */
  #declared(text: string, keyword: string): string {
    const bare = text.replace(/^(?:(?:export|declare|default)\s+)+/, "");
    return `${keyword}${/^(interface|type)\b/.test(bare) ? "" : "declare "}${bare}`;
  }

  #fromType(symbol: ts.Symbol, declaration: ts.Declaration, name: string, keyword: string): string {
    const { checker } = this.#entryPoint.sources;
    const place = { name, ending: "" } as const;
    if (ts.isFunctionDeclaration(declaration)) {
      const [statement] = this.#statements(symbol).filter(ts.isFunctionDeclaration);
      const [call, ...others] = checker.getTypeOfSymbol(symbol).getCallSignatures();
      if (!statement?.type || !call || others.length > 0) throw new NotPlain(`${name} has no single result`);
      const result = edit(statement.type, this.#types.of(call.getReturnType(), resultsOf(name)));
      return `${this.#declared(this.#edited(statement, symbol, [result]), keyword)}\n`;
    }
    if (ts.isVariableDeclaration(declaration))
      return `${keyword}declare const ${name}: ${this.#types.functionOf(checker.getTypeOfSymbol(symbol), name)};\n`;
    if (!ts.isTypeAliasDeclaration(declaration) || declaration.typeParameters)
      throw new NotPlain(`${name} needs types that are not for users`);
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const properties = type.flags & ts.TypeFlags.Object && !checker.isArrayType(type) ? checker.getPropertiesOfType(type) : [];
    if (properties.length === 0) return `${keyword}type ${name} = ${this.#types.of(type, place)};\n`;
    return `${keyword}interface ${name} {\n${this.#types.members(properties, place)}}\n`;
  }

  /** The emitted statements of a declaration. */
  #statements(symbol: ts.Symbol): ts.Statement[] {
    const file = fileOf(symbol);
    if (!this.#entryPoint.sources.isOwn(file)) throw new NotPlain(`${symbol.name} is of ${file.fileName}`);
    const names = (statement: ts.Statement) =>
      ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map((one) => one.name.getText())
        : isNamed(statement)
          ? [statement.name?.text]
          : [];
    return this.#entryPoint.sources.emittedFor(file).statements.filter((statement) => names(statement).includes(symbol.name));
  }

  /** The text of an emitted node, in which everything has the name that it has at the entry point. */
  #edited(node: ts.Node, symbol: ts.Symbol, given: readonly Edit[]): string {
    const edits = [...given];
    const visit = (one: ts.Node): void => {
      if (given.some(({ from, to }) => from <= one.getStart() && one.end <= to)) return;
      const change = this.#reference(one, symbol);
      if (change) edits.push(change);
      if (ts.isImportTypeNode(one)) one.typeArguments?.forEach(visit);
      else ts.forEachChild(one, visit);
    };
    visit(node);
    const start = node.getStart();
    return edits
      .sort((one, other) => other.from - one.from)
      .reduce((text, { from, to, text: by }) => text.slice(0, from - start) + by + text.slice(to - start), node.getText());
  }

  #reference(node: ts.Node, symbol: ts.Symbol): Edit | undefined {
    if (ts.isImportTypeNode(node)) return this.#imported(node, symbol);
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : ts.isTypeQueryNode(node)
          ? node.exprName
          : undefined;
    const first = name && firstOf(name);
    if (!first) return undefined;
    const found = this.#entryPoint.sources.scopeOf(fileOf(symbol)).get(first.text);
    if (!found) {
      // The compiler gives a class that extends an expression a constant as its base.
      if (first.text.endsWith("_base")) throw new NotPlain(`${symbol.name} extends an expression`);
      return undefined;
    }
    const own = this.#named(found);
    return own === first.text ? undefined : edit(first, own);
  }

  /** The name at the entry point of what a name in a file stands for. */
  #named(found: ts.Symbol): string {
    const specifier = found.declarations?.flatMap((one) => specifierOf(one))[0];
    if (specifier && this.#entryPoint.allows(specifier.from)) {
      this.#entryPoint.import(specifier.from, specifier.imported, found.name);
      return found.name;
    }
    return this.#ours(this.#entryPoint.sources.target(found), specifier?.from);
  }

  #ours(target: ts.Symbol, from = ""): string {
    const file = target.declarations?.[0]?.getSourceFile();
    if (!file || !this.#entryPoint.sources.isOwn(file))
      throw new NotPlain(`it names ${target.name} of ${from || (file?.fileName ?? "nowhere")}`);
    if (target.declarations?.some(ts.isSourceFile)) throw new NotPlain(`it names all of ${file.fileName}`);
    return this.#entryPoint.nameOf(target);
  }

  #imported(node: ts.ImportTypeNode, symbol: ts.Symbol): Edit {
    const { argument, qualifier } = node;
    const specifier = ts.isLiteralTypeNode(argument) && ts.isStringLiteral(argument.literal) ? argument.literal.text : "";
    const first = qualifier && firstOf(qualifier);
    if (!first) throw new NotPlain(`${symbol.name} names all of ${specifier}`);
    const span = { from: node.getStart(), to: first.end };
    if (!specifier.startsWith(".")) {
      this.#entryPoint.import(specifier, first.text);
      return { ...span, text: first.text };
    }
    const found = this.#entryPoint.sources.exportOf(fileOf(symbol), specifier, first.text);
    if (!found) throw new NotPlain(`${specifier} has no ${first.text}`);
    return { ...span, text: `${node.isTypeOf ? "typeof " : ""}${this.#ours(found)}` };
  }
}

function isNamed(node: ts.Node): node is Named {
  return (
    ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node)
  );
}

/** Whether a declaration leaves its type to the compiler. */
function isInferred(declaration: ts.Declaration): boolean {
  return (ts.isFunctionDeclaration(declaration) || ts.isVariableDeclaration(declaration)) && !declaration.type;
}

function contains(node: ts.Node, matches: (one: ts.Node) => boolean): boolean {
  return matches(node) || ts.forEachChild(node, (child) => contains(child, matches)) === true;
}

function firstOf(name: ts.Node): ts.Identifier | undefined {
  if (ts.isIdentifier(name)) return name;
  if (ts.isQualifiedName(name)) return firstOf(name.left);
  return ts.isPropertyAccessExpression(name) ? firstOf(name.expression) : undefined;
}

function edit(node: ts.Node, text: string): Edit {
  return { from: node.getStart(), to: node.end, text };
}

function fileOf(symbol: ts.Symbol): ts.SourceFile {
  const file = symbol.declarations?.[0]?.getSourceFile();
  if (!file) throw new Error(`${symbol.name} has no declaration`);
  return file;
}

/** What is imported from where, if a declaration is an import. */
function specifierOf(declaration: ts.Declaration): { readonly from: string; readonly imported: string }[] {
  const clause = ts.findAncestor(declaration, ts.isImportDeclaration);
  if (!clause || !ts.isStringLiteral(clause.moduleSpecifier)) return [];
  const from = clause.moduleSpecifier.text;
  if (ts.isImportSpecifier(declaration)) return [{ from, imported: (declaration.propertyName ?? declaration.name).text }];
  return ts.isNamespaceImport(declaration) ? [{ from, imported: `* as ${declaration.name.text}` }] : [];
}
