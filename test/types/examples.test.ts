import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as library from "@container-platform/pulumi";
import { expect, test } from "vitest";
import { complaints, root } from "../support/compiler.ts";

/** The example of each resource, as its page has it from `@example`, and the samples about pulling and about components, which are one program each. */
const programs = [
  ...readdirSync(join(root, "docs", "resources")).map((name) => ({ page: join("resources", name), samples: 1 })),
  { page: "pulling.md", samples: Infinity },
  { page: "components.md", samples: Infinity },
];

test.each(programs)("what $page shows compiles", ({ page, samples }) => {
  const shown = [...readFileSync(join(root, "docs", page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, sample = ""]) => sample);
  const text = shown.slice(0, samples).join("\n");
  const imported = [...text.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()));
  const others = Object.keys(library).filter((name) => !imported.includes(name));
  const program = `import { ${others.join(", ")} } from "@container-platform/pulumi";\n${text}`;
  expect(shown.length).toBeGreaterThan(0);
  // What a sample names and does not make can be anything.
  const isMissing = (complaint: string) => /^Cannot find name '[a-z]\w*'\./.test(complaint);
  expect(complaints("examples/platform/sample.ts", program).filter((complaint) => !isMissing(complaint))).toEqual([]);
});

test("what the pages of functions show compiles", () => {
  const pages = readdirSync(join(root, "docs", "functions"));
  const shown = pages.map((name) => /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, "docs", "functions", name), "utf8"))?.[1]);
  const blocks = shown.map((text) => `{\n${text?.replaceAll(/^export /gm, "") ?? '"no example" satisfies never;'}}`);
  const before = `import { ${Object.keys(library).join(", ")} } from "@container-platform/pulumi";\ndeclare const vpc: Vpc;\n`;
  expect(complaints("examples/platform/functions.ts", `${before}${blocks.join("\n")}`)).toEqual([]);
});
