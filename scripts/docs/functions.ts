import { readdirSync } from "node:fs";
import ts from "typescript";
import { commentOn, exampleOf, interfacesIn, type Member, parted, sourceOf, sourceWith } from "./comments.ts";
import { code, fileNameOf, firstSentence, page, table } from "./markdown.ts";
import { resultInterfaces } from "./results.ts";

/** A function, from its definition in the sources, with the texts of the types of its arguments and its result. */
export type Defined = ReturnType<typeof definedBy>[number];

/** The functions of all files in the folder, by name: made with `reading`, or with `ofArguments` for the plugin alone. */
export function definedBy(maker: "reading" | "ofArguments") {
  const statements = files().flatMap((file) => sourceOf(`functions/${file}`).statements.filter(ts.isVariableStatement));
  const made = statements.flatMap((statement) =>
    statement.declarationList.declarations.flatMap((declaration) => definedIn(maker, statement, declaration)),
  );
  return made.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function definedIn(maker: string, statement: ts.VariableStatement, { name, type, initializer }: ts.VariableDeclaration) {
  if (!initializer || !ts.isCallExpression(initializer) || initializer.expression.getText() !== maker) return [];
  const [args, result] = type && ts.isFunctionTypeNode(type) ? signatureOf(type) : (initializer.typeArguments ?? []);
  const [summary, example] = [commentOn(statement), exampleOf(statement)];
  const said = ts.getJSDocTags(statement).find(({ tagName }) => tagName.text === "throws");
  if (!args || !result || summary === "" || (example === undefined && maker === "reading"))
    throw new Error(`${name.getText()} needs the types of its arguments and its result, a comment, and an example in it`);
  const throws = said && [ts.isJSDocThrowsTag(said) ? said.typeExpression?.type.getText() : "", ts.getTextOfJSDocComment(said.comment)];
  const remarks = ts.getTextOfJSDocComment(ts.getJSDocTags(statement).find(({ tagName }) => tagName.text === "remarks")?.comment);
  const texts = { name: name.getText(), summary, remarks, example: example ?? "", args: args.getText(), result: result.getText() };
  return [{ ...texts, throws: throws?.filter(Boolean).join(" "), secret: isSecret(initializer) }];
}

/** The types of the first argument and of the result that a promise brings. */
function signatureOf({ parameters: [args], type: promise }: ts.FunctionTypeNode): (ts.TypeNode | undefined)[] {
  return [args?.type, ts.isTypeReferenceNode(promise) ? promise.typeArguments?.[0] : undefined];
}

/** Whether a definition has `secret: true`. */
function isSecret({ arguments: [definition] }: ts.CallExpression): boolean {
  return Boolean(
    definition && ts.isObjectLiteralExpression(definition) && definition.properties.some((each) => each.name?.getText() === "secret"),
  );
}

/** The interfaces of the arguments and results of functions, by name. */
export function interfaces(): ReadonlyMap<string, readonly Member[]> {
  const sources = [...files().map((file) => sourceOf(`functions/${file}`)), sourceWith(resultInterfaces())];
  const all = sources.flatMap(interfacesIn);
  for (const { name, members } of all)
    for (const member of members) if (member.comment === "") throw new Error(`${name}.${member.name} has no comment`);
  return new Map(all.map(({ name, members }) => [name, members]));
}

function files(): string[] {
  return readdirSync(new URL("../../provider/src/functions/", import.meta.url)).filter((file) => file.endsWith(".ts"));
}

/** The pages of the functions, by file name. */
export function functionPages(): Map<string, string> {
  const known = interfaces();
  return new Map(
    definedBy("reading").map((defined) => [`reference/functions/${fileNameOf(defined.name)}.md`, functionPage(defined, known)]),
  );
}

/** The rows of a table of all functions: each with the first sentence of its page. */
export function functionRows(): string[][] {
  return definedBy("reading").map((defined) => [
    `[${code(defined.name)}](functions/${fileNameOf(defined.name)}.md)`,
    firstSentence(defined.summary),
  ]);
}

function functionPage(defined: Defined, known: ReadonlyMap<string, readonly Member[]>): string {
  const { name, summary, remarks, example, throws, args, result, secret } = defined;
  const taken = known.get(args) ?? [];
  return page(
    `# ${name}`,
    [summary, remarks].filter(Boolean).join(" "),
    `\`\`\`ts\n${example}\n\`\`\``,
    "## Arguments",
    taken.length === 0 ? "None." : table(["Argument", "Type", "Default", "Description"], taken.map(argumentRow)),
    "## Result",
    `${code(`Promise<${result}>`)}${known.has(recordIn(result)) ? ", with these fields:" : "."}`,
    known.has(recordIn(result)) ? table(["Field", "Type", "Description"], resultRows(recordIn(result), "", known)) : undefined,
    throws && `The function throws an ${throws}. If the API rejects the call, the function throws a \`PlatformError\`.`,
    "## Outputs and options",
    outputs(name, taken.length > 0, secret),
  );
}

function argumentRow({ name, text, optional, comment }: Member): string[] {
  const { text: description, fallback } = parted(comment);
  return [code(name), code(text), optional ? (fallback ?? "none") : "**required**", description];
}

/** The fields of a record and of all records inside it, by path. */
function resultRows(record: string, prefix: string, known: ReadonlyMap<string, readonly Member[]>): string[][] {
  return (known.get(record) ?? []).flatMap(({ name, text: type, optional, comment }) => {
    const inner = recordIn(type);
    const [shown, below] = type.endsWith("[]") ? ["object[]", `${prefix}${name}[].`] : ["object", `${prefix}${name}.`];
    const told = `${code(known.has(inner) ? shown : type)}${optional ? ", or `undefined`" : ""}`;
    return [[code(`${prefix}${name}`), told, comment], ...(known.has(inner) ? resultRows(inner, below, known) : [])];
  });
}

function recordIn(type: string): string {
  return type.replaceAll("[]", "");
}

function outputs(name: string, takesArguments: boolean, secret: boolean): string {
  const given = takesArguments ? "args" : "{}";
  return [
    `${code(`${name}Output(${given}, opts)`)} also accepts Outputs and Promises, and returns an Output${secret ? ", which is a secret" : ""}.`,
    "While an argument is unknown in a preview, the Output is unknown as well.",
    `Both functions read in the target of the stack. With ${code(`${name}(${given}, { provider })`)}, they read in the target of that \`Provider\`;`,
    "with `{ parent }`, in the target of that resource.",
  ].join(" ");
}
