import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { commentOn, parted } from "./comments.ts";
import { code, page, table } from "./markdown.ts";

const sources = new URL("../../provider/src/", import.meta.url);

/** The page of the components' arguments and outputs, from the interfaces in their sources. */
export function componentsPage(): Map<string, string> {
  // The arguments of a component stand below the types of their parts.
  const args = ["components/network.ts", "components/platform-args.ts"].flatMap((file) => interfacesIn(file).reverse());
  const text = page(
    "# Components",
    "Look up the arguments and outputs of `Network` and `Platform`.",
    "`npm run fix` writes this page from the sources. [Components](../guides/components.md) shows how to use both, and lists their [properties in TypeScript](../guides/components.md#properties-in-typescript).",
    ...args.flatMap((type) => [
      `## ${code(type.name.text)}`,
      commentOn(type),
      table(["Argument", "Type", "Default", "Description"], membersOf(type).map(argumentRow)),
    ]),
    ...interfacesIn("native/components/outputs.ts").flatMap((type) => [
      `## ${code(type.name.text)}`,
      commentOn(type),
      table(["Output", "Type", "Description"], membersOf(type).map(outputRow)),
    ]),
  );
  return new Map([["reference/components.md", text]]);
}

function interfacesIn(file: string): ts.InterfaceDeclaration[] {
  const path = fileURLToPath(new URL(file, sources));
  return ts
    .createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true)
    .statements.filter(ts.isInterfaceDeclaration)
    .filter(({ modifiers }) => modifiers !== undefined);
}

function membersOf(type: ts.InterfaceDeclaration): ts.PropertySignature[] {
  return type.members.filter(ts.isPropertySignature);
}

function argumentRow(member: ts.PropertySignature): string[] {
  const { text, fallback } = parted(commentOn(member));
  return [code(member.name.getText()), code(typeOf(member)), fallback ?? (member.questionToken ? "" : "**required**"), text];
}

function outputRow(member: ts.PropertySignature): string[] {
  const type = typeOf(member).replaceAll(/Output<([^<>]*)>/g, "$1");
  return [code(member.name.getText()), code(type), commentOn(member)];
}

function typeOf({ type }: ts.PropertySignature): string {
  return (type?.getText() ?? "")
    .replace(/\s*\| undefined$/, "")
    .replace(/^Readonly<(Record<.*>)>$/, "$1")
    .replace(/(?:Plain<)?ChildArgs\["nodePool"\]\["(\w+)"\](?:>(?=>))?/, "NodePool.$1");
}
