import * as audit from "@container-platform/sdk/audit";
import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import * as disk from "@container-platform/sdk/disk";
import * as identity from "@container-platform/sdk/identity";
import * as registry from "@container-platform/sdk/registry";
import * as tag from "@container-platform/sdk/tag";
import * as vpc from "@container-platform/sdk/vpc";
import { catalogue } from "@container-platform/sdk/reference";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { z } from "zod";
import { languageService, root } from "../support/compiler.ts";

/** The compiler makes sure that a behaviour throws only codes that its operation declares. These tests make sure that each declared code is thrown. */

const local = join(root, "sdk/src/local/");
const { service } = languageService("sdk/src/local/all.ts", 'import "./platform.ts";');
const program = service.getProgram() ?? expect.unreachable("there is no program");
const checker = program.getTypeChecker();

/** The codes that a function or constant of the local platform throws itself, and which others it uses. */
interface Piece {
  readonly codes: Set<string>;
  readonly uses: Set<ts.Node>;
}

const pieces = new Map<ts.Node, Piece>();

function pieceOf(node: ts.Node): Piece {
  const known = pieces.get(node);
  if (known) return known;
  const piece: Piece = { codes: new Set(), uses: new Set() };
  pieces.set(node, piece);
  const visit = (inner: ts.Node): void => {
    for (const code of thrownBy(inner)) piece.codes.add(code);
    for (const used of usedBy(inner)) if (used !== node) piece.uses.add(used);
    ts.forEachChild(inner, visit);
  };
  ts.forEachChild(node, visit);
  return piece;
}

/** Functions that take the code with which they refuse as their second argument. */
const refusing = ["refuseUnlessAllowed", "requireState"];

/** The codes of `call.error(code, reason)`, and of `refuseUnlessAllowed(call, code, …)`. */
function thrownBy(node: ts.Node): string[] {
  if (!ts.isCallExpression(node)) return [];
  const code = codeIn(node);
  const type = code && checker.getTypeAtLocation(code);
  return (type?.isUnion() ? type.types : [type]).flatMap((one) => (one?.isStringLiteral() ? [one.value] : []));
}

function codeIn({ expression, arguments: [first, second] }: ts.CallExpression): ts.Expression | undefined {
  if (ts.isPropertyAccessExpression(expression) && expression.name.text === "error") return first;
  return ts.isIdentifier(expression) && refusing.includes(expression.text) ? second : undefined;
}

/** The functions and constants of the local platform that a name refers to. */
function usedBy(node: ts.Node): ts.Node[] {
  if (!ts.isIdentifier(node)) return [];
  return declarationsOf(node).filter(
    (found) =>
      found.getSourceFile().fileName.startsWith(local) &&
      (ts.isFunctionDeclaration(found) || (ts.isVariableDeclaration(found) && ts.isSourceFile(found.parent.parent.parent))),
  );
}

function declarationsOf(node: ts.Node): readonly ts.Declaration[] {
  const symbol = checker.getSymbolAtLocation(node);
  const meant = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return meant?.declarations ?? [];
}

function reachable(node: ts.Node, seen = new Set<ts.Node>()): Set<string> {
  if (seen.has(node)) return new Set();
  seen.add(node);
  const { codes, uses } = pieceOf(node);
  return new Set([...codes, ...[...uses].flatMap((used) => [...reachable(used, seen)])]);
}

/** The codes that the behaviour of each operation throws, by `<product> <name in the SDK>`. */
function thrown(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "on") {
      const [named, run] = node.arguments;
      const operation = named && ts.isPropertyAccessExpression(named) ? named.name : named;
      const file = operation && declarationsOf(operation)[0]?.getSourceFile().fileName;
      const product = /\/catalogue\/([a-z]+)[/.]/.exec(file ?? "")?.[1];
      if (operation && run && product !== undefined) found.set(`${product} ${operation.getText()}`, reachable(run));
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) if (file.fileName.startsWith(local)) visit(file);
  return found;
}

const entryPoints: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  audit,
  cluster,
  compute,
  disk,
  identity,
  registry,
  tag,
  vpc,
};
const operationForm = z.object({ errors: z.array(z.string()), remoteErrors: z.array(z.string()) });

const declared = Object.entries(entryPoints).flatMap(([product, entryPoint]) =>
  Object.entries(entryPoint).flatMap(([name, value]) => {
    const operation = operationForm.safeParse(value);
    return operation.success ? [{ name: `${product} ${name}`, errors: operation.data.errors }] : [];
  }),
);

test("every code that an operation declares is thrown in the local platform, or listed as that of a real platform alone", () => {
  expect(declared).toHaveLength(catalogue.length);
  const codes = thrown();
  const idle = declared.flatMap(({ name, errors }) =>
    errors.filter((code) => !codes.get(name)?.has(code)).map((code) => `${name}: ${code}`),
  );
  expect(idle).toEqual([]);
});
