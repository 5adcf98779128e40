import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { root } from "../../support/compiler.ts";

/** The commands that deploy and destroy the platform of this clone in another language: `npm run up -- --language yaml`. */

test.each(["up", "down", "pulumi", "engine-place"])(
  "%s refuses a language that it has no program in, before anything is set up",
  (name) => {
    for (const given of [["--language=java"], ["--yes", "--language", "java"], ["--language"]]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts", `${name}.js`), ...given], { encoding: "utf8" });
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^set-up failed: --language (java)?: there are yaml, python and go; without it, it is TypeScript\n$/);
    }
  },
);

test.each(["up", "down", "pulumi"])("%s says where an option belongs that npm has taken for its own", (name) => {
  for (const option of ["real", "language"]) {
    const env = { ...process.env, [`npm_config_${option}`]: "true", npm_lifecycle_event: name };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts", `${name}.js`)], { env, encoding: "utf8" });
    const right = option === "real" ? "--real" : "--language <language>";
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      `set-up failed: npm has taken --${option} for its own option: write \`npm run ${name} -- ${right}\`\n`,
    ]);
  }
});

test.each([[], ...(isLong ? [["--language", "yaml"]] : [])])("engine prints a PATH with all that a program needs: %j", (...args) => {
  const { stdout } = spawnSync(process.execPath, [join(root, "scripts", "engine-place.js"), ...args], { encoding: "utf8" });
  const folders = stdout.trimEnd().split(delimiter);
  const has = (program: string) => folders.some((folder) => existsSync(join(folder, program)));
  expect([has("node"), has("pulumi"), has("pulumi-language-nodejs")]).toEqual([true, true, true]);
  if (args.length > 0) expect(has("pulumi-language-yaml")).toBe(true);
});
