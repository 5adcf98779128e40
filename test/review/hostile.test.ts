import { type Element, JSDOM } from "jsdom";
import { Marked } from "marked";
import { describe, expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import type { Report } from "../../provider/src/review/report.ts";
import { many } from "./many.ts";
import { deletion, preview, type Step } from "./previews.ts";
import { reviewOfSteps, reviewOfTexts } from "./reviewed.ts";

/** The type of diagram that Mermaid's own parser finds in a text. Fails if there is none. Mermaid needs a browser's window to clean labels. */
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
