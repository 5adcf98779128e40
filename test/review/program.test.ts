import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { argumentsOf, UsageError } from "../../provider/src/review/arguments.ts";
import { formats } from "../../provider/src/review/render/formats.ts";
import { exitCodes } from "../../provider/src/review/report.ts";
import { scratchOfFile } from "../../sdk/src/scratch.fixture.ts";
import { fileOf, run } from "./command.ts";
import { recorded, reviewed, reviewOfTexts } from "./reviewed.ts";

const folder = scratchOfFile();

test("an exit code says whether a change may be carried out", async () => {
  expect(exitCodes).toEqual({ nothing: 0, safe: 0, "needs-approval": 3, blocked: 4 });
  const { code, stdout, stderr } = await run([fileOf("tokenType.json")], { folder });
  expect([code, stderr]).toEqual([exitCodes["needs-approval"], ""]);
  expect(stdout).toContain("Token pull, tokenType: is replaced");
  // What is no terminal gets neither colours nor lines that are wrapped.
  expect(stdout).not.toContain("\u001b");
});

test("if nothing changes, a person is told so, and a comment is empty", async () => {
  const comment = join(folder, "nothing.md");
  const shown = await run([fileOf("nothing.json"), "--write", `gitlab=${comment}`], { folder });
  expect([shown, readFileSync(comment, "utf8")]).toEqual([{ code: 0, stdout: "Nothing changes.\n", stderr: "" }, ""]);
});

test("settings of the policies are read from a file", async () => {
  writeFileSync(join(folder, "given.yaml"), "rules: { CP-IAM-001: block }\n");
  const { code, stdout } = await run([fileOf("permissionWidened.json"), "--policy", "given.yaml"], { folder });
  expect([code, stdout]).toEqual([exitCodes.blocked, expect.stringContaining("CP-IAM-001: roleName makes a user")]);
});

test.for(["safe", "nothing"])("a saved report whose verdict was edited to %s has the verdict of its reasons", async (verdict) => {
  const saved = formats.json(reviewed("cidrWhileProtected"), "");
  writeFileSync(join(folder, "edited.json"), saved.replace('"verdict": "blocked"', `"verdict": "${verdict}"`));
  const { code, stdout } = await run(["edited.json", "--write", "json=again.json"], { folder });
  expect([code, readFileSync(join(folder, "again.json"), "utf8")]).toEqual([exitCodes.blocked, saved]);
  expect(stdout).toBe(formats.terminal(reviewed("cidrWhileProtected"), ""));
});

test("a saved report whose reasons and changes were removed has the verdict of its failures", async () => {
  const { failures, ...report } = reviewed("cidrWhileProtected");
  expect(failures.length).toBeGreaterThan(0);
  writeFileSync(join(folder, "cut.json"), JSON.stringify({ ...report, failures, reasons: [], changes: [], verdict: "nothing" }));
  expect(await run(["cut.json"], { folder })).toMatchObject({ code: exitCodes.blocked });
});

test.for([
  [["--format", "pdf"], "pdf is no format; the formats are terminal, github"],
  [["--write", "html"], "--write html is not FORMAT=FILE"],
  [["--drift", "--prices", "prices.yaml"], "leave out --policy, --prices and --stack-state"],
  [["--drift", "--policy", "policy.yaml"], "leave out --policy, --prices and --stack-state"],
  [["--colour"], "there is no option --colour. Options for pulumi come after --, as in `-- --stack dev`"],
  [["somewhere.json", "--", "--stack", "dev"], "for pulumi"],
] as const)("a mistake in the command line is refused: %j", ([args, text]) => {
  const parsing = () => argumentsOf(args);
  expect(parsing).toThrow(UsageError);
  expect(parsing).toThrow(text);
});

test("a review without the event log lists what it could not analyse", () => {
  const [preview = "", log = ""] = recorded("cidr");
  const plain = preview.replaceAll(/"op": "(?:create-replacement|delete-replaced)"/g, '"op": "read-discard"');
  expect(reviewOfTexts([plain]).unanalysed).toEqual([
    "the order of replacements: this preview was made without --show-replacement-steps",
    "results of policy packs: only the engine's event log has them (--event-log)",
    "values that are known only after apply, in 14 resources: the fingerprint does not bind them",
  ]);
  expect(reviewOfTexts([plain, log]).moves).toEqual(reviewOfTexts([preview, log]).moves);
  expect(reviewOfTexts([log]).unanalysed[0]).toContain("dependencies: an event log does not have them");
});
