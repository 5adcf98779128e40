import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { ownFolder, root } from "./setup.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The stack that `npm run up` deploys. */
export const stack = "local";

/** Where Pulumi keeps the state of this clone's stacks: beside the local platform's world, as the two only make sense together. */
export const stateFolder = join(ownFolder, "state");

/** Settings of the user that choose another platform than the one in this clone, or who they are there. */
const choosesPlatform = /^CONTAINER_PLATFORM_(ENDPOINT|REGION|PROFILE|SECRET_ID|SECRET_KEY|TOKEN)$/;

/** Settings of Pulumi that are for looking on only; all others of the user's belong to other projects. */
const onlyLooks = /^PULUMI_DEBUG_/;

/**
 * The environment in which the engine works on this clone's own stack, whatever the user has set for other projects.
 * @param {Environment} env
 * @returns {Environment}
 */
export function surroundings(env) {
  mkdirSync(stateFolder, { recursive: true });
  const kept = Object.entries(env).filter(([name]) => onlyLooks.test(name) || !(name.startsWith("PULUMI_") || choosesPlatform.test(name)));
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

/** The passphrase of this clone's secrets, made once. */
function passphraseFile() {
  const file = join(ownFolder, "passphrase");
  if (existsSync(file)) return file;
  try {
    writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600, flag: "wx" });
    forgetOldSalt();
  } catch (error) {
    // Another command that was started at the same moment made it.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
  }
  return file;
}

/** A stack configuration that outlived its passphrase (the folder was removed) would make Pulumi refuse the new one. */
function forgetOldSalt() {
  const file = join(root, `Pulumi.${stack}.yaml`);
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  const kept = text.split("\n").filter((line) => !line.startsWith("encryptionsalt:"));
  writeFileSync(file, kept.join("\n"));
}

/** @param {string} folder */
function fileUrl(folder) {
  const path = folder.split(sep).join("/").replaceAll(/[%?#]/g, encodeURIComponent);
  return `file://${path.startsWith("/") ? path : `/${path}`}`;
}
