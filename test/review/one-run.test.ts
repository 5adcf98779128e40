import { describe, expect, test } from "vitest";
import { changeInPlace, deletion, preview, type Step, unchanged } from "./previews.ts";
import { recorded, reviewOfTexts } from "./reviewed.ts";

/** What is reviewed is one run of the engine, from its beginning to its end. */

const [whole = "", log = ""] = recorded("registryDeleted");
const lines = log.trimEnd().split("\n");

/** The verdict on some files, or why they are refused. */
function outcomeOf(...texts: readonly string[]): string {
  try {
    return reviewOfTexts(texts).verdict;
  } catch (error) {
    return error instanceof Error ? `refused: ${error.message}` : "";
  }
}

describe("a log that is not whole passes nothing", () => {
  test("the whole one is judged", () => {
    expect([outcomeOf(log), outcomeOf(log.trimEnd()), outcomeOf(whole, log)]).toEqual(Array(3).fill("needs-approval"));
  });

  test.for(["nothing", "registryDeleted"])("%s, cut after any line", (name) => {
    const [json = "", events = ""] = recorded(name);
    const all = events.trimEnd().split("\n");
    for (let count = 1; count < all.length; count += 1) {
      const cut = all.slice(0, count).join("\n");
      expect([count, outcomeOf(cut), outcomeOf(json, cut)]).toEqual([count, "blocked", "blocked"]);
    }
  });

  test("says that more may be done", () => {
    const { unanalysed } = reviewOfTexts([lines.slice(0, 20).join("\n")]);
    expect(unanalysed).toContain("the preview did not finish: further changes are not known");
  });

  test("cut in the middle of a line", () => {
    for (let length = 1; length < log.trimEnd().length; length += 1997)
      if (!log.slice(0, length).endsWith("}\n")) expect(outcomeOf(log.slice(0, length))).toMatch(/^(?:refused: it|blocked)/);
    expect(outcomeOf(log.slice(0, -9))).toMatch(/^refused: its line 44 is not a whole event of the engine: run the preview again/);
  });

  test("with its beginning cut off", () => {
    expect(outcomeOf(lines.slice(3).join("\n"))).toMatch(/^refused: its beginning is missing/);
    expect(outcomeOf(log.slice(500))).toMatch(/^refused: its beginning is missing/);
  });

  test("a preview that was cut off", () => {
    for (let length = 1; length < whole.trimEnd().length; length += 1997) expect(outcomeOf(whole.slice(0, length))).toMatch(/^refused: it/);
  });

  test("a preview that has counted nothing, though it has only warned", () => {
    const text = preview([], [{ severity: "warning", message: "a warning" }]).replace('"changeSummary"', '"other"');
    expect(outcomeOf(text)).toBe("blocked");
  });

  test("an error, although the run is said to have succeeded", () => {
    const error = JSON.stringify({ sequence: 1, diagnosticEvent: { severity: "error", message: "error: the range is too small" } });
    expect(outcomeOf([lines[0], error, ...lines.slice(1)].join("\n").replaceAll('"sequence"', '"number"'))).toBe("blocked");
  });
});

describe("a preview and a log are of one run", () => {
  const vpc = changeInPlace("Vpc", { vpcName: "a" }, { vpcName: "b" });
  const gone = deletion("Cluster", "main");

  test("two logs in one file, and two files of one kind, are refused", () => {
    expect(outcomeOf(log + log)).toMatch(/^refused: it has the events of more than one run/);
    expect(outcomeOf(`${log.trimEnd()}${recorded("nothing")[1] ?? ""}`)).toMatch(
      /^refused: its? .* (?:more than one run|not a whole event)/,
    );
    expect(outcomeOf(log, log)).toMatch(/^refused: 2 files were given: give one preview and its event log/);
    expect(outcomeOf(whole, whole, log)).toMatch(/^refused: 3 files/);
  });

  test("of another stack", () => {
    const other = log.replaceAll("urn:pulumi:test::", "urn:pulumi:prod::");
    expect(outcomeOf(whole, other)).toBe(
      "refused: the preview is of stack test of project throw-away, and the event log of stack prod of project throw-away: give those of one run",
    );
    expect(outcomeOf(preview([gone]), log)).toMatch(/^refused: the preview is of stack test of project project/);
  });

  test("of another run of the same stack", () => {
    const [, nothing = ""] = recorded("nothing");
    expect(outcomeOf(whole, nothing)).toMatch(
      /^refused: the preview and the event log are of different runs: only the preview says delete /,
    );
    expect(outcomeOf(recorded("nothing")[0] ?? "", log)).toMatch(/: only the event log says delete .*RegistryInstance platform/);
    expect(outcomeOf(preview([vpc, gone]), logOf([vpc, gone]))).toBe("needs-approval");
    expect(outcomeOf(preview([vpc]), logOf([vpc, gone]))).toMatch(
      /^refused: .*: only the event log says delete Cluster main\. Give those of one run/,
    );
  });

  test("of which every recorded pair is", () => {
    for (const name of ["cidr", "cidrOverlapping", "cidrWhileProtected", "endpointClosed", "rename", "tokenType", "versionUp"])
      expect(outcomeOf(...recorded(name))).not.toMatch(/refused/);
  });
});

test("a provider that the engine has made by itself, and that only the log has, needs approval when it is configured otherwise", () => {
  const vpc = unchanged("Vpc", "net", { vpcName: "a" });
  const urn = "urn:pulumi:test::project::pulumi:providers:aws::default_6_1_0";
  const state = (region: string) => ({ type: "pulumi:providers:aws", urn, id: "1", custom: true, inputs: { region } });
  const event = { op: "update", urn, old: state("eu-west-1"), new: state("us-east-1"), diffs: ["region"] };
  const logged = logOf([vpc]).replace("\n", `\n${JSON.stringify({ resourcePreEvent: { metadata: event } })}\n`);
  const { verdict, reasons } = reviewOfTexts([preview([vpc]), logged]);
  expect([verdict, reasons[0]?.sentence]).toEqual(["needs-approval", expect.stringContaining("configured otherwise (region)")]);
});

function logOf(steps: readonly Step[]): string {
  const { steps: written }: { steps: { op: string; urn: string; oldState?: object; newState?: object }[] } = JSON.parse(preview(steps));
  const events = written.map(({ op, urn, oldState = null, newState = null }) => ({
    resourcePreEvent: { metadata: { op, urn, old: oldState, new: newState } },
  }));
  return [{ preludeEvent: {} }, ...events, { summaryEvent: { result: "succeeded" } }, { cancelEvent: {} }]
    .map((event) => JSON.stringify(event))
    .join("\n");
}
