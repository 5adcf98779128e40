import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { marked } from "marked";
import { formats } from "../provider/src/review/render/formats.ts";
import { Browser } from "../test/support/browser.ts";
import { many } from "../test/review/many.ts";
import { preview } from "../test/review/previews.ts";
import { reviewOfTexts } from "../test/review/reviewed.ts";

// `npm run review:browser`: opens the pages of reports, and the comments as a forge shows them, in a browser. Reports each page that has a
// script error or is wider than the screen. Pictures of all are left in node_modules/.cache/review-browser.

const alerts: Readonly<Record<string, string>> = { CAUTION: "#d1242f", WARNING: "#9a6700", TIP: "#1a7f37" };
const darkAlerts: Readonly<Record<string, string>> = { CAUTION: "#f85149", WARNING: "#d29922", TIP: "#3fb950" };
const sizes = { phone: 360, desktop: 1280 } as const;

if (Browser.program === undefined) {
  console.log("No browser was found: nothing was looked at.");
  process.exit(0);
}
process.exitCode = await reviewPages();

async function reviewPages(): Promise<number> {
  const root = join(import.meta.dirname, "..");
  const pictures = join(root, "node_modules/.cache/review-browser");
  mkdirSync(pictures, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "container-platform-review-"));
  try {
    await using browser = await Browser.start();
    const pages = await pagesIn(folder);
    let wrong = 0;
    for (const page of pages)
      for (const [size, width] of Object.entries(sizes))
        for (const scheme of ["light", "dark"] as const) {
          const { errors, overflow, picture } = await browser.look(pathToFileURL(join(folder, page)).href, { width, scheme });
          const name = `${page.replace(".html", "")}-${size}-${scheme}.png`;
          writeFileSync(join(pictures, name), picture);
          const found = [...errors, ...overflow.map((what) => `wider than the screen: ${what}`)];
          if (found.length > 0) wrong += 1;
          console.log(`${found.length === 0 ? "pass" : "FAIL"}  ${name}${found.map((what) => `\n      ${what}`).join("")}`);
        }
    console.log(`${pages.length} pages, at ${Object.keys(sizes).join(" and ")} width, light and dark: ${wrong} with something wrong.`);
    return wrong === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The pages and comments that the tests compare, and those of 1,000 changes with names without spaces. */
async function pagesIn(folder: string): Promise<string[]> {
  const goldens = join(import.meta.dirname, "../test/review/goldens");
  for (const file of readdirSync(goldens).filter((name) => name.endsWith(".html"))) execFileSync("cp", [join(goldens, file), folder]);
  const long = many.map((step, index) => (index % 50 === 0 ? { ...step, name: `${step.name}-${"unbroken".repeat(20)}` } : step));
  const report = reviewOfTexts([preview(long)]);
  writeFileSync(join(folder, "large.html"), formats.html(report, ""));
  const comments = readdirSync(goldens).filter((name) => name.endsWith(".github.md"));
  const texts = [
    ...comments.map((name) => [name, readFileSync(join(goldens, name), "utf8")] as const),
    ["large.github.md", formats.github(report, "the artifact")] as const,
  ];
  for (const [name, text] of texts) if (text !== "") writeFileSync(join(folder, name.replace(".md", ".html")), await commentPage(text));
  return readdirSync(folder).filter((name) => name.endsWith(".html"));
}

/** A comment in Markdown as a forge shows it, as far as its width matters: with GitHub's sizes, and its tables that scroll by themselves. */
async function commentPage(markdown: string): Promise<string> {
  const html = await marked.parse(markdown, { gfm: true });
  const body = html.replaceAll(
    /<blockquote>\s*<p>\[!(\w+)\]\s*/g,
    (_, tone: string) => `<blockquote class="${tone}"><p><b>${tone}</b></p><p>`,
  );
  const rules = (colours: typeof alerts) =>
    Object.entries(colours)
      .map(
        ([tone, colour]) => `blockquote.${tone} { border-color: ${colour}; } blockquote.${tone} > p:first-child > b { color: ${colour}; }`,
      )
      .join("\n");
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><style>
* { box-sizing: border-box; }
body { font: 14px/1.5 system-ui, sans-serif; color: #1f2328; background: #fff; margin: 0 auto; padding: 16px; max-width: 760px; overflow-wrap: break-word; }
code { font: 85% ui-monospace, monospace; background: #818b981f; padding: .2em .4em; border-radius: 6px; white-space: break-spaces; }
pre { background: #f6f8fa; padding: 16px; overflow: auto; border-radius: 6px; } pre code { background: none; padding: 0; white-space: pre; }
blockquote { margin: 0 0 16px; padding: 8px 16px; border-left: .25em solid #d1d9e0; } blockquote > p { margin: 0 0 8px; }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; }
th, td { padding: 6px 13px; border: 1px solid #d1d9e0; }
ul, ol { padding-left: 2em; } details { margin-bottom: 16px; }
${rules(alerts)}
@media (prefers-color-scheme: dark) {
body { color: #f0f6fc; background: #0d1117; } code { background: #656c7633; } pre { background: #151b23; }
th, td, blockquote { border-color: #3d444d; }
${rules(darkAlerts)}
}
</style><body>${body}</body>`;
}
