import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/compiler.ts";

/** The commands that deploy and destroy the platform of this clone in another language: `npm run up -- --language yaml`. */

test.each(["up", "down", "pulumi"])("%s refuses a language that it has no program in, before anything is set up", (name) => {
  for (const given of [["--language=java"], ["--yes", "--language", "java"], ["--language"]]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts", `${name}.js`), ...given], { encoding: "utf8" });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^set-up failed: --language (java)?: there are yaml, python and go; without it, it is TypeScript\n$/);
  }
});
