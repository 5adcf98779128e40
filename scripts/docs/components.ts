import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import ts from "typescript";
import { commentOn, parted } from "./comments.ts";
import { code, table } from "./markdown.ts";

const name = "components.md";
const files = ["network.ts", "platform-args.ts"];

/** The page of the components, with a table of the arguments under each heading that has the name of their type. */
export async function componentsPage(): Promise<Map<string, string>> {
  const file = new URL(`../../docs/${name}`, import.meta.url);
  const types = new Map(files.flatMap(interfacesIn).map((one) => [one.name.text, one]));
  const page = readFileSync(file, "utf8");
  const missing = [...types.keys()].filter((type) => !page.includes(`### \`${type}\``));
  if (missing.length > 0) throw new Error(`docs/${name} has no table of ${missing.join(", ")}: give each a heading`);
  const text = page.replaceAll(/(^### `(\w+)`\n\n)(?:\|.*\n)+/gm, (_, head: string, type: string) => {
    const found = types.get(type);
    if (!found) throw new Error(`the sources of the components have no interface ${type}`);
    return `${head}${table(["Argument", "Type", "Default", "Description"], rowsOf(found))}\n`;
  });
  const config = await resolveConfig(file);
  return new Map([[name, await format(text, { ...config, parser: "markdown" })]]);
}

function interfacesIn(file: string): ts.InterfaceDeclaration[] {
  const path = fileURLToPath(new URL(`../../provider/src/components/${file}`, import.meta.url));
  return ts
    .createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true)
    .statements.filter(
      (statement): statement is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(statement) && statement.modifiers !== undefined,
    );
}

function rowsOf(type: ts.InterfaceDeclaration): string[][] {
  return type.members.filter(ts.isPropertySignature).map((member) => {
    const { text, fallback } = parted(commentOn(member));
    const of = (member.type?.getText() ?? "")
      .replace(/\s*\| undefined$/, "")
      .replace(/^Readonly<(Record<.*>)>$/, "$1")
      .replace(/(?:Plain<)?ChildArgs\["nodePool"\]\["(\w+)"\](?:>(?=>))?/, "NodePool.$1");
    return [code(member.name.getText()), code(of), fallback ?? (member.questionToken ? "" : "**required**"), text];
  });
}
