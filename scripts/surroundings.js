import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { ownFolder, root } from "./setup.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The stack that `npm run up` deploys. */
export const stack = "local";

/** The one that `npm run up -- --serve` deploys. */
export const servedStack = "real";

/** Where Pulumi keeps the state of this clone's stacks: beside the local platform's world, because they belong together. */
export const stateFolder = join(ownFolder, "state");

/** The user's settings that choose another platform than this clone's, or an account. */
const choosesPlatform = /^CONTAINER_PLATFORM_(ENDPOINT|REGION|PROFILE|SECRET_ID|SECRET_KEY|TOKEN)$/;

/** Pulumi's settings for debugging. The user's other settings of Pulumi belong to other projects. */
const debugSettings = /^PULUMI_DEBUG_/;

/**
 * The environment in which the engine works on this clone's own stack, whatever the user has set for other projects.
 * @param {Environment} env
 * @returns {Environment}
 */
export function surroundings(env) {
  mkdirSync(stateFolder, { recursive: true });
  const kept = Object.entries(env).filter(
    ([name]) => debugSettings.test(name) || !(name.startsWith("PULUMI_") || choosesPlatform.test(name)),
  );
  return {
    ...Object.fromEntries(kept),
    PULUMI_HOME: join(ownFolder, "pulumi"),
    PULUMI_BACKEND_URL: fileUrl(stateFolder),
    PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile(),
    PULUMI_STACK: stack,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
  };
}

/** The passphrase of this clone's secrets. It is created once. */
function passphraseFile() {
  const file = join(ownFolder, "passphrase");
  if (existsSync(file)) return file;
  try {
    writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600, flag: "wx" });
    forgetOldSalt();
  } catch (error) {
    // Another command, which was started at the same moment, has created it.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
  }
  return file;
}

/** Removes the salt of an old passphrase from the stacks' configuration. Otherwise Pulumi would refuse the new passphrase. */
function forgetOldSalt() {
  for (const file of [stack, servedStack].map((name) => join(root, `Pulumi.${name}.yaml`)).filter(existsSync)) {
    const text = readFileSync(file, "utf8");
    const kept = text.split("\n").filter((line) => !line.startsWith("encryptionsalt:"));
    writeFileSync(file, kept.join("\n"));
  }
}

/** @param {string} folder */
function fileUrl(folder) {
  const path = folder.split(sep).join("/").replaceAll(/[%?#]/g, encodeURIComponent);
  return `file://${path.startsWith("/") ? path : `/${path}`}`;
}
