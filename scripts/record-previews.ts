import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vpc from "@container-platform/sdk/vpc";
import type { Outcome } from "../test/support/pulumi.ts";
import { shells, testedShell } from "../test/support/shell.ts";
import { Stack } from "../test/support/stack.ts";
import { base, changes, type Edit, guarded, guardedChanges, writeFlagship } from "../test/review/flagship-changes.ts";
import { goldens } from "../test/review/goldens.ts";
import { recordings } from "../test/review/reviewed.ts";

// Records the previews again, with the real engine and each shell, and from them the renderings that tests compare: `npm run record:previews`.
// With `--render`, only the renderings; with `--record`, only the previews of the tested shell.

const how = ["--json", "--show-sames", "--show-replacement-steps"];

if (process.argv.includes("--record")) writeAnew(recordings[testedShell], await recordedAnew());
else {
  const again = (shell: string) =>
    execFileSync(process.execPath, [import.meta.filename, "--record"], { env: { ...process.env, TESTED_SHELL: shell }, stdio: "inherit" });
  if (!process.argv.includes("--render")) shells.forEach(again);
  writeAnew("goldens", goldens());
}

async function recordedAnew(): Promise<Map<string, string>> {
  await using stack = await Stack.ofExample("platform", { programs: "language-host", unhurried: true });
  const texts = new Map<string, string>();
  const keep = (name: string, { stdout, log }: Outcome) => {
    const told = log.split("\n").filter((line) => !line.includes('"severity":"debug"'));
    if (stdout.startsWith("{")) texts.set(`${name}.json`, `${lasting(stdout.trim(), stack.folder)}\n`);
    texts.set(`${name}.events.jsonl`, lasting(told.join("\n"), stack.folder));
  };
  const record = async (name: string, edits: readonly Edit[]) => {
    writeFlagship(stack, edits);
    keep(name, await stack.start("preview", ...how).ended);
  };
  await record("first", base);
  await stack.up();
  await record("nothing", base);
  for (const [name, edits] of Object.entries(changes)) await record(name, [...base, ...edits]);
  writeFlagship(stack, [...base, ...guarded]);
  await stack.up();
  for (const [name, edits] of Object.entries(guardedChanges)) await record(name, [...base, ...guarded, ...edits]);
  writeFlagship(stack, [...base, ...guarded]);
  const { id = "" } = await stack.resource("Vpc platform");
  await stack.cloud().call(vpc.modifyVpcAttribute, { vpcId: id, vpcName: "renamed-by-hand" });
  keep("drift", await stack.start("refresh", "--preview-only").ended);
  return texts;
}

/** A text without what differs from run to run, and is never compared. */
function lasting(text: string, folder: string): string {
  return text
    .replaceAll(folder, "/program")
    .replaceAll(/project:\/\/\/(?:\.\.\/)+[^"]*?node_modules\//g, "project:///node_modules/")
    .replaceAll(/file:\/[^"]*?\/provider\/dist\//g, "node_modules/@container-platform/pulumi/dist/")
    .replaceAll(/("(?:created|modified|expTime)": ?")[^"]*"/g, '$12026-01-01T00:00:00Z"')
    .replaceAll(/("(?:timestamp|durationSeconds|duration)": ?)\d+/g, "$10")
    .replaceAll(/(default::)[0-9a-f-]{36}/g, "$100000000-0000-0000-0000-000000000000")
    .replaceAll(/^ +/gm, "");
}

function writeAnew(name: string, texts: ReadonlyMap<string, string>): void {
  const folder = join(import.meta.dirname, "../test/review", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [file, text] of texts) writeFileSync(join(folder, file), text);
}
