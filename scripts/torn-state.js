import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { progress } from "./command.js";

/**
 * Mends the files of a folder of Pulumi states that an engine was writing when it was killed. It could not be read any more otherwise:
 * every command would say `failed to load checkpoint`. A file `….attrs` only describes the file beside it, and can go. In the place of a
 * state, the engine has kept the one before as `….bak`.
 *
 * @param {string} folder
 */
export function mendTornState(folder) {
  const stacks = join(folder, ".pulumi", "stacks");
  for (const name of existsSync(stacks) ? readdirSync(stacks, { recursive: true, encoding: "utf8" }) : []) {
    const path = join(stacks, name);
    if (name.endsWith(".attrs") && !isWhole(path)) {
      rmSync(path, { force: true });
      progress(`the last run was killed while it wrote ${basename(path)}: that is removed`);
    } else if (name.endsWith(".json") && !isWhole(path) && isWhole(`${path}.bak`)) {
      copyFileSync(`${path}.bak`, path);
      rmSync(`${path}.attrs`, { force: true });
      progress(`the last run was killed while it wrote ${basename(path)}: the state before the last change is put back`);
    }
  }
}

/** Whether a file is there, and is JSON to its end. @param {string} path */
function isWhole(path) {
  try {
    JSON.parse(readFileSync(path, "utf8"));
    return true;
  } catch {
    return false;
  }
}
