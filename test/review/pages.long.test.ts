import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import { scratch } from "../../sdk/src/scratch.fixture.ts";
import { Browser } from "../support/browser.ts";
import { many } from "./many.ts";
import { preview } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

/** The pages of reports in a real browser: those that the tests compare, and that of 1,000 changes, some with long names without spaces. */

const goldens = join(import.meta.dirname, "goldens");
const screens = [360, 1280].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })));

test("no page of a report has a script error, or is wider than the screen", { timeout: 300_000 }, async () => {
  const folder = scratch();
  for (const name of readdirSync(goldens).filter((each) => each.endsWith(".html"))) copyFileSync(join(goldens, name), join(folder, name));
  const long = many.map((step, index) => (index % 50 === 0 ? { ...step, name: `${step.name}-${"unbroken".repeat(20)}` } : step));
  writeFileSync(join(folder, "large.html"), formats.html(reviewOfTexts([preview(long)]), ""));
  await using browser = await Browser.start();
  for (const page of readdirSync(folder))
    for (const screen of screens) {
      const { errors, overflow } = await browser.look(pathToFileURL(join(folder, page)).href, screen);
      expect({ page, ...screen, errors, overflow }).toEqual({ page, ...screen, errors: [], overflow: [] });
    }
});
