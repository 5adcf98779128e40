import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { kinds } from "../../provider/src/resources/reviews.ts";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { makeSite } from "../import/sites.ts";
import { root } from "../support/compiler.ts";
import { hostEnvironment } from "../support/hosts.ts";
import { Stack } from "../support/stack.ts";

/** What exists becomes resources of the plugin, by Pulumi's own import: it reads everything, and writes the program. */

const env = hostEnvironment("yaml");
/** Some three hundred resources. */
const sites = isLong ? 17 : 1;
const seconds = 600;

const head = `
name: throw-away
runtime: yaml
plugins: { providers: [{ name: container-platform, path: ${join(root, "plugin")} }] }
config:
  container-platform:endpoint: { value: local }
  container-platform:region: { value: eu-frankfurt }
`;

test("all kinds in one file are imported, and the program that Pulumi writes changes nothing", { timeout: seconds * 4000 }, async () => {
  await using stack = await Stack.create({ program: "", programs: "language-host", env, seconds });
  const settings = join(stack.folder, "Pulumi.yaml");
  writeFileSync(settings, head);
  const site = { cloud: stack.cloud(), world: stack.world };
  let count = 0;
  for (let index = 0; index < sites; index++) count += (await makeSite(site, index)).length;
  const before = stack.calls().length;

  const bin = join(root, "provider", "bin", "container-platform-import.cjs");
  const file = join(stack.folder, "import.json");
  execFileSync(process.execPath, [bin, "--json", "--out", file, "--stack", "test"], { cwd: stack.folder, env: stack.environment });
  const text = readFileSync(file, "utf8");
  for (const kind of kinds) expect(text).toContain(`"type": "${nativeToken(kind)}"`);

  const program = join(stack.folder, "resources.yaml");
  await stack.ok("import", "--file", file, "--out", program, "--yes", "--protect=false");
  expect(stack.writesSince(before)).toEqual([]);
  expect(await stack.resources()).toHaveLength(count);

  writeFileSync(settings, head + readFileSync(program, "utf8"));
  await stack.preview("--expect-no-changes");
  await stack.refresh();
  expect(stack.writesSince(before)).toEqual([]);
  await stack.preview("--expect-no-changes");
});
