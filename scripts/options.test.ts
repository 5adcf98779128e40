import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What the commands say of options that they cannot take, before anything is set up. */

function refusalOf(name: string, given: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const script = join(import.meta.dirname, `${name}.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...given], { env: { ...process.env, ...env }, encoding: "utf8" });
  return [status, stdout, stderr];
}

test.each([["java"], ["yaml", "python"]])("engine refuses languages that it has no host for: %j", (...given) => {
  const says = "set-up failed: npm run engine takes one language, yaml, python or go, or nothing\n";
  expect(refusalOf("engine-place", given)).toEqual([1, "", says]);
});

test.each(["up", "down", "pulumi"])("%s says where an option belongs that npm has taken for its own", (name) => {
  const env = { npm_config_serve: "true", npm_lifecycle_event: name };
  const says = `set-up failed: npm has taken --serve for its own option: write \`npm run ${name} -- --serve\`\n`;
  expect(refusalOf(name, [], env)).toEqual([1, "", says]);
});
