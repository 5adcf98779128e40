import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { exitCodes } from "../../provider/src/review/report.ts";
import { Stack } from "../support/stack.ts";
import { recorded, reviewOfTexts } from "./reviewed.ts";

const program = join(import.meta.dirname, "../../provider/bin/container-platform-review.cjs");
const folder = mkdtempSync(join(tmpdir(), "container-platform-review-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command. `pulumi` is not on the PATH, unless `env` has another one. */
function run(
  args: readonly string[],
  { input = "", env = {} }: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { cwd: folder, env: { PATH: folder, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

const file = (name: string): string => join(import.meta.dirname, "recorded", `${name}.json`);

describe("the command", () => {
  test.for([
    ["nothing", exitCodes.nothing, "Nothing changes."],
    ["rename", exitCodes.safe, "Safe. Changes 1 resource; nothing is lost"],
    ["tokenType", exitCodes["needs-approval"], "Token pull, tokenType: is replaced"],
    ["versionDown", exitCodes.blocked, "never downgraded"],
  ] as const)("ends with the exit code of the verdict: %s, %i", async ([name, expected, text]) => {
    const { code, stdout, stderr } = await run([file(name)]);
    expect([code, stderr]).toEqual([expected, ""]);
    expect(stdout).toContain(text);
    // What is no terminal gets neither colours nor lines that are wrapped.
    expect(stdout).not.toContain("\u001b");
  });

  test("says how to find the stacks where there is none of a name", async () => {
    const engine = mkdtempSync(join(folder, "engine-"));
    const said = "error: no stack named 'nope' found";
    writeFileSync(join(engine, "pulumi"), `#!/bin/sh\necho "${said}" >&2\nexit 255\n`, { mode: 0o755 });
    expect(await run(["--", "--stack", "nope"], { env: { PATH: engine } })).toEqual({
      code: 1,
      stdout: "",
      stderr: `container-platform-review: pulumi preview printed no result:\n${said}\n\`pulumi stack ls\` lists the stacks that there are: name one of them after \`-- --stack\`\n`,
    });
  });

  test("says to a person that nothing changes, and makes no comment of it", async () => {
    const comment = join(folder, "nothing.md");
    const [shown, commented, drifted] = await Promise.all([
      run([file("nothing"), "--write", `gitlab=${comment}`]),
      run([file("nothing"), "--format", "github"]),
      run([file("nothing"), "--drift"]),
    ]);
    expect([shown.stdout, readFileSync(comment, "utf8"), commented.stdout]).toEqual(["Nothing changes.\n", "", ""]);
    expect(drifted.stdout).toBe("Nothing was changed outside of Pulumi.\n");
  });

  test("writes several forms at once, renders a report again, reads standard input, and ends with 0 if told to", async () => {
    const [json, page] = [join(folder, "report.json"), join(folder, "report.html")];
    const made = await run([file("cidr"), "--write", `json=${json}`, "--write", `html=${page}`, "--format", "github", "--exit-zero"]);
    expect(made.code).toBe(0);
    expect(readFileSync(page, "utf8")).toContain("Vpc platform");
    const again = await run([json, "--format", "github"]);
    expect([again.code, again.stdout]).toEqual([3, made.stdout]);
    const piped = await run(["-", "--format", "github"], { input: readFileSync(file("cidr"), "utf8") });
    expect([piped.code, piped.stdout]).toEqual([3, made.stdout]);
  });

  test("refuses what it would not do with a report, which was judged before", async () => {
    const json = join(folder, "judged.json");
    await run([file("rename"), "--write", `json=${json}`]);
    for (const [args, text] of [
      [["--policy", "strict.yaml"], "leave --policy out, or give the preview that it was made of"],
      [["--prices", "prices.yaml", "--stack-state", "other.json"], "leave --prices and --stack-state out"],
      [["--drift"], "leave --drift out"],
      [[file("rename")], "is a report of an earlier review: give it alone"],
    ] as const) {
      const { code, stdout, stderr } = await run([json, ...args]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(text);
    }
  });

  test("refuses a report that somebody has made safe", async () => {
    const json = join(folder, "forged.json");
    await run([file("tokenType"), "--write", `json=${json}`]);
    writeFileSync(json, readFileSync(json, "utf8").replace('"verdict": "needs-approval"', '"verdict": "safe"'));
    const { code, stdout, stderr } = await run([json]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("its verdict is safe, and the worst of its reasons and changes is needs-approval. Review the preview");
  });

  test("gives the same change the same fingerprint, whatever the key of the hashes", async () => {
    const prints = await Promise.all(
      ["tokenType", "tokenType", "rename"].map(async (name, index) => {
        const { stdout } = await run([file(name), "--format", "json"], { env: { CONTAINER_PLATFORM_REVIEW_KEY: String(index) } });
        return /"fingerprint": "(\w+)"/.exec(stdout)?.[1];
      }),
    );
    expect(new Set(prints).size).toBe(2);
    expect(prints[0]).toBe(prints[1]);
  });

  test.for([
    [["--format", "pdf"], 2, "pdf is no format; the formats are terminal, github"],
    [["--write", "html"], 2, "--write html is not FORMAT=FILE"],
    [["--drift", "--prices", "prices.yaml"], 2, "--prices and --stack-state are about a change that is planned"],
    [["--colour"], 2, "there is no option --colour. Options for pulumi come after --, as in `-- --stack dev`"],
    [["somewhere.json", "--", "--stack", "dev"], 2, "for pulumi"],
    [["missing.json"], 1, "missing.json cannot be read: ENOENT"],
    [["--prices", "missing.yaml", file("rename")], 2, "missing.yaml cannot be read: ENOENT"],
    [[], 1, "pulumi could not be started"],
  ] as const)("says what is wrong with %j", async ([args, expected, text]) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([expected, ""]);
    expect(stderr).toContain(text);
  });

  test("ends with the exit code of the verdict, and prints no error, if nobody reads the whole report", async () => {
    const child = spawn(process.execPath, [program, file("cidr")], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect([code, stderr]).toEqual([exitCodes["needs-approval"], ""]);
  });

  test("says that it cannot read a file, without showing what is in it", async () => {
    const other = join(folder, "other.txt");
    writeFileSync(other, "password=hunter2-hunter2");
    const { code, stderr } = await run([other]);
    expect(code).toBe(1);
    expect(stderr).toContain("neither the output of `pulumi preview --json` nor an event log");
    expect(stderr).not.toContain("hunter2");
  });
});

test("a review without the event log lists what it could not analyse", () => {
  const [preview = "", log = ""] = recorded("cidr");
  const plain = preview.replaceAll(/"op": "(?:create-replacement|delete-replaced)"/g, '"op": "read-discard"');
  expect(reviewOfTexts([plain]).unanalysed).toEqual([
    "the order of replacements: this preview was made without --show-replacement-steps",
    "results of policy packs: only the engine's event log has them (--event-log)",
    "values that are known only after apply, in 11 resources: the fingerprint does not bind them",
  ]);
  expect(reviewOfTexts([plain, log]).moves).toEqual(reviewOfTexts([preview, log]).moves);
  expect(reviewOfTexts([log]).unanalysed[0]).toContain("dependencies: an event log does not have them");
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
