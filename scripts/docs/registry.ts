import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatted } from "./markdown.ts";

const index = new URL("../../provider/src/index.ts", import.meta.url);
const line = /^export \{\s+(\w+),\s+type \1Args,[^}]*\} from "\.\/resources\/([\w/-]+)\.ts";$/gm;
const head = "// Written by `npm run fix` from the lines of index.ts.\n";

/**
 * The tables of all kinds of resources, by file name: how each is loaded, what the reviewer knows about it, and what the tests do. They
 * are made from the text of index.ts, because the sources do not compile yet when a kind is new.
 */
export async function registryFiles(): Promise<Map<string, string>> {
  const kinds = [...readFileSync(index, "utf8").matchAll(line)].map(([, name = "", path = ""]) => ({
    name,
    path,
    review: `${lowered(name)}Review`,
    cases: `${lowered(name)}Cases`,
  }));
  const texts: readonly (readonly [file: string, text: string])[] = [
    [
      "../provider/src/resources/kinds.ts",
      `import type { Kind } from "../definition/definition.ts";
import type { KindName } from "./reviews.ts";

${head}
/** Every kind of resource, loaded when it is first needed: most stacks have few of them. */
export const kinds: Readonly<Record<KindName, () => Promise<{ readonly kind: Kind }>>> = {
${kinds.map(({ name, path }) => `  ${name}: async () => (await import("./${path}.ts")).${name},\n`).join("")}};

/** All kinds, dependencies first. */
export function everyKind(): Promise<readonly Kind[]> {
  return Promise.all(Object.values(kinds).map(async (load) => (await load()).kind));
}

export function isKind(type: string): type is KindName {
  return Object.hasOwn(kinds, type);
}
`,
    ],
    [
      "../provider/src/resources/reviews.ts",
      `import type { Reviewed } from "../review/assess/reviewed.ts";
${kinds.map(({ path, review }) => `import { review as ${review} } from "./${path}.review.ts";\n`).join("")}
${head}
/** What the reviewer knows about every kind of resource. Nothing here loads a resource. */
const reviews = {
${kinds.map(({ name, review }) => `  ${name}: ${review},\n`).join("")}} as const;

export type KindName = keyof typeof reviews;

/** All kinds, dependencies first. */
export const kinds = Object.keys(reviews).filter((name): name is KindName => name in reviews);

export function reviewed(kind: KindName): Reviewed {
  return reviews[kind];
}
`,
    ],
    [
      "../test/provider/kinds/all.ts",
      `import type { KindName } from "../../../provider/src/resources/reviews.ts";
import type { KindCases } from "./kind-cases.ts";
${kinds.map(({ path, cases }) => `import { cases as ${cases} } from "./${path}.cases.ts";\n`).join("")}
${head}
/** What the suites know of every kind of resource, dependencies first. */
export const casesOf: Readonly<Record<KindName, KindCases>> = {
${kinds.map(({ name, cases }) => `  ${name}: ${cases},\n`).join("")}};
`,
    ],
  ];
  return new Map(await Promise.all(texts.map(async ([file, text]) => [file, await formatted(text, "typescript")] as const)));
}

function lowered(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

// `node scripts/docs/registry.ts` is the first step of `npm run fix`, before anything is built.
if (import.meta.main) for (const [file, text] of await registryFiles()) writeFileSync(join(import.meta.dirname, "../../docs", file), text);
