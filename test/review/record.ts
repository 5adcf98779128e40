import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vpc from "@container-platform/sdk/vpc";
import type { Outcome } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";
import { base, changes, type Edit, guarded, guardedChanges } from "./changes.ts";

// Makes the recorded previews anew, with the real engine: `npm run record:previews`.

const folder = join(import.meta.dirname, "recorded");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);

const how = ["--json", "--show-sames", "--show-replacement-steps"];
await using stack = await Stack.ofExample("platform");
await record("first", base);
await stack.up();
await record("nothing", base);
for (const [name, edits] of Object.entries(changes)) await record(name, [...base, ...edits]);
write([...base, ...guarded]);
await stack.up();
for (const [name, edits] of Object.entries(guardedChanges)) await record(name, [...base, ...guarded, ...edits]);
write([...base, ...guarded]);
const { id = "" } = await stack.resource("Vpc platform");
await stack.cloud().call(vpc.modifyVpcAttribute, { vpcId: id, vpcName: "renamed-by-hand" });
keep("drift", await stack.start("refresh", "--preview-only", "--json").ended);

async function record(name: string, edits: readonly Edit[]): Promise<void> {
  write(edits);
  keep(name, await stack.start("preview", ...how).ended);
}

/** The example's files, with texts of them become others. */
function write(edits: readonly Edit[]): void {
  const files = new Map<string, string>();
  for (const file of ["cluster.ts", "index.ts", "network.ts", "registry.ts", "settings.ts"])
    files.set(file, readFileSync(join(import.meta.dirname, "../../examples/platform", file), "utf8"));
  // The permissions, without the registry.
  files.set("permissions.ts", withoutRegistry(files.get("registry.ts") ?? ""));
  for (const { file, from, to } of edits) {
    const text = files.get(file) ?? "";
    if (!text.includes(from)) throw new Error(`${file} of the example has no ${from}`);
    files.set(
      file,
      text.replace(from, () => to),
    );
  }
  for (const [file, text] of files) writeFileSync(join(stack.folder, "platform", file), text);
}

function withoutRegistry(text: string): string {
  return text
    .replace(/\/\*\* The team's own registry[\s\S]*(?=\/\*\* The team works in)/, "")
    .replace("Namespace, pullSecret, RegistryInstance, Token, UserPermission", "UserPermission")
    .replace(/^import .*network\.ts";\n/m, "");
}

function keep(name: string, { stdout, log }: Outcome): void {
  writeFileSync(join(folder, `${name}.json`), `${lasting(stdout)}\n`);
  writeFileSync(
    join(folder, `${name}.events.jsonl`),
    lasting(
      log
        .split("\n")
        .filter((line) => !line.includes('"severity":"debug"'))
        .join("\n"),
    ),
  );
}

/** Without what is another at each run, and nobody looks at. */
function lasting(text: string): string {
  return text
    .replaceAll(stack.folder, "/program")
    .replaceAll(/("(?:created|modified|expTime)": ?")[^"]*"/g, '$12026-01-01T00:00:00Z"')
    .replaceAll(/("(?:timestamp|durationSeconds|duration)": ?)\d+/g, "$10")
    .replaceAll(/(default::)[0-9a-f-]{36}/g, "$100000000-0000-0000-0000-000000000000");
}
