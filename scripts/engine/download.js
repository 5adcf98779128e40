// Runs in a process of its own, with the new Node: Pulumi's SDK does not load in an older one.
import { createRequire } from "node:module";
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";

const ofPulumi = createRequire(import.meta.resolve("@pulumi/pulumi"));
const { SemVer } = ofPulumi("semver");
const [, , root, version] = process.argv;
try {
  await PulumiCommand.install({ root, version: new SemVer(version) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
