import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownersOf } from "../../examples/gitops/code-owners.ts";
import { callers, Forge } from "./forge.ts";
import { GateSteps, report } from "./gate-steps.ts";

/** Reviews that stand for a label: by somebody else, who owns what is changed, of this commit, and after the gate has shown this preview. */

let forge: Forge;
let steps: GateSteps;
beforeEach(async () => {
  forge = await Forge.open();
  steps = new GateSteps(forge, "GitHub");
  forge.pull.head = "a".repeat(40);
  forge.pull.files = ["index.ts", ".github/workflows/test.yml"];
  forge.owners["main .github/CODEOWNERS"] = "* @Bob @acme/infrastructure\n";
});
afterEach(async () => {
  steps[Symbol.dispose]();
  await forge[Symbol.asyncDispose]();
});

const gate = async (more: Readonly<Record<string, string>> = {}) => {
  const { code, output } = await steps.run("gate", more);
  return [code, output.trim()] as const;
};
let minutes = 0;
/** Each is later than what was there before it. */
const reviewed = (by: string, state: Forge["reviews"][number]["state"] = "APPROVED", commit = forge.pull.head) =>
  forge.reviews.push({ by, state, commit, time: new Date(Date.now() + 60_000 * ++minutes).toISOString() });
const because = (why: string): unknown[] => [3, expect.stringContaining(why)];

test("an owner's review approves what the gate has shown before, and the pipeline that is changed with it", async () => {
  expect(await gate()).toEqual(because("Needs approval: the label approved:0123456789abcdef; the label pipeline:aaaaaaaaaaaa."));
  reviewed("bob");
  expect(await gate()).toEqual([0, "Approved: 0123456789abcdef by the review of bob."]);
  expect(forge.statuses[0]).toMatchObject({ state: "success", creator: callers.app });
  // And it does so after a comment of the same person.
  reviewed("bob", "COMMENTED");
  expect((await gate())[0]).toBe(0);
  // What is blocked, nobody approves.
  steps.write("report.json", { ...report, verdict: "blocked" });
  expect((await gate())[0]).toBe(4);
});

describe("an approving review does not count", () => {
  beforeEach(() => gate());

  test("of an author, or of somebody who has pushed", async () => {
    forge.owners["main .github/CODEOWNERS"] = "* @alice @bob\n";
    forge.pull.pushers.push("BOB");
    for (const by of ["alice", "bob"]) {
      forge.reviews.length = 0;
      reviewed(by);
      expect(await gate()).toEqual(because(`; the review of ${by}, who has made this change, does not count.`));
    }
  });

  test("of an older commit", async () => {
    reviewed("bob", "APPROVED", "b".repeat(40));
    expect(await gate()).toEqual(because("the review of bob, which is of another commit than the newest, does not count"));
  });

  test("of an outsider, a pipeline, or somebody who owns only a part", async () => {
    forge.owners["main .github/CODEOWNERS"] = `* @carol @dave @${callers.workflow.replace("[bot]", "")}\n/.github/ @bob\n`;
    for (const [by, why] of [
      ["carol", "who may not push to this repository"],
      [callers.workflow, "who is not a person"],
      ["dave", "who does not own all of its files (CODEOWNERS)"],
      ["bob", "who does not own all of its files (CODEOWNERS)"],
    ] as const) {
      forge.reviews.length = 0;
      reviewed(by);
      expect(await gate()).toEqual(because(why));
    }
  });

  test("of somebody who owns it only by what the pull request, or another branch, says", async () => {
    forge.owners["change .github/CODEOWNERS"] = "* @dave\n";
    forge.owners[`${forge.pull.head} CODEOWNERS`] = "* @dave\n";
    reviewed("dave");
    expect(await gate()).toEqual(because("who does not own all of its files"));
    delete forge.owners["main .github/CODEOWNERS"];
    expect(await gate()).toEqual(because("who does not own all of its files"));
    // After the merge, that of the commit before counts.
    forge.owners["before CODEOWNERS"] = "* @bob\n";
    reviewed("bob");
    expect((await gate({ BASE: "before" }))[0]).toBe(0);
  });

  test("that was dismissed, or taken back", async () => {
    for (const state of ["DISMISSED", "CHANGES_REQUESTED"] as const) {
      reviewed("bob");
      expect((await gate())[0]).toBe(0);
      reviewed("bob", state);
      expect((await gate())[0]).toBe(3);
    }
  });

  test("that was given before the gate had judged the commit", async () => {
    forge.statuses.length = 0;
    forge.reviews.push({ by: "bob", state: "APPROVED", commit: forge.pull.head, time: new Date(Date.now() - 60_000).toISOString() });
    for (let run = 0; run < 2; run++) expect(await gate()).toEqual(because("which was given on another preview, or one of several"));
  });

  test("if this commit has ever been previewed otherwise, whatever the preview is now", async () => {
    steps.write("report.json", { ...report, verdict: "safe", fingerprint: "fedcba9876543210" });
    await gate();
    reviewed("bob");
    steps.write("report.json", report);
    expect(await gate()).toEqual(because("which was given on another preview, or one of several"));
  });

  test("if only the status of another workflow says that it was judged", async () => {
    const own = forge.statuses.splice(0);
    forge.statuses.push(...own.map((status) => ({ ...status, creator: callers.workflow })));
    reviewed("bob");
    expect(await gate()).toEqual(because("which was given on another preview"));
  });
});

test("on GitLab, approvals name no commit, and do not count", async () => {
  using onGitLab = new GateSteps(forge, "GitLab");
  reviewed("bob");
  const { code, output } = await onGitLab.run("gate");
  expect([code, output]).toEqual([3, expect.stringContaining("the label approved:0123456789abcdef")]);
});

test.for([
  ["* @bob", "a/b.ts", ["bob"]],
  ["* @bob\n*.ts @carol # who knows", "a/b.ts", ["carol"]],
  ["*.ts @carol\n/a/ @bob @acme/team dave@example.com", "a/b.ts", ["bob"]],
  ["* @bob\na/b.ts", "a/b.ts", []],
  ["a @bob", "x/a/b.ts", ["bob"]],
  ["/a @bob", "x/a/b.ts", []],
  ["a/ @bob", "a", []],
  ["docs/* @bob", "docs/a.md", ["bob"]],
  ["docs/* @bob", "docs/a/b.md", []],
  ["docs/* @bob", "x/docs/a.md", []],
  ["docs/ @bob", "x/docs/a/b.md", ["bob"]],
  ["**/logs @bob", "a/b/logs/c", ["bob"]],
  ["/a/**/z.ts @bob", "a/z.ts", ["bob"]],
  ["/a/**/z.ts @bob", "a/b/c/z.ts", ["bob"]],
  ["a.ts @bob", "axts", []],
  ["* @bob\n!a.ts @carol", "b.ts", []],
  ["* @bob\n[ab].ts @carol", "c.ts", []],
  ["# * @bob\n\n", "a.ts", []],
] as const)("by %j, %s is owned by %j", ([owners, file, expected]) => {
  expect(ownersOf(owners, file)).toEqual(expected);
});
