import { describe, expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import { parsedByMermaid } from "./mermaid.ts";
import { preview, type Step } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";
import { many } from "./many.ts";

const report = reviewOfTexts([preview(many)]);
const ended = many.filter(({ op }) => op === "delete" || op === "replace").map(({ name }) => name);

describe("a preview of 1,000 changed resources", () => {
  test("is complete in the report", () => {
    expect(report.counts).toMatchObject({ delete: 300, replace: 200, update: 300, create: 200 });
    expect(report.changes).toHaveLength(1000);
  });

  test.for([
    ["github", 65_536],
    ["gitlab", 1_000_000],
  ] as const)("fits into a comment of %s, with every deletion and replacement", ([format, limit]) => {
    const text = formats[format](report, "the job's artifact");
    expect(text.length).toBeLessThan(limit);
    for (const name of ended) expect(text).toContain(name);
    expect(text.includes("The whole report: the job's artifact")).toBe(format === "github");
  });

  test("has a diagram that Mermaid accepts, with no more resources than can be read", async () => {
    const [, diagram = ""] = /```mermaid\n([\s\S]*?)\n```/.exec(formats.gitlab(report, "")) ?? [];
    expect(diagram.match(/:::/g)).toHaveLength(60);
    await expect(parsedByMermaid(diagram)).resolves.toBe("flowchart-v2");
  });

  test("says so where there is no room even for the names", () => {
    const long = (index: number) => `${"very-long-name-".repeat(12)}${index}`;
    const gone: Step[] = Array.from({ length: 600 }, (_, index) => ({ kind: "Subnet", name: long(index), op: "delete" }));
    const text = formats.github(reviewOfTexts([preview(gone)]), "the artifact");
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain("Too much to name here: 600 deleted and 0 replaced");
    expect(text).toContain("the artifact");
  });
});
