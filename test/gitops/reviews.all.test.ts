import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callers, Forge } from "./forge.ts";
import { GateSteps, report } from "./gate-steps.ts";

/** Reviews that stand for a label: by somebody else, who owns what is changed, of this commit, and after the gate has shown this preview. */

const marker = "<!-- container-platform-review: preview shop/dev -->";

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

describe("on GitLab", () => {
  let onGitLab: GateSteps;
  beforeEach(() => {
    onGitLab = new GateSteps(forge, "GitLab");
  });
  afterEach(() => {
    onGitLab[Symbol.dispose]();
  });

  test("approvals name no commit, and do not count", async () => {
    reviewed("bob");
    expect(await onGitLab.run("gate")).toMatchObject({ code: 3, output: expect.stringContaining("the label approved:0123456789abcdef") });
  });

  test("a change has one comment, is held until somebody else approves it, and is applied only if it was judged", async () => {
    forge.pull.files = ["index.ts", "gitops/forge.ts"];
    for (const text of ["a subnet goes", "two subnets go"]) {
      onGitLab.write("comment.md", `${marker}\n${text}`);
      expect(await onGitLab.run("comment")).toMatchObject({ code: 0 });
      expect(forge.comments.map(({ author, body }) => [author, body.includes(text)])).toEqual([[callers.app, true]]);
    }
    const labels = (await onGitLab.run("gate")).output.match(/(?:approved|pipeline):[0-9a-f]+/g) ?? [];
    expect(labels).toHaveLength(2);
    for (const [by, code] of [
      ["alice", 3],
      [callers.workflow, 3],
      ["carol", 3],
      ["bob", 0],
    ] as const) {
      forge.unlabel();
      for (const label of labels) forge.label(by, label);
      expect(await onGitLab.run("gate"), by).toMatchObject({ code });
    }
    forge.pull.merged = "b".repeat(40);
    const onMain = { CI_COMMIT_SHA: forge.pull.merged, CI_MERGE_REQUEST_IID: undefined };
    expect(await onGitLab.run("reviewed", onMain)).toMatchObject({ code: 0 });
    forge.comments.length = 0;
    expect(await onGitLab.run("reviewed", onMain)).toMatchObject({ code: 1 });
  });

  test("a change by hand has an issue, until it is corrected", async () => {
    onGitLab.write("drift.md", `${marker}\nrenamed by hand`);
    expect(await onGitLab.run("drift")).toMatchObject({ code: 3 });
    onGitLab.write("drift.md", "");
    expect(await onGitLab.run("drift")).toMatchObject({ code: 0 });
    expect(forge.issues.map(({ body, open }) => [body.includes("renamed by hand"), open])).toEqual([[true, false]]);
  });
});
