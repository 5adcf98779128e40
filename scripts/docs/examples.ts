import { existsSync, readFileSync } from "node:fs";
import type { Kind } from "../../provider/src/definition/definition.ts";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { fileNameOf } from "./markdown.ts";

const folder = new URL("../../docs/reference/examples/", import.meta.url);

/** The languages in which each resource has an example: what Pulumi's registry calls them, their names, and the endings of their files. */
const languages = [
  { tag: "typescript", name: "TypeScript", ending: "ts" },
  { tag: "python", name: "Python", ending: "py" },
  { tag: "go", name: "Go", ending: "go" },
  { tag: "yaml", name: "YAML", ending: "yaml" },
] as const;

/**
 * What the schema says of a resource, as Pulumi's registry shows it: under these headings, with one example that the reader sees in the
 * language that he has chosen. A generated SDK has the one in its own language.
 */
export function describedWithExamples(kind: Kind, summary: string): string {
  const blocks = examplesOf(kind).map(({ tag, text }) => `\`\`\`${tag}\n${text}\`\`\``);
  const [id = ""] = kind.id.looks.split(" or ");
  return [
    summary,
    "## Example Usage",
    `<!--Start PulumiCodeChooser -->\n${blocks.join("\n")}\n<!--End PulumiCodeChooser -->`,
    "## Import",
    `\`\`\`sh\npulumi import ${nativeToken(kind.type)} example '${id}'\n\`\`\``,
  ].join("\n\n");
}

/** The links from the page of a resource to its examples in all languages. */
export function linksToExamples(kind: Kind): string {
  const links = examplesOf(kind).map(({ name, path }) => `[${name}](../examples/${path})`);
  return `Examples for [the native plugin](../../get-started/yaml-python-go.md): ${links.toReversed().join(", ")}.`;
}

/** The examples of a resource. Those that `npm run examples` has not written yet are left out. */
function examplesOf({ type }: Kind) {
  const source = `${fileNameOf(type)}.yaml`;
  if (!existsSync(new URL(source, folder)))
    throw new Error(`${type} needs an example in YAML, docs/reference/examples/${source}: \`npm run examples\` converts it`);
  return languages.flatMap(({ ending, ...language }) => {
    const path = `${fileNameOf(type)}.${ending}`;
    const file = new URL(path, folder);
    return existsSync(file) ? [{ ...language, path, text: readFileSync(file, "utf8").replaceAll("\r\n", "\n") }] : [];
  });
}
