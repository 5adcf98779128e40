import { describe, expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import { many } from "./many.ts";
import { deletion } from "./previews.ts";
import { reviewOfSteps } from "./reviewed.ts";

const report = reviewOfSteps(...many);
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

  test("says so where there is no room even for the names", () => {
    const gone = Array.from({ length: 600 }, (_, index) => deletion("Subnet", `${"very-long-name-".repeat(12)}${index}`));
    const text = formats.github(reviewOfSteps(...gone), "the artifact");
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain("580 more deletions and replacements are not named");
    expect(text).toContain("The whole report: the artifact");
  });
});

describe("a preview of 10,000 deletions", () => {
  const kindOf = (index: number) => (index === 7000 ? "Cluster" : index % 10 === 0 ? "Namespace" : "Subnet");
  const found = reviewOfSteps(...Array.from({ length: 10_000 }, (_, index) => deletion(kindOf(index), `r${index}`)));

  test("is said in one sentence, the worst first", () => {
    expect(found.headline).toMatch(/^Destroys 1 cluster, 999 namespaces and 9,000 more resources; cannot be undone; /);
  });

  test.for(["github", "gitlab", "terminal"] as const)("has a verdict, counts by kind and the worst in %s", (format) => {
    const text = formats[format](found, "the artifact");
    expect(text).toMatch(/[Nn]eeds approval/);
    expect(text).toContain("Cluster r7000");
    expect(text.replaceAll(/[|`*]/g, " ")).toMatch(/Subnet\s+9000\b/);
    if (format === "github") expect(text.length).toBeLessThan(65_536);
  });
});
