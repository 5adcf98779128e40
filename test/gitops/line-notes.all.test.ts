import { expect, test } from "vitest";
import { callers, Forge } from "./forge.ts";
import { GateSteps } from "./gate-steps.ts";

/** The step that comments on lines of the program, as both pipelines have it. */

const marker = "<!-- container-platform-review: preview line shop/dev -->";
const patch = `@@ -1,4 +1,5 @@ the program
 const vpc = new Vpc("shop", {});
-new Subnet("old", {});
+new Subnet("nodes", {});
+new Subnet("pods", {});
 new Registry("images", {});
 new Token("pull", {});
\\ No newline at end of file`;
const said = (file: string, line: number, side: "before" | "after", text: string) => {
  return { file, line, side, verdict: "needs-approval", text: `${marker}\n- ${text}` };
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
      steps.write("lines.json", { version: 1, marker, comments, left: 0 });
      return steps.run("lines");
    };
    // Somebody writes what the pipeline would write, and the pipeline of another stack has its own.
    forge.lines.add("mallory", { file: "index.ts", side: "after", line: 3, body: `${marker}\n- all is well` });
    forge.lines.add(callers.app, { file: "index.ts", side: "after", line: 2, body: `${marker.replace("dev", "dev2")}\n- of dev2` });
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
