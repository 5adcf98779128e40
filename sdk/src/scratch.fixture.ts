import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A folder of a test's own, which is removed when the test has finished. */
export function scratch(): string {
  return removedBy(onTestFinished);
}

/** A folder of a file of tests, which is removed after the last one. */
export function scratchOfFile(): string {
  return removedBy(afterAll);
}

function removedBy(hook: (remove: () => void) => void): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "scratch-")));
  hook(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return folder;
}

/** A program that is a script of the shell's, in a folder of its own. */
export function programOf(script: string, mode = 0o755): string {
  const file = join(scratch(), "program");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, mode);
  return file;
}
