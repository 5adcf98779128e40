import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { formats } from "../../provider/src/review/render/formats.ts";
import { Browser } from "../support/browser.ts";
import { commentPage } from "./comment-page.ts";
import { many } from "./many.ts";
import { preview } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

// Opens the pages of reports, and the comments as a forge shows them, in a browser: `npm run look`. Reports which has a script error, or is wider than the screen. Pictures of
// all are left in node_modules/.cache/look.

const sizes = { phone: 360, desktop: 1280 } as const;

if (Browser.program === undefined) {
  console.log("No browser was found: nothing was looked at.");
  process.exit(0);
}
process.exitCode = await look();

async function look(): Promise<number> {
  const root = join(import.meta.dirname, "../..");
  const pictures = join(root, "node_modules/.cache/look");
  mkdirSync(pictures, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "container-platform-look-"));
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
  const goldens = join(import.meta.dirname, "goldens");
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
