import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "../../../sdk/src/scratch.fixture.ts";
import { root } from "../../support/compiler.ts";
import { nativeClasses } from "../../support/native-classes.ts";
import { Stack } from "../../support/stack.ts";

/** The plugin as one executable, which Pulumi puts in place from its archive. */

const program = `
import { Network, Subnet, Vpc } from "./native.ts";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
export const { subnetId } = new Subnet("nodes", { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/20" });
new Network("second", { cidrBlock: "10.1.0.0/16" });
`;

// Making it needs a registry of packages, and a minute.
test("Pulumi installs the archive of the executable, and deploys with it, without Node's packages", async () => {
  const folder = scratch();
  const printed = execFileSync(process.execPath, [join(root, "scripts", "executable.js"), folder], { encoding: "utf8" });
  const archive = printed.trim().split("\n").at(-1) ?? "";
  const [, version] = /^pulumi-resource-container-platform-v(\d+\.\d+\.\d+)-[a-z]+-(?:amd64|arm64)\.tar\.gz$/.exec(basename(archive)) ?? [];
  if (version === undefined) throw new Error(`the archive is called ${archive}`);
  const checksum = createHash("sha256").update(readFileSync(archive)).digest("hex");
  expect(readFileSync(`${archive}.sha256`, "utf8")).toBe(`${checksum}  ${basename(archive)}\n`);

  await using stack = await Stack.create({ program });
  writeFileSync(join(stack.folder, "native.ts"), nativeClasses);
  execFileSync("pulumi", ["plugin", "install", "resource", "container-platform", version, "--file", archive], { env: stack.environment });
  await stack.up();
  await stack.preview("--expect-no-changes");
  expect((await stack.resource("Subnet nodes")).urn).toContain("container-platform:index:Subnet");
  expect((await stack.resource("Subnet second-nodes-eu-frankfurt-1")).urn).toContain("Network$container-platform:index:Subnet");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
