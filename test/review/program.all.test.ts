/** Only the real engine knows the line of a program that declares a resource. The command is started as a process for each statement. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import { exitCodes } from "../../provider/src/review/report.ts";
import { scratchOfFile } from "../../sdk/src/scratch.fixture.ts";
import { Stack } from "../support/stack.ts";
import { fileOf, program, run } from "./command.ts";
import { reviewed, reviewOfTexts } from "./reviewed.ts";

const folder = scratchOfFile();

test("the command says how to find the stacks where there is none of a name", async () => {
  const engine = mkdtempSync(join(folder, "engine-"));
  const said = "error: no stack named 'nope' found";
  writeFileSync(join(engine, "pulumi"), `#!/bin/sh\necho "${said}" >&2\nexit 255\n`, { mode: 0o755 });
  expect(await run(["--", "--stack", "nope"], { folder, env: { PATH: engine } })).toEqual({
    code: 1,
    stdout: "",
    stderr: `container-platform-review: pulumi preview printed no result:\n${said}\n\`pulumi stack ls\` lists the stacks that there are: name one of them after \`-- --stack\`\n`,
  });
});

test("Pulumi's variable that answers questions does not keep it from looking", async () => {
  const engine = mkdtempSync(join(folder, "engine-"));
  writeFileSync(join(engine, "pulumi"), `#!/bin/sh\necho "variable: \${PULUMI_SKIP_CONFIRMATIONS-none}" >&2\nexit 255\n`, { mode: 0o755 });
  const { stderr } = await run(["--drift"], { folder, env: { PATH: engine, PULUMI_SKIP_CONFIRMATIONS: "true" } });
  expect(stderr).toContain("variable: none");
});

test("it writes several forms at once, renders a report again, reads standard input, and ends with 0 if told to", async () => {
  const [json, page] = [join(folder, "report.json"), join(folder, "report.html")];
  const preview = fileOf("cidr.json");
  const made = await run([preview, "--write", `json=${json}`, "--write", `html=${page}`, "--format", "github", "--exit-zero"], { folder });
  expect(made.code).toBe(0);
  expect(readFileSync(page, "utf8")).toContain("Vpc platform");
  const again = await run([json, "--format", "github"], { folder });
  expect([again.code, again.stdout]).toEqual([3, made.stdout]);
  // As Windows PowerShell writes it.
  writeFileSync(join(folder, "utf-16.json"), `\ufeff${readFileSync(preview, "utf8")}`, "utf16le");
  expect(await run(["utf-16.json"], { folder })).toEqual(await run([preview], { folder }));
  const piped = await run(["-", "--format", "github"], { folder, input: readFileSync(preview, "utf8") });
  expect([piped.code, piped.stdout]).toEqual([3, made.stdout]);
});

test("it looks for what was changed outside of Pulumi", async () => {
  const { stdout } = await run([fileOf("nothing.json"), "--drift"], { folder });
  expect(stdout).toBe("Nothing was changed outside of Pulumi.\n");
});

test("it reads from the states of other stacks that one reads an output which goes", async () => {
  const reference = { urn: "urn:pulumi:prod::apps::pulumi:pulumi:StackReference::x", type: "pulumi:pulumi:StackReference" };
  writeFileSync(join(folder, "other.json"), JSON.stringify({ resources: [{ ...reference, inputs: { name: "acme/throw-away/test" } }] }));
  const files = [fileOf("registryDeleted.json"), fileOf("registryDeleted.events.jsonl")];
  const { stdout } = await run([...files, "--stack-state", "other.json"], { folder });
  expect(stdout).toContain("loses the outputs imagePrefix, pullSecret, registryServer, which apps/prod reads");
});

test.for([
  [["--policy", "strict.yaml"], "leave --policy out, or give the preview that it was made of"],
  [["--prices", "prices.yaml", "--stack-state", "other.json"], "leave --prices and --stack-state out"],
  [["--drift"], "leave --drift out"],
  [[fileOf("rename.json")], "is a report of an earlier review: give it alone"],
] as const)("it refuses what it would not do with a report, which was judged before: %j", async ([args, sentence]) => {
  writeFileSync(join(folder, "judged.json"), formats.json(reviewed("rename"), ""));
  const { code, stdout, stderr } = await run(["judged.json", ...args], { folder });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(sentence);
});

test.for([
  [["--colour"], 2, "there is no option --colour."],
  [["missing.json"], 1, "missing.json cannot be read: ENOENT"],
  [["--prices", "missing.yaml", fileOf("rename.json")], 2, "missing.yaml cannot be read: ENOENT"],
  [["other.txt"], 1, "neither the output of `pulumi preview --json` nor an event log"],
  [[], 1, "pulumi could not be started"],
] as const)("it says what is wrong with %j, and shows nothing of a file that it cannot read", async ([args, expected, sentence]) => {
  writeFileSync(join(folder, "other.txt"), "password=hunter2-hunter2");
  const { code, stdout, stderr } = await run(args, { folder });
  expect([code, stdout]).toEqual([expected, ""]);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain("hunter2");
});

test("it ends with the exit code of the verdict, and prints no error, if nobody reads the whole report", async () => {
  const child = spawn(process.execPath, [program, fileOf("cidr.json")], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect([code, stderr]).toEqual([exitCodes["needs-approval"], ""]);
});

test("the engine knows the line of the program that declares a resource, in a module and in a function", async () => {
  await using stack = await Stack.create({
    program: `import { SecurityGroup, Vpc } from "@container-platform/pulumi";

function network(name: string) {
  return new Vpc(name, { cidrBlock: "10.0.0.0/16" });
}

network("inside");
new SecurityGroup("outside", {});
`,
  });
  const { stdout } = await stack.preview("--json");
  const places = reviewOfTexts([stdout]).changes.map(({ called, source }) => [called, `${source?.file}:${source?.line}`]);
  expect(Object.fromEntries(places)).toEqual({ "Vpc inside": "index.ts:4", "SecurityGroup outside": "index.ts:8" });
});
