import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../support/compiler.ts";

/** The commands that deploy and destroy the platform of this clone in another language: `npm run up -- --language yaml`. */

function refusalOf(name: string, given: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const script = join(root, "scripts", `${name}.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...given], { env: { ...process.env, ...env }, encoding: "utf8" });
  return [status, stdout, stderr];
}

test.each([
  ["up", ["--yes", "--language", "java"]],
  ["down", ["--language=java"]],
  ["pulumi", ["--language"]],
  ["engine-place", ["--language", "java"]],
])("%s refuses a language that it has no program in, before anything is set up: %j", (name, given) => {
  const java = given.join().includes("java") ? "java" : "";
  const says = `set-up failed: --language ${java}: there are yaml, python and go; without it, it is TypeScript\n`;
  expect(refusalOf(name, given)).toEqual([1, "", says]);
});

test.each([
  ["up", "serve", "--serve"],
  ["down", "language", "--language <language>"],
  ["pulumi", "serve", "--serve"],
])("%s says where an option belongs that npm has taken for its own", (name, option, right) => {
  const env = { [`npm_config_${option}`]: "true", npm_lifecycle_event: name };
  const says = `set-up failed: npm has taken --${option} for its own option: write \`npm run ${name} -- ${right}\`\n`;
  expect(refusalOf(name, [], env)).toEqual([1, "", says]);
});
