import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { deployedRepository } from "./actions.ts";
import { callers } from "./forge.ts";
import type { GitRepository } from "./git-repository.ts";

/** Only the engine makes the previews that a pull request attacks with, and refuses to apply what was not reviewed. */

const program = (range: string) => `
import { Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("shop", { cidrBlock: "10.0.0.0/16" });
new Subnet("nodes", { subnetName: "nodes", vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "${range}" });
`;

const { forge, repository, actions } = await deployedRepository(program("10.0.0.0/20"));
/** The preview of the first test. */
let honest = "";

const labels = () => [`approved:${fingerprint()}`, `pipeline:${forge.pull.head.slice(0, 12)}`] as const;
const fingerprint = () => / ([0-9a-f]{16})$/.exec(forge.statuses[0]?.description ?? "")?.[1] ?? "none";

test("a pull request is stopped that replaces the reviewer", async () => {
  actions.change("A subnet that is replaced, and a reviewer that finds it safe", () => {
    repository.write("index.ts", program("10.0.16.0/24"));
    repository.write("package.json", JSON.stringify({ type: "module", private: true, dependencies: { reviewer: "1.0.0" } }));
    replaceReviewer(repository);
    for (const file of ["forge.ts", "approval.ts"]) repository.write(`gitops/${file}`, "console.log('all is well');\n");
  });
  const previewed = await actions.preview();
  expect(previewed).toMatchObject({ code: 0 });
  expect(previewed.output).toContain("nothing to see here");

  // The gate has the reviewer and the pipeline of the main branch.
  const judged = await actions.gate();
  expect(judged).toMatchObject({ step: "Gate", code: 3 });
  expect(judged.output).not.toContain("all is well");
  expect(forge.statuses[0]).toMatchObject({ state: "failure", creator: callers.app });
  for (const label of labels()) expect(judged.output).toContain(label);
  honest = readFileSync(join(repository.folder, "review", "preview.json"), "utf8");
});

// That neither its author nor a workflow may approve it is said of every pull request, in pipelines.all.test.ts.
test("a pull request is stopped that changes the pipeline, with an approval of its plan alone, or of an older commit", async () => {
  const [approved, pipeline] = labels();
  forge.label("bob", approved);
  expect(await actions.decide()).toMatchObject({ code: 3 });
  forge.label("bob", pipeline);
  expect(await actions.decide()).toMatchObject({ code: 0 });
  forge.pull.head = "0".repeat(40);
  expect((await actions.decide()).output).toContain("Needs approval: the label pipeline:000000000000.");
  forge.unlabel();
});

test("a pull request is stopped that edits the workflow, forges a preview in which nothing changes, and writes what the gate would write", async () => {
  forge.statuses.length = 0;
  forge.pull.branch = "edited";
  actions.change("A workflow without a preview", () => {
    repository.write("index.ts", program("10.0.32.0/24"));
    mkdirSync(join(repository.folder, ".github", "workflows"), { recursive: true });
    repository.write(".github/workflows/infrastructure-preview.yml", "name: infrastructure preview\n");
  });
  forgePreview(repository, actions.key, honest);
  const judged = await actions.gate();
  expect(judged).toMatchObject({ step: "Gate", code: 3 });
  expect(judged.output).toContain(`Needs approval: the label ${labels()[1]}.`);
  expect(judged.output).not.toContain("approved:");

  // Its workflow says that all is well, with the token that every workflow has. The merge waits for the status of the gate's app.
  forge.statuses.unshift({
    sha: forge.pull.head,
    context: "infrastructure/dev",
    state: "success",
    description: `Approved. ${fingerprint()}`,
    creator: callers.workflow,
    time: new Date().toISOString(),
  });
  expect(forge.statuses.find(({ creator }) => creator === callers.app)).toMatchObject({ state: "failure" });

  // Even if somebody approves the edit and merges it, what was not previewed is not applied.
  for (const label of labels()) forge.label("bob", label);
  actions.merge();
  const applied = await actions.apply();
  expect(applied).toMatchObject({ step: "Only what was reviewed", code: 1 });
  expect(applied.output).toContain("is not the one that was reviewed");
  expect(await repository.subnets()).toEqual(["10.0.0.0/20"]);
});

test("a pull request is stopped whose preview is of another stack, not sealed, or no preview at all", async () => {
  const artifact = join(repository.folder, "artifacts", "preview-dev");
  forge.pull.merged = "";
  seal(repository, actions.key, "preview.json", honest.replaceAll("::shop::", "::other::").replaceAll("dev::", "production::"));
  expect((await actions.gate()).code).not.toBe(0);
  cpSync(join(repository.folder, "Pulumi.yaml"), join(artifact, "preview.json.sealed"));
  expect(await actions.gate()).toMatchObject({ step: "The preview, as data" });
  for (const text of ["", '{"steps":[]}']) {
    for (const part of ["preview.json", "events.jsonl"]) seal(repository, actions.key, part, text);
    expect((await actions.gate()).code).not.toBe(0);
    expect(forge.statuses.some(({ state, creator }) => state === "success" && creator === callers.app)).toBe(false);
  }
});

/** Brings packages of its own, with a reviewer that finds everything safe. */
function replaceReviewer({ folder }: GitRepository): void {
  const installed = join(dirname(dirname(import.meta.dirname)), "node_modules");
  mkdirSync(join(folder, "own-packages", ".bin"), { recursive: true });
  for (const name of ["@container-platform", "@pulumi"]) symlinkSync(join(installed, name), join(folder, "own-packages", name));
  const reviewer = "#!/bin/sh\necho nothing to see here\n";
  writeFileSync(join(folder, "own-packages", ".bin", "container-platform-review"), reviewer, { mode: 0o755 });
}

const previewSchema = z.looseObject({ steps: z.array(z.looseObject({ op: z.string(), urn: z.string(), oldState: z.unknown() })) });

/** A preview that says that nothing changes, made of an honest one. */
function forgePreview(repository: GitRepository, key: string, honest: string): void {
  const preview = previewSchema.parse(JSON.parse(honest));
  const steps = preview.steps.flatMap((step) =>
    step.op === "same" || step.op === "replace" ? [{ ...step, op: "same", newState: step.oldState }] : [],
  );
  seal(repository, key, "preview.json", JSON.stringify({ ...preview, steps, changeSummary: { same: steps.length } }));
  // One that ends: what was cut off is blocked.
  const events = [{ preludeEvent: { config: {} } }, { summaryEvent: { result: "succeeded", isPreview: true } }, { cancelEvent: {} }];
  const log = events.map((event, sequence) => JSON.stringify({ sequence, timestamp: 1, ...event }));
  seal(repository, key, "events.jsonl", log.join("\n"));
}

/** Puts a part of a preview among the artifacts, as the workflow does it. */
function seal({ folder }: GitRepository, key: string, part: string, text: string): void {
  const sealed = join(folder, "artifacts", "preview-dev", `${part}.sealed`);
  execFileSync("openssl", ["enc", "-aes-256-cbc", "-pbkdf2", "-pass", "env:KEY", "-out", sealed], {
    env: { ...process.env, KEY: key },
    input: text,
  });
}
