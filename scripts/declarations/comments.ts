import ts from "typescript";

/** The comment on a property or declaration, as written; or what `describe` says of it in the SDK's catalogue. Empty if there is none. */
export function commentOn(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  for (const declaration of symbol.declarations ?? []) {
    const written = commentAt(declaration);
    if (written !== "") return written;
    const described = ts.isPropertyAssignment(declaration)
      ? descriptionIn(checker, declaration.initializer)
      : ts.isShorthandPropertyAssignment(declaration)
        ? descriptionOf(checker, checker.getShorthandAssignmentValueSymbol(declaration))
        : undefined;
    if (described !== undefined) return `/** ${described.replaceAll("*/", "*\\/")} */`;
  }
  return "";
}

/** The comment on a node, as written, without the indentation of its lines. */
export function commentAt(node: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(node).findLast((one) => ts.isJSDoc(one) && one.parent === node);
  return comment?.getText().replaceAll(/\r?\n\s*/g, "\n ") ?? "";
}

/** A declaration with its comment, and its lines moved to the right by so much. */
export function commented(comment: string, text: string, indent = ""): string {
  return (comment === "" ? text : `${comment}\n${text}`).replaceAll(/^(?=.)/gm, indent);
}

/** The comment on a declaration. */
export function commentOnSymbol(symbol: ts.Symbol): string {
  return (symbol.declarations ?? []).map((one) => commentAt(ts.isVariableDeclaration(one) ? one.parent.parent : one)).find(Boolean) ?? "";
}

/** What the outermost `.describe("…")` of an expression says, also where it is written inside `spelt(…)` and the like. */
function descriptionIn(checker: ts.TypeChecker, expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return descriptionOf(checker, checker.getSymbolAtLocation(expression));
  if (ts.isPropertyAccessExpression(expression))
    return descriptionOf(checker, checker.getSymbolAtLocation(expression)) ?? descriptionIn(checker, expression.expression);
  if (!ts.isCallExpression(expression)) return undefined;
  const { expression: callee, arguments: given } = expression;
  const [text] = given;
  if (ts.isPropertyAccessExpression(callee)) {
    if (callee.name.text === "describe" && text && ts.isStringLiteralLike(text)) return text.text;
    return descriptionIn(checker, callee.expression);
  }
  return given.map((one) => descriptionIn(checker, one)).find((found) => found !== undefined);
}

/** What the constant behind a name is described as. */
function descriptionOf(checker: ts.TypeChecker, symbol: ts.Symbol | undefined): string | undefined {
  const found = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = found?.valueDeclaration;
  const isConstant = declaration && (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration));
  return isConstant && declaration.initializer ? descriptionIn(checker, declaration.initializer) : undefined;
}
