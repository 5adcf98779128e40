import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Kind } from "../../provider/src/definition/definition.ts";
import { kinds as names } from "../../provider/src/resources/reviews.ts";
import { marksOf } from "../../provider/src/schema/marks.ts";
import { type Comments, commentsOf, parted } from "./comments.ts";
import { linksToExamples } from "./examples.ts";
import { fields, inside } from "./fields.ts";
import { functionRows } from "./functions.ts";
import { kinds } from "./kinds.ts";
import { code, codes, fileNameOf, page, table } from "./markdown.ts";

/** The pages of the resources, by file name. They are written from the definitions of the resources and the comments in them. */
export function resourcePages(): Map<string, string> {
  const comments = commentsOf(fileURLToPath(new URL("../../provider/src/index.ts", import.meta.url)));
  return new Map(
    kinds.map((kind) => {
      const said = comments.get(kind.type);
      if (!said) throw new Error(`the sources have no class ${kind.type}`);
      return [`resources/${fileNameOf(kind.type)}.md`, resourcePage(kind, said)];
    }),
  );
}

/** The table of all resources and functions, with the first sentence of the page of each. */
export function referencePage(): Map<string, string> {
  const comments = commentsOf(fileURLToPath(new URL("../../provider/src/index.ts", import.meta.url)));
  const resources = names.map((type) => [
    `[\`${type}\`](../resources/${fileNameOf(type)}.md)`,
    firstSentence(comments.get(type)?.summary ?? ""),
  ]);
  const text = page(
    "# Reference",
    "Look up resources, functions, settings and error codes.",
    "## Resources",
    "Each page lists the inputs with their defaults, how a change of each input is applied, and an import command. All resources accept `customTimeouts`, `import` and the other options of Pulumi. `X.get(name, id)` reads an existing resource without managing it.",
    table(["Resource", "Description"], resources),
    "## Functions",
    "Functions read the platform while your program runs. `getZones(args, opts)` returns a Promise; `getZonesOutput(args, opts)` accepts Outputs and returns an Output. With `{ provider }` or `{ parent }`, they read in the region of that provider or resource.",
    table(["Function", "Description"], functionRows()),
    "## Further reference",
    further.map(([title, path]) => `- [${title}](${path})`).join("\n"),
  );
  return new Map([["reference/README.md", text]]);
}

const further = [
  ["Configuration", "configuration.md"],
  ["Compatibility", "compatibility.md"],
  ["Error codes", "error-codes.md"],
  ["Components", "../components.md"],
  ["Policies", "../policies.md"],
  ["Operations of the API", "../operations.md"],
  ["cpcli", "../cpcli.md"],
] as const;

function firstSentence(summary: string): string {
  return /^(.+?)\.(?=\s|$)/s.exec(summary)?.[1] ?? summary;
}

function resourcePage(kind: Kind, comments: Comments): string {
  return page(
    `# ${kind.type}`,
    comments.summary,
    comments.example && fenced(comments.example),
    linksToExamples(kind),
    "## Inputs",
    table(["Input", "Type", "Default", "Change", "Taken out", "Description"], inputRows(kind, comments)),
    legend(kind, comments),
    "## Outputs",
    "Every input is also an output.",
    ...(Object.keys(kind.outputs.shape).length > 0 ? [table(["Output", "Type", "Description"], outputRows(kind, comments))] : []),
    ...methods(comments),
    "## Id",
    `${code(kind.id.looks.replaceAll(" or ", "` or `"))}. \`new ${kind.type}(name, args, { import: id })\` imports an existing one; \`${kind.type}.get(name, id)\` only reads it.`,
    "## How long it may take",
    times(kind),
    ...states(kind),
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
      const description = change === "new one" ? text.replace(/\s*A change makes a new [^.]*\.$/, "") : text;
      return [code(path), typeOf(field), fallback ?? fallbackOf(field), change, takenOut(field), description];
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
  return removalOf(schema) === "keep" ? "the platform's" : "none";
}

function changeOf(kind: Kind, key: string): string {
  const change = kind.changes[key];
  if (change === "replace") return "new one";
  if (change === "order-only") return "none: order only";
  if (change === "local-only") return "none on the platform";
  return typeof change === "object" && change.unknownReplaces ? "in place, or new one" : "in place";
}

const removals = { clear: "cleared", keep: "kept as it is", refuse: "refused" } as const;

function removalOf(schema: z.core.$ZodType): unknown {
  return marksOf(schema).removed;
}

function takenOut(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodDefault) return "back to the default";
  const removal = removalOf(schema);
  return removal === "clear" || removal === "keep" || removal === "refuse" ? removals[removal] : "";
}

function legend(kind: Kind, { sole }: Comments): string {
  const order = kind.sole
    ? `A new one is created before the old one is deleted, unless both cannot exist at the same time: then the old one is deleted first. ${sole ?? ""}`
    : keepsId(kind)
      ? "A new one is created before the old one is deleted, unless both have the same id: then the old one is deleted first."
      : "A new one is created before the old one is deleted.";
  const guarded = kind.protectedBy === undefined ? "" : guard(kind.protectedBy);
  return [order.trim(), guarded].filter(Boolean).join(" ");
}

function guard(input: string): string {
  return `While \`${input}\` is true, the resource is neither replaced nor deleted, and nothing inside it is deleted along with it. Where the program says \`true\` itself, not by an output, Pulumi's option \`protect\` is on as well, unless the program sets it: then previews refuse, too, before anything beside it is deleted. Both are lifted by \`${input}: false\` and \`pulumi up\`; \`pulumi state unprotect\`, which Pulumi proposes, is not needed.`;
}

/** Whether a new one can have the old one's id: the id consists of inputs only, and a change of another input replaces the resource. */
function keepsId({ id, inputs, changes }: Kind): boolean {
  const isReplaced = (key: string) => changes[key] === "replace" || typeof changes[key] === "object";
  return id.names.every((key) => key in inputs.shape) && Object.keys(changes).some((key) => isReplaced(key) && !id.names.includes(key));
}

function methods({ methods: all }: Comments): string[] {
  return all.flatMap(({ call, says }) => ["## Methods", fenced(call), says]);
}

function times({ seconds = {}, due, rare: { renew, slowCreation } = {} }: Kind): string {
  const usual = 600;
  const limits = (["create", "update", "delete"] as const).map((verb) => `${verb} ${(seconds[verb] ?? usual) / 60} minutes`);
  const sentences = [
    `At most: ${limits.join(", ")}; \`customTimeouts\` sets other times. If a wait ends early, nothing is lost: the next \`pulumi up\` goes on with it.`,
    slowCreation && `After ${slowCreation.seconds / 60} minutes: ${slowCreation.warning}.`,
    due && `It has to be renewed after a time: the preview says so, and \`pulumi up\` ${renew ? "renews it in place" : "makes a new one"}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

const meanings = {
  pending: "waited for",
  ready: "ready",
  gone: "gone",
  failed: "failed",
  deletionFailed: "deletion failed",
} as const satisfies Record<string, string>;

function states({ states: tables = {} }: Kind): string[] {
  return Object.entries(tables).flatMap(([key, readinessOf]) => {
    const rows = Object.entries(meanings).map(([readiness, words]) => {
      const names = Object.keys(readinessOf).filter((state) => readinessOf[state] === readiness);
      return [words, codes(names)];
    });
    return [
      "## States",
      `What the platform's \`${key}\` means. A state that is not listed is waited for, and never taken for success.`,
      table(
        ["Meaning", "States"],
        rows.filter(([, names]) => names !== ""),
      ),
    ];
  });
}
