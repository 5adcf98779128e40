import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "../../../sdk/src/scratch.fixture.ts";
import { hostEnvironment } from "../../support/hosts.ts";
import { commandsOf, deploy, Reader, sampleOf } from "../../support/package-add.ts";

/** Only the real engine clones, installs and starts plugins. The commands are those of docs/get-started/yaml-python-go.md. */

const [addFromGit = ""] = commandsOf("Install the plugin");
const ofGit = "git.example.com/platform/container-platform-plugin.git@0.1.0";

const timeout = 600_000;

test("a program in YAML has the plugin from Git or a folder: it is deployed, listed, imported and destroyed", { timeout }, async () => {
  await using reader = await Reader.create(scratch(), hostEnvironment("yaml"));
  const program = sampleOf("Write a YAML program", "yaml");
  const packagesAfter = async (...commands: readonly string[]) => {
    reader.write("Pulumi.yaml", program);
    await reader.run(...commands);
    return readFileSync(join(reader.folder, "Pulumi.yaml"), "utf8").split("\npackages:\n").at(1)?.trim();
  };

  // A version that is not named is the newest tag. Pulumi does not write it down.
  expect(await packagesAfter(addFromGit.replace("@0.1.0", ""))).toBe(`container-platform: ${ofGit.replace("@0.1.0", "")}`);
  cpSync(reader.tree, join(reader.folder, "plugin"), { recursive: true });
  expect(await packagesAfter("pulumi package add ./plugin")).toBe("container-platform: ./plugin");
  await reader.run("pulumi stack init folder", "pulumi up --yes", "pulumi destroy --yes", "pulumi stack rm --yes");
  const inFolder = ofGit.replace("container-platform-plugin.git", "tools.git/plugin");
  expect(await packagesAfter(`pulumi package add https://${inFolder}`)).toBe(`container-platform: ${inFolder}`);
  expect(await packagesAfter(addFromGit)).toBe(`container-platform: ${ofGit}`);
  await deploy(reader);
});
