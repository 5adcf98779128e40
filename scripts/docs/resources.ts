import { z } from "zod";
import type { Kind } from "../../provider/src/definition/definition.ts";
import { kinds as loaders } from "../../provider/src/resources/kinds.ts";
import { kinds as names } from "../../provider/src/resources/reviews.ts";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { marksOf } from "../../provider/src/schema/marks.ts";
import { type Comments, commentsOfResources, parted } from "./comments.ts";
import { functionRows } from "./functions.ts";
import { code, codes, fileNameOf, firstSentence, page, table, textOf } from "./markdown.ts";

const all = await Promise.all(Object.values(loaders).map(async (load) => (await load()).kind));

/** The definitions of all kinds of resources, by name. */
export const kinds: readonly Kind[] = all.sort((one, other) => (one.type < other.type ? -1 : 1));

/** The pages of the resources, by file name. They are written from the definitions of the resources and the comments in them. */
export function resourcePages(): Map<string, string> {
  const comments = commentsOfResources();
  return new Map(
    kinds.map((kind) => {
      const said = comments.get(kind.type);
      if (!said) throw new Error(`the sources have no class ${kind.type}`);
      return [`reference/resources/${fileNameOf(kind.type)}.md`, resourcePage(kind, said)];
    }),
  );
}

/** The tables of all resources and functions, with the first sentence of the page of each. */
export function referenceParts() {
  const comments = commentsOfResources();
  const resources = names.map((type) => [
    `[${code(type)}](resources/${fileNameOf(type)}.md)`,
    firstSentence(comments.get(type)?.summary ?? ""),
    `[Examples](examples/${fileNameOf(type)}.md)`,
  ]);
  return {
    resources: table(["Resource", "Description", "Native plugin"], resources),
    functions: table(["Function", "Description"], functionRows()),
  };
}

function resourcePage(kind: Kind, comments: Comments): string {
  return page(
    `# ${kind.type}`,
    comments.summary,
    comments.example && fenced(comments.example),
    linksToExamples(kind),
    "## Inputs",
    table(["Input", "Type", "Default", "On change", "If removed", "Description"], inputRows(kind, comments)),
    legend(kind, comments),
    "## Outputs",
    "Every input is also an output.",
    ...(Object.keys(kind.outputs.shape).length > 0 ? [table(["Output", "Type", "Description"], outputRows(kind, comments))] : []),
    ...methods(comments),
    "## Import",
    ...imports(kind, comments),
    "## Timeouts",
    ...timeouts(kind),
    ...states(kind),
    "## See also",
    "- [Changes: replacement, removed inputs, validation](../../concepts/changes.md)\n- [Deletion: order, protection, retained buckets](../../concepts/deletion.md)",
  );
}

function fenced(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

function inputRows(kind: Kind, comments: Comments): string[][] {
  return Object.entries(kind.inputs.shape).flatMap(([key, schema]: [string, z.core.$ZodType]) =>
    fields(key, schema).map(({ path, type: field }) => {
      const { text, fallback } = parted(commentOn(comments.inputs, path));
      const change = path === key ? changeOf(kind, key) : "";
      const description = change === code("replace") ? text.replace(/\s*A change replaces the [^.]*\.$/, "") : text;
      return [code(path), typeOf(field), fallback ?? fallbackOf(field), change, ifRemoved(field), description];
    }),
  );
}

function outputRows(kind: Kind, comments: Comments): string[][] {
  return Object.entries(kind.outputs.shape)
    .flatMap(([key, schema]: [string, z.core.$ZodType]) => fields(key, schema))
    .map(({ path, type }) => [code(path), typeOf(type), commentOn(comments.outputs, path)]);
}

function commentOn(comments: ReadonlyMap<string, string>, path: string): string {
  const said = comments.get(path.replaceAll("[]", ""));
  if (!said) throw new Error(`${path} has no comment`);
  return said;
}

function typeOf(schema: z.core.$ZodType): string {
  const secret = marksOf(schema).secret ? ", secret" : "";
  return `${code(nameOf(schema))}${secret}`;
}

function nameOf(schema: z.core.$ZodType): string {
  const inner = inside(schema);
  if (inner instanceof z.ZodArray) {
    const item = nameOf(inner.element);
    return item.includes(" ") ? `(${item})[]` : `${item}[]`;
  }
  if (inner instanceof z.ZodRecord) return "Record<string, string>";
  if (inner instanceof z.ZodEnum) return alternatives(inner.options);
  if (inner instanceof z.ZodLiteral) return alternatives([...inner.values]);
  const { type } = inner._zod.def;
  return type === "number" || type === "boolean" || type === "object" ? type : "string";
}

/** The values of an enumeration. A value that is the lower-case form of another one is left out. */
function alternatives(values: readonly unknown[]): string {
  const capital = values.filter((value) => typeof value === "string" && value === value.toUpperCase());
  const shown = values.filter((value) => capital.includes(value) || !capital.includes(String(value).toUpperCase()));
  return shown.map((value) => JSON.stringify(value)).join(" | ");
}

function fallbackOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodDefault) return code(JSON.stringify(schema.def.defaultValue));
  if (!(schema instanceof z.ZodOptional)) return "**required**";
  return marksOf(schema).removed === "keep" ? "the platform's" : "none";
}

function changeOf(kind: Kind, key: string): string {
  const change = kind.changes[key];
  if (change === "replace") return code("replace");
  if (change === "order-only" || change === "local-only") return code("none");
  return typeof change === "object" && change.unknownReplaces ? "`update in place` or `replace`" : code("update in place");
}

const removals = { clear: "removed", keep: "unchanged", refuse: "error" } as const;

function ifRemoved(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodDefault) return code("default");
  const { removed } = marksOf(schema);
  return removed === undefined ? "" : code(removals[removed]);
}

function legend(kind: Kind, { unique }: Comments): string {
  const replacement = "`replace`: Pulumi creates the replacement before it deletes the old resource.";
  const exception = kind.unique
    ? `Exception: if both cannot exist at the same time, Pulumi deletes the old resource first. ${unique ?? ""}`
    : keepsId(kind) && "Exception: if both have the same ID, Pulumi deletes the old resource first.";
  const local = Object.values(kind.changes).some((change) => change === "order-only" || change === "local-only");
  return [
    [replacement, exception].filter(Boolean).join(" ").trim(),
    ...(local ? ["`none`: Pulumi records the new value in the state, and nothing changes on the platform."] : []),
    ...(kind.protectedBy === undefined ? [] : [guard(kind.protectedBy)]),
  ].join("\n\n");
}

function guard(input: string): string {
  return `While \`${input}\` is \`true\`, Pulumi neither replaces nor deletes the resource, and deletes none of its contents with it: previews, \`pulumi up\` and \`pulumi destroy\` fail. You can still remove or replace a single contained resource. To delete the resource, set \`${input}: false\` and run \`pulumi up\` first. [Deletion](../../concepts/deletion.md) describes the relation to Pulumi's option \`protect\`.`;
}

/** Whether a new one can have the old one's id: the id consists of inputs only, and a change of another input replaces the resource. */
function keepsId({ id, inputs, changes }: Kind): boolean {
  const isReplaced = (key: string) => changes[key] === "replace" || typeof changes[key] === "object";
  return id.names.every((key) => key in inputs.shape) && Object.keys(changes).some((key) => isReplaced(key) && !id.names.includes(key));
}

function methods({ methods: all }: Comments): string[] {
  return all.flatMap(({ call, says }) => ["## Methods", fenced(call), says]);
}

/** The example of the class with the option `import`, and the command for the native plugin. */
function imports({ type, id }: Kind, { example = "" }: Comments): string[] {
  const ids = id.looks.split(" or ");
  const [, name = "", args = ""] = new RegExp(`new ${type}\\("([^"]+)", (\\{.*?\\})\\);`, "s").exec(example) ?? [];
  if (name === "") throw new Error(`the example of ${type} does not make one`);
  return [
    `The ID has the form ${ids.map(code).join(" or ")}. With the TypeScript class, set the option \`import\` and run \`pulumi up\`:`,
    fenced(`new ${type}("${name}", ${args}, { import: "${ids[0]}" });`),
    "An input that you leave out gets its default, also a generated name: set the input to keep the live value. With the native plugin, run:",
    `\`\`\`text\npulumi import ${nativeToken(type)} ${name} '${ids[0]}'\n\`\`\``,
    `\`${type}.get(name, id)\` reads an existing resource without managing it. [Import](../../guides/import.md) writes the program for a whole region.`,
  ];
}

const expiring: Readonly<Record<string, string>> = {
  ClusterEndpoint: "The certificate of the kubeconfig",
  Token: "A `temp` token",
};

function timeouts({ type, seconds = {}, due, renew, slowCreation }: Kind): string[] {
  const usual = 600;
  const verbs = ["create", "update", "delete"] as const;
  return [
    table(
      verbs.map((verb) => code(verb)),
      [verbs.map((verb) => `${(seconds[verb] ?? usual) / 60} minutes`)],
    ),
    "Set the option `customTimeouts` to change these defaults. After a timeout, the next `pulumi up` continues the operation.",
    slowCreation ? `After ${slowCreation.seconds / 60} minutes, Pulumi prints a warning: "${slowCreation.warning}".` : "",
    due
      ? `${expiring[type] ?? "The resource"} expires: the preview reports it in time, and \`pulumi up\` ${renew ? "renews it in place" : "replaces it"}.`
      : "",
  ].filter((paragraph) => paragraph !== "");
}

const meanings = { pending: "pending", ready: "ready", gone: "deleted", failed: "failed", deletionFailed: "deletion failed" } as const;

function states({ states: tables = {} }: Kind): string[] {
  return Object.entries(tables).flatMap(([key, readinessOf]) => {
    const rows = Object.entries(meanings).map(([readiness, words]) => {
      const names = Object.keys(readinessOf).filter((state) => readinessOf[state] === readiness);
      return [words, codes(names)];
    });
    return [
      "## States",
      `The API returns the state as \`${key}\`. The provider waits while the resource is pending. Unknown states count as pending.`,
      table(
        ["Meaning", "States"],
        rows.filter(([, names]) => names !== ""),
      ),
    ];
  });
}

/**
 * What the schema says of a resource, as Pulumi's registry shows it: under these headings, with one example that the reader sees in the
 * language that he has chosen. A generated SDK has the one in its own language.
 */
export function describedWithExamples(kind: Kind, summary: string): string {
  const blocks = examplesOf(kind.type).map(({ tag, text }) => `\`\`\`${tag}\n${text}\`\`\``);
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
function linksToExamples({ type }: Kind): string {
  const links = ["TypeScript", "Python", "Go", "YAML"].map(
    (language) => `[${language}](../examples/${fileNameOf(type)}.md#${language.toLowerCase()})`,
  );
  return `Examples for [the native plugin](../../get-started/yaml-python-go.md): ${links.join(", ")}.`;
}

/** The blocks of code of the page that `npm run examples` writes: none until it has run for a new resource. */
export function examplesOf(type: string): { readonly tag: string; readonly text: string }[] {
  const text = textOf(`docs/reference/examples/${fileNameOf(type)}.md`);
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, tag = "", text = ""]) => ({ tag, text }));
}

/** A property and all properties inside it, by path: `ingress[].port`. */
function fields(path: string, type: z.core.$ZodType): { readonly path: string; readonly type: z.core.$ZodType }[] {
  const inner = inside(type);
  const [holder, prefix] = inner instanceof z.ZodArray ? [inside(inner.element), `${path}[].`] : [inner, `${path}.`];
  const shape: Readonly<Record<string, z.core.$ZodType>> = holder instanceof z.ZodObject ? holder.shape : {};
  return [{ path, type }, ...Object.entries(shape).flatMap(([key, field]) => fields(`${prefix}${key}`, field))];
}

function inside(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? inside(schema.unwrap()) : schema;
}
