import { describe, expect, test } from "vitest";
import { z } from "zod";
import { screenOf } from "../../provider/src/review/render/terminal.ts";
import { widthOf } from "../../sdk/src/cli/output/width.ts";
import { formats } from "../../provider/src/review/render/formats.ts";
import { changeInPlace, creation, deletion, type Step, unchanged } from "./previews.ts";
import { reviewed, reviewOfSteps } from "./reviewed.ts";

/** What a person sees in half a minute. */

const cluster = deletion("Cluster", "main", {}, { source: "project:///cluster.ts#8,3" });
const pool = (name: string) => deletion("NodePool", name, {}, { from: { clusterId: ["Cluster main"] } });
const opened: Step = {
  ...changeInPlace("Namespace", { isPublic: false }, { isPublic: true }),
  ...{ name: "team", source: "project:///registry.ts#4" },
};

describe("the headline says the worst first", () => {
  test.for<[string, readonly Step[], RegExp]>([
    [
      "a cluster with its pools",
      [pool("a"), pool("b"), cluster],
      /^Destroys 1 cluster with 2 node pools; cannot be undone; about \d+ minutes?$/,
    ],
    ["access besides", [opened, cluster], /^Destroys 1 cluster; opens access at Namespace team; cannot be undone; /],
    ["access alone", [opened], /^Opens access at Namespace team; can be undone/],
    [
      "a replacement",
      [{ kind: "Vpc", name: "x", op: "replace", old: { cidrBlock: "a" }, now: { cidrBlock: "b" }, because: ["cidrBlock"] }],
      /^Destroys and recreates 1 VPC; /,
    ],
    [
      "what is protected",
      [{ ...cluster, protect: true }],
      /^Cannot be carried out, because of the protection of Cluster main; would destroy 1 cluster; /,
    ],
    ["what is safe", [creation("Vpc", "x")], /^Creates 1 resource; nothing is lost, interrupted or opened; less than a minute$/],
    ["nothing", [unchanged("Vpc", "x")], /^Nothing changes$/],
  ])("%s", ([, steps, headline]) => {
    expect(reviewOfSteps(...steps).headline).toMatch(headline);
  });
});

test("below blocked is only what blocks, and after it what would need approval", () => {
  const text = formats.terminal(reviewOfSteps(opened, { ...cluster, protect: true }), "");
  const [, blocking, others] = /^Blocked\. [^\n]*\n([\s\S]*?)\n\nWould also need approval:\n([\s\S]*?)\n\n/m.exec(text) ?? [];
  expect(blocking?.trim().split("\n")).toEqual([expect.stringContaining("Pulumi's option protect is on")]);
  expect(others?.split("\n").map((line) => line.trim().split(/[ ,]+/).slice(0, 3).join(" "))).toEqual([
    "- Cluster main",
    "- Namespace team",
  ]);
});

test("a change that several others cause is named again, and not repeated with all below it", () => {
  const from = { vpcId: ["Vpc a", "Vpc b"] };
  const below = [deletion("Subnet", "s", {}, { from }), { ...cluster, from: { subnetId: ["Subnet s"] } }];
  const text = formats.terminal(reviewOfSteps(deletion("Vpc", "a"), deletion("Vpc", "b"), ...below), "");
  expect(text.match(/Subnet s deleted.* \(see above\)/g)).toHaveLength(1);
  expect(text.match(/─ - Cluster main/g)).toHaveLength(1);
});

describe("a terminal", () => {
  const report = reviewed("cidr");

  test.for([40, 60, 80, 120])("of %i columns has no longer lines, and nothing is missing", (width) => {
    const text = formats.terminal(report, "", { width, colours: false });
    const longest = Math.max(...text.split("\n").map(widthOf));
    expect(longest).toBeLessThanOrEqual(width);
    const words = (shown: string) => shown.replaceAll(/[\s│├└─]/g, "");
    const [start = ""] = formats.terminal(report, "").split("Property");
    expect(words(text)).toContain(words(start).slice(0, 1200));
  });

  test("wraps wide letters and words without spaces", () => {
    const text = formats.terminal(reviewOfSteps(deletion("Vpc", "漢字".repeat(60))), "", { width: 50, colours: false });
    expect(Math.max(...text.split("\n").map(widthOf))).toBeLessThanOrEqual(50);
  });

  test("has the colours of what is done, and says the same without them", () => {
    const shown = formats.terminal(report, "", { width: 100, colours: true });
    expect(shown).toContain("\u001b[35m± Cluster platform replaced, cannot be undone\u001b[39m");
    expect(shown).toContain("\u001b[33m~ RegistryInstance platform changed in place\u001b[39m");
    expect(shown.replaceAll(/\u001b\[\d+m/g, "")).toBe(formats.terminal(report, "", { width: 100, colours: false }));
  });

  test("is one only if the stream is, and has colours only if it shows them", () => {
    const tty = { isTTY: true, columns: 72, hasColors: () => true };
    expect(screenOf(tty)).toEqual({ width: 72, colours: true });
    expect(screenOf({ ...tty, hasColors: () => false })).toEqual({ width: 72, colours: false });
    expect(screenOf({ isTTY: true })).toEqual({ width: 80, colours: false });
    expect(screenOf({ columns: 72, hasColors: () => true })).toEqual({ width: undefined, colours: false });
  });
});

const commentsSchema = z.object({
  marker: z.string(),
  left: z.number(),
  comments: z.array(z.object({ file: z.string(), line: z.number(), side: z.string(), verdict: z.string(), text: z.string() })),
});

describe("comments on lines", () => {
  const commentsOf = (...steps: readonly Step[]) => commentsSchema.parse(JSON.parse(formats.comments(reviewOfSteps(...steps), "")));

  test("are one for a line, the worst first, on the side that has the line", () => {
    const { marker, comments, left } = commentsOf(opened, cluster, { ...cluster, name: "other", protect: true });
    expect(comments.map(({ file, line, side, verdict }) => [file, line, side, verdict])).toEqual([
      ["cluster.ts", 8, "before", "blocked"],
      ["registry.ts", 4, "after", "needs-approval"],
    ]);
    expect(comments[0]?.text.split("\n").map((line) => line.slice(0, 12))).toEqual([
      marker.slice(0, 12),
      ...Array(3).fill(expect.stringMatching(/^- \*\*/)),
    ]);
    expect(comments.every(({ text }) => text.startsWith(`${marker}\n`))).toBe(true);
    expect(left).toBe(0);
  });

  test("are 50 at most", () => {
    const many = Array.from({ length: 60 }, (_, index) => deletion("Vpc", `v${index}`, {}, { source: `project:///index.ts#${index + 1}` }));
    const { comments, left } = commentsOf(...many);
    expect([comments.length, left]).toEqual([50, 10]);
  });
});
