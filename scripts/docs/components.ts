import { type Interface, interfacesIn, type Member, parted, sourceOf } from "./comments.ts";
import { code, page, table } from "./markdown.ts";

/** The components' arguments and outputs, from the interfaces in their sources. */
export function componentParts() {
  // The arguments of a component stand below the types of their parts.
  const args = ["components/network.ts", "components/platform-args.ts"].flatMap((file) => interfacesIn(sourceOf(file)).reverse());
  const outputs = interfacesIn(sourceOf("plugin/components/outputs.ts"));
  return {
    arguments: page(...args.flatMap((one) => section(one, ["Argument", "Type", "Default", "Description"], argumentRow))),
    outputs: page(...outputs.flatMap((one) => section(one, ["Output", "Type", "Description"], outputRow))),
  };
}

function section({ name, comment, members }: Interface, heads: readonly string[], rowOf: (member: Member) => string[]): string[] {
  return [`## ${code(name)}`, comment, table(heads, members.map(rowOf))];
}

function argumentRow({ name, text, optional, comment }: Member): string[] {
  const type = text
    .replace(/^Readonly<(Record<.*>)>$/, "$1")
    .replace(/(?:Plain<)?ChildArgs\["nodePool"\]\["(\w+)"\](?:>(?=>))?/, "NodePool.$1");
  const { text: description, fallback } = parted(comment);
  return [code(name), code(type), fallback ?? (optional ? "" : "**required**"), description];
}

function outputRow({ name, text, comment }: Member): string[] {
  const type = text.replace(/^Readonly<(Record<.*>)>$/, "$1").replaceAll(/Output<([^<>]*)>/g, "$1");
  return [code(name), code(type), comment];
}
