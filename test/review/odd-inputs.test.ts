import { Marked } from "marked";
import { type Element, JSDOM } from "jsdom";
import { describe, expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import { deletion, foreignPreview, preview, type Step, urnOf } from "./previews.ts";
import { reviewOfSteps, reviewOfTexts } from "./reviewed.ts";
import type { Report } from "../../provider/src/review/report.ts";
import { many } from "./many.ts";

/** What Pulumi, or somebody by mistake or on purpose, gives the reviewer: each ends in a sentence, is escaped, and fits where it is shown. */

describe("what is no preview is refused with a sentence", () => {
  test.for([
    [`> shop@1.0.0 preview\n${JSON.stringify({ steps: [] }, null, 2)}\ndone`, "it has text around its JSON. Give the standard output"],
    ["[]", "it is neither the output of `pulumi preview --json` nor an event log of the engine"],
    ["null", "it is neither"],
    ['"text"', "it is neither"],
    ["", "it is neither"],
    ['{"name":"package"}', "it is neither"],
    ['{"steps":5}', "its steps is not as `pulumi preview --json` writes it"],
    ['{"steps":[{"op":1,"urn":"x"}]}', "its steps[0].op is not as"],
    ['{"steps":[{"op":"create","urn":"x","newState":"y"}]}', "its steps[0].newState is not as"],
    ['{"config":[1]}', "its config is not as"],
  ] as const)("%s", ([text, sentence]) => {
    expect(() => reviewOfTexts([text])).toThrow(sentence);
    expect(() => reviewOfTexts([text])).not.toThrow(/[{[]\s*"|\n/);
  });
});

test.for(["{}", '{"config":{}}', '{"diagnostics":null,"steps":null}'])("%s is a preview that did not finish", (text) => {
  const { verdict, headline, reasons } = reviewOfTexts([text]);
  expect([verdict, headline, reasons[0]?.sentence]).toEqual(["blocked", "The preview failed", "the preview did not finish"]);
});

test.for<[string, string, string]>([
  [
    "an exception of the program",
    "Running program '/srv/build/index.ts' failed with an unhandled exception:\nTypeError: cannot read name of undefined\n    at Object.<anonymous> (/srv/build/index.ts:3:9)\n    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n",
    "the program ended with an error: TypeError: cannot read name of undefined",
  ],
  [
    "a sentence that the platform said",
    `diffing ${urnOf("Vpc x")}: the range 10.0.0.0/30 is too small`,
    "the range 10.0.0.0/30 is too small",
  ],
  ["several errors", "1 error occurred:\n\t* the range is too small\n\n", "the range is too small"],
  ["nothing", "error: ", "the engine does not say why"],
])("a failed preview is a sentence: %s", ([, message, sentence]) => {
  const { reasons, verdict } = reviewOfTexts([preview([], [{ severity: "error", message }])]);
  expect([verdict, reasons.map((reason) => reason.sentence)]).toEqual(["blocked", [sentence]]);
});

test("a dump is cut", () => {
  const { reasons } = reviewOfTexts([preview([], [{ severity: "error", message: `{"state": "${"kept ".repeat(4000)}"}` }])]);
  expect(reasons[0]?.sentence.length).toBeLessThan(700);
  expect(reasons[0]?.sentence).toContain("the rest is in the output of pulumi");
});

describe("a position counts only if it is a line of the project", () => {
  const placed = (source: string) => reviewOfTexts([foreignPreview(deletion("Vpc", "x", {}, { source }), "aws:s3/bucket:Bucket")]);
  test.for([
    "project:///..%2F..%2Fetc/passwd#3,1",
    "project:////etc/passwd#3",
    "project:///C:/secret.ts#3",
    "project:///node_modules/@pulumi/aws/s3/bucket.js#71,9",
    "project:///a/%6eode_modules/x.js#1",
    "project:///index.ts#0,0",
    "project:///index.ts#99999999999999999999",
    "file:///srv/index.ts#3",
    "somewhere",
    "",
  ])("%s does not", (source) => {
    expect(placed(source).changes[0]?.source).toBeUndefined();
  });

  test("others are a place in every format, whatever is in their names", () => {
    for (const [name, file] of [
      ["index.ts", "index.ts"],
      ["with%20space.ts", "with space.ts"],
      ["%ff.ts", "%ff.ts"],
      ["a\ud800.ts", "a\ufffd.ts"],
    ]) {
      const report = placed(`project:///${name}#3,0`);
      expect(report.changes[0]?.source).toEqual({ file, line: 3 });
      for (const render of Object.values(formats)) expect(render(report, "")).not.toBe("");
    }
  });
});

describe("Markdown is shown as it is meant", () => {
  const shown = (steps: readonly Step[], diagnostics: Parameters<typeof preview>[1] = []) => {
    const html = new Marked({ gfm: true }).parse(formats.github(reviewOfTexts([preview(steps, diagnostics)]), ""), { async: false });
    return new JSDOM(html).window.document.body.textContent ?? "";
  };
  const subnets = Array.from({ length: 980 }, (_, index) => deletion("Subnet", `n${index}`, {}, { from: { vpcId: ["Vpc net"] } }));
  const gone = [deletion("Vpc", "net"), ...subnets];

  test("numbers and names in lists have no asterisks", () => {
    expect(shown(gone)).toContain("with 980 more");
    for (const steps of [gone, gone.slice(0, 40), [deletion("Vpc", "*a*")]])
      expect(shown(steps).replaceAll("*a*", "")).not.toMatch(/\*|\\/);
  });

  test("backticks in sentences make code, and leave no backslash", () => {
    const text = shown([], [{ severity: "error", message: "the pool is protected: run `pulumi up` first" }]);
    expect(text).toContain("run pulumi up first");
    expect(text).not.toMatch(/[\\`]/);
  });
});

async function parsedByMermaid(text: string): Promise<string> {
  const { window } = new JSDOM("");
  Object.assign(globalThis, { window, document: window.document });
  const { default: mermaid } = await import("mermaid");
  return (await mermaid.parse(text)).diagramType;
}

/** Names that are markup or commands where they are shown, unless they are escaped. */
const hostile = {
  markdown: "**bold** [link](https://evil.example) ![x](https://evil.example/x.png) `code` # head",
  table: "a | b | c\n| --- |\n",
  fence: "```\n</details>\n## out\n```mermaid",
  quote: "> [!CAUTION]\n> @everyone #1 !2 ~3 www.evil.example",
  html: '<script>alert(1)</script><img src=x onerror="alert(1)"></details></summary><h1>out</h1>',
  comment: "--> <!-- container-platform-review: other --> <b>x</b>",
  mermaid: '"]; click n0 "javascript:alert(1)"; n1["x',
  mermaidEnd: "end\n  subgraph x\n%%{init: {}}%%",
  command: "::error file=x::y\n::set-output name=a::b\r\n::stop-commands::x",
  terminal: "\u001b[2J\u001b]8;;https://evil.example\u0007x\u202ereversed\u200b",
  entity: "&lt;b&gt; &#60;script&#62; $math$ ~~gone~~ :smile:",
};

/** A preview with a name in every place that a program can write. */
function reportWith(name: string): Report {
  const steps: readonly Step[] = [
    {
      ...{ kind: "Vpc", name, op: "replace", because: ["cidrBlock"] },
      old: { cidrBlock: "10.0.0.0/16", tags: { [name]: "a" } },
      now: { cidrBlock: name, tags: { [name]: name } },
    },
    { kind: "Subnet", name, op: "replace", old: { vpcId: "a" }, now: { vpcId: "b" }, from: { vpcId: [`Vpc ${name}`] }, because: ["vpcId"] },
    {
      ...{ kind: "RegistryInstance", name, op: "update", source: `project:///${encodeURIComponent(name)}#3,1` },
      ...{ old: {}, now: { publicAccess: { whitelist: [{ cidrBlock: name, description: name }] } } },
    },
    deletion("Token", name, { desc: name }),
  ];
  return reviewOfTexts([preview(steps, [{ severity: "warning", message: name }])]);
}

const plain = reportWith("plain");

const plainTags = {
  page: tagsOf(new JSDOM(formats.html(plain, "")).window.document.body),
  comment: tagsOf(commentOf(formats.github(plain, ""))),
};

describe.each(Object.entries(hostile))("a resource named like %s", (_, name) => {
  const report = reportWith(name);

  test("does not change the structure of the page", () => {
    const { body } = new JSDOM(formats.html(report, "")).window.document;
    expect(tagsOf(body)).toEqual(plainTags.page);
    expect(body.querySelectorAll("script, img, a, [onerror]")).toHaveLength(0);
  });

  test("does not change the structure of the comment", () => {
    const text = formats.github(report, "");
    const shown = commentOf(text);
    expect(tagsOf(shown)).toEqual(plainTags.comment);
    expect(shown.querySelectorAll("script, img, a, h1")).toHaveLength(0);
    const lines = text.split("\n");
    expect(lines.map((line) => line.startsWith("<!-- container-platform-review"))).toEqual(lines.map((_, index) => index === 0));
    expect(mentionsIn(shown)).toEqual([]);
    expect(diagramIn(text).split("\n")).toHaveLength(diagramIn(formats.github(plain, "")).split("\n").length);
  });

  test("gives no commands to the forge or the terminal", () => {
    const commands = formats.annotations(report, "").trimEnd().split("\n");
    expect(commands).toHaveLength(formats.annotations(plain, "").trimEnd().split("\n").length);
    expect(commands.every((line) => /^::(?:error|warning|notice) [^:]*::/.test(line))).toBe(true);
    expect(formats.terminal(report, "")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

test("names with Mermaid's syntax are labels in its diagram", async () => {
  const names = Object.values(hostile);
  const steps = names.map((name, index) =>
    deletion("Subnet", name, {}, { from: { vpcId: index === 0 ? [] : [`Subnet ${names[index - 1]}`] } }),
  );
  await expect(parsedByMermaid(diagramIn(formats.github(reviewOfSteps(...steps), "")))).resolves.toBe("flowchart-v2");
});

test("of 1,000 changes, the diagram has no more resources than can be read", async () => {
  const diagram = diagramIn(formats.gitlab(reviewOfSteps(...many), ""));
  expect(diagram.match(/:::/g)).toHaveLength(60);
  await expect(parsedByMermaid(diagram)).resolves.toBe("flowchart-v2");
});

/** As a forge renders it. */
function commentOf(text: string): Element {
  return new JSDOM(new Marked({ gfm: true }).parse(text, { async: false })).window.document.body;
}

function diagramIn(text: string): string {
  return /```mermaid\n([\s\S]*?)\n```/.exec(text)?.[1] ?? "";
}

/** The mentions and links that a forge would find: it looks in texts, but not in code. */
function mentionsIn(body: Element): string[] {
  return [...textsIn(body)].filter((text) => /@\w|https?:\/\/|\bwww\./.test(text));
}

function* textsIn(body: Element): Generator<string> {
  const texts = body.ownerDocument.createTreeWalker(body, 4);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    if (!text.parentElement?.closest("code, pre")) yield text.textContent ?? "";
}

function tagsOf(body: Element): string[] {
  return [...body.querySelectorAll("*")].map(({ tagName }) => tagName);
}

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
