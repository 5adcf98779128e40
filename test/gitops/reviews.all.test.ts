import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callers, Forge } from "./forge.ts";
import { GateSteps, report } from "./gate-steps.ts";

/** Single steps of the pipelines: reviews that stand for a label, approvals, and comments on lines of the program. */

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

test.for(["GitHub", "GitLab"] as const)(
  "on %s, labels of an author, a workflow, or somebody who may not push approve nothing",
  async (on) => {
    using both = new GateSteps(forge, on);
    const labels = (await both.run("gate")).output.match(/(?:approved|pipeline):[0-9a-f]+/g) ?? [];
    expect(labels).toHaveLength(2);
    // Dave has pushed a commit of his own to Alice's branch.
    forge.pull.pushers.push("dave");
    for (const [by, code, why] of [
      ["alice", 3, "who has made this change"],
      ["dave", 3, "who has made this change"],
      [callers.workflow, 3, "not a person"],
      ["carol", 3, "who may not push"],
      ["bob", 0, "Approved"],
    ] as const) {
      forge.unlabel();
      for (const label of labels) forge.label(by, label);
      const { code: ended, output } = await both.run("gate");
      expect([ended, output.match(new RegExp(why, "g"))?.length], by).toEqual([code, code === 0 ? 1 : 2]);
    }
  },
);

describe("on GitLab", () => {
  test("approvals name no commit, and do not count", async () => {
    using onGitLab = new GateSteps(forge, "GitLab");
    reviewed("bob");
    expect(await onGitLab.run("gate")).toMatchObject({ code: 3, output: expect.stringContaining("the label approved:0123456789abcdef") });
  });

  test("a change has one comment, and is applied only if it was judged", async () => {
    using onGitLab = new GateSteps(forge, "GitLab");
    forge.pull.files = ["index.ts", "gitops/forge.ts"];
    for (const text of ["a subnet goes", "two subnets go"]) {
      onGitLab.write("comment.md", `${marker}\n${text}`);
      expect(await onGitLab.run("comment")).toMatchObject({ code: 0 });
      expect(forge.comments.map(({ author, body }) => [author, body.includes(text)])).toEqual([[callers.app, true]]);
    }
    const labels = (await onGitLab.run("gate")).output.match(/(?:approved|pipeline):[0-9a-f]+/g) ?? [];
    for (const label of labels) forge.label("bob", label);
    expect(await onGitLab.run("gate")).toMatchObject({ code: 0 });
    forge.pull.merged = "b".repeat(40);
    const onMain = { CI_COMMIT_SHA: forge.pull.merged, CI_MERGE_REQUEST_IID: undefined };
    expect(await onGitLab.run("reviewed", onMain)).toMatchObject({ code: 0 });
    forge.comments.length = 0;
    expect(await onGitLab.run("reviewed", onMain)).toMatchObject({ code: 1 });
  });

  test("a change by hand has an issue, until it is corrected", async () => {
    using onGitLab = new GateSteps(forge, "GitLab");
    onGitLab.write("drift.md", `${marker}\nrenamed by hand`);
    expect(await onGitLab.run("drift")).toMatchObject({ code: 3 });
    onGitLab.write("drift.md", "");
    expect(await onGitLab.run("drift")).toMatchObject({ code: 0 });
    expect(forge.issues.map(({ body, open }) => [body.includes("renamed by hand"), open])).toEqual([[true, false]]);
  });
});

const lineMarker = "<!-- container-platform-review: preview line shop/dev -->";
const patch = `@@ -1,4 +1,5 @@ the program
 const vpc = new Vpc("shop", {});
-new Subnet("old", {});
+new Subnet("nodes", {});
+new Subnet("pods", {});
 new Registry("images", {});
 new Token("pull", {});
\\ No newline at end of file`;
const said = (file: string, line: number, side: "before" | "after", text: string) => {
  return { file, line, side, verdict: "needs-approval", text: `${lineMarker}\n- ${text}` };
};

test.for(["GitHub", "GitLab"] as const)(
  "on %s, comments stand at the lines that are shown, and are kept as the review has them",
  async (on) => {
    await using forge = await Forge.open();
    using steps = new GateSteps(forge, on);
    Object.assign(forge.pull, { head: "a".repeat(40), files: ["index.ts", "large.ts"], patches: { "index.ts": patch } });
    const told = () =>
      forge.lines.all.map(({ author, file, side, line, body }) => [author, `${file} ${side} ${line}`, body.split("\n- ")[1]]);
    const comment = async (...comments: readonly ReturnType<typeof said>[]) => {
      steps.write("lines.json", { version: 1, marker: lineMarker, comments, left: 0 });
      return steps.run("lines");
    };
    // Somebody writes what the pipeline would write, and the pipeline of another stack has its own.
    forge.lines.add("mallory", { file: "index.ts", side: "after", line: 3, body: `${lineMarker}\n- all is well` });
    forge.lines.add(callers.app, { file: "index.ts", side: "after", line: 2, body: `${lineMarker.replace("dev", "dev2")}\n- of dev2` });
    const others = told();

    const all = [
      said("index.ts", 2, "before", "old goes"),
      said("index.ts", 2, "after", "nodes opens"),
      said("index.ts", 4, "after", "images is not changed, and shown"),
      said("index.ts", 40, "after", "a line that is not shown"),
      said("large.ts", 1, "after", "a file without a difference"),
      said("other.ts", 1, "after", "a file that is not changed"),
    ];
    expect(await comment(...all)).toMatchObject({ code: 0, output: "Comments on lines: 3, 3 of them new.\n" });
    const first = [
      [callers.app, "index.ts before 2", "old goes"],
      [callers.app, "index.ts after 2", "nodes opens"],
      [callers.app, "index.ts after 4", "images is not changed, and shown"],
    ];
    expect(told()).toEqual([...others, ...first]);
    const { messages } = forge.lines;
    expect(messages).toBe(on === "GitHub" ? 1 : 3);

    // Once more: nothing is said twice. Then one reads otherwise, one is gone, and the newest commit has moved one away.
    const ids = forge.lines.all.map(({ id }) => id);
    expect(await comment(...all)).toMatchObject({ code: 0, output: "Comments on lines: 3, 0 of them new.\n" });
    expect([forge.lines.all.map(({ id }) => id), forge.lines.messages]).toEqual([ids, messages]);
    const [, , , , moved] = forge.lines.all;
    if (moved) moved.line = on === "GitHub" ? undefined : 7;
    await comment(said("index.ts", 2, "after", "nodes closes"), said("index.ts", 4, "after", "images"));
    expect(told()).toEqual([...others, [callers.app, "index.ts after 2", "nodes closes"], [callers.app, "index.ts after 4", "images"]]);
    await comment();
    expect(told()).toEqual(others);
  },
);

test.for(["GitHub", "GitLab"] as const)("on %s, the gate goes on if the forge takes no comment", async (on) => {
  await using forge = await Forge.open();
  using steps = new GateSteps(forge, on);
  forge.pull.head = "a".repeat(40);
  steps.write("lines.json", "forged");
  const { code, output } = await steps.run("lines");
  expect(code).toBe(0);
  expect(output).toContain("the lines of the program have no comments");
  // The same report has another marker for another stack: what it says is not said of this one.
  steps.write("report.json", { about: "preview", project: "shop", stack: "production", verdict: "safe", fingerprint: "0" });
  expect((await steps.run("lines")).output).toContain("this is a report on production, not on dev");
});

test("in a merge queue there are no lines to comment on", async () => {
  await using forge = await Forge.open();
  using steps = new GateSteps(forge, "GitHub");
  steps.write("lines.json", { comments: [said("index.ts", 2, "after", "nodes opens")] });
  const ran = await steps.run("lines", { PREVIEW_EVENT: "merge_group", PREVIEW_BRANCH: "gh-readonly-queue/main/pr-7-abc" });
  expect([ran.code, ran.output]).toEqual([0, "Its merge request has the comments.\n"]);
  expect(forge.lines.all).toEqual([]);
});
