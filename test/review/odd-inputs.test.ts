import { Marked } from "marked";
import { JSDOM } from "jsdom";
import { describe, expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import { deletion, foreignPreview, preview, type Step, urnOf } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

/** What Pulumi, or somebody by mistake, gives the reviewer: each has to end in a sentence. */

describe("what is no preview is refused with a sentence", () => {
  test.for([
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
