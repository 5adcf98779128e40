import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { isRun, isShell, pages, programsOf } from "./pages.ts";
import { complaintsOf, isProgram } from "./program.ts";
import { minutes, printedBy } from "./shell.ts";
import type { Sample } from "./samples.ts";

const examples = pages.filter(({ path }) => path.startsWith(join("docs", "reference", "examples")));
const publishedExamples = new Set(examples.flatMap(({ samples }) => samples.map(({ text }) => text)));

/** What is wrong with the text of a sample, as far as that can be seen without running it. */
function faults(sample: Sample): string[] {
  const { language, text, before } = sample;
  if (isShell(language)) {
    const { stderr } = spawnSync("bash", ["-n"], { input: `${before}${text}`, encoding: "utf8" });
    return stderr === "" ? [] : [stderr];
  }
  switch (language) {
    case "json":
      JSON.parse(text);
      return [];
    case "yaml":
      return parseDocument(text).errors.map(({ message }) => message);
    case "js":
      return isProgram(text) ? [] : ["it is no program"];
    case "ts":
      // The samples of a page are one program: see below.
      return [];
    case "typescript":
    case "python":
    case "go":
      // Tests compile these examples.
      return publishedExamples.has(text) ? [] : [`this sample in ${language} is not one of docs/reference/examples`];
    case "text":
    case "mermaid":
      return [];
    default:
      return [`no test looks at ${language}`];
  }
}

test("data and commands of all pages are spelt right", () => {
  expect(pages.flatMap(({ path, samples }) => samples.flatMap(faults).map((fault) => `${path}: ${fault}`))).toEqual([]);
});

test("programs of all pages compile", () => {
  const programs = pages.flatMap(({ path, samples }) => programsOf(samples).map((text) => ({ path, text })));
  const complaints = complaintsOf(programs.map(({ text }) => text));
  expect(programs.flatMap(({ path }, at) => (complaints[at] ?? []).map((complaint) => `${path}: ${complaint}`))).toEqual([]);
  expect(programs.length).toBeGreaterThan(20);
});

// The README has a test of its own, in a copy of the clone.
const ofFolder = pages.filter(({ path }) => path !== "README.md");
const shells = ofFolder.filter(({ samples }) => samples.some((sample) => sample.title === undefined && isRun(sample)));

test.each(shells)("$path: what it shows works", { timeout: minutes * 60_000 + 10_000 }, (page) => {
  const { status, output } = printedBy(page);
  expect(status, output).toBe(0);
});
