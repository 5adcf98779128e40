import { describe, test } from "vitest";
import { isReleased } from "../../../scripts/engine.js";
import { scratch } from "../../../sdk/src/scratch.fixture.ts";
import { goVariables } from "../../support/generated.ts";
import { commandsOf, deploy, Reader, sampleOf } from "../../support/package-add.ts";

/** As package-add.all.test.ts, in languages with SDKs: only the hosts of a release of Pulumi generate these and add them to the project. */

const inTypeScript = `
import { Subnet, Vpc } from "@container-platform/native";
const { vpcId } = new Vpc("network", { cidrBlock: "10.0.0.0/16" });
export const { subnetId } = new Subnet("nodes", { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/20" });
`;

/** What `pulumi new` writes, whose templates are on the internet, and the program of the page. */
const languages: Readonly<Record<string, readonly (readonly [file: string, text: string])[]>> = {
  Python: [
    ["Pulumi.yaml", "name: shop\nruntime: { name: python, options: { toolchain: pip, virtualenv: venv } }\n"],
    ["requirements.txt", "pulumi>=3.0.0,<4.0.0\n"],
    ["__main__.py", sampleOf("Write a Python program", "python")],
  ],
  Go: [
    ["Pulumi.yaml", `name: shop\nruntime: go\n`],
    ["go.mod", "module shop\n\ngo 1.25\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.259.0\n"],
    ["main.go", sampleOf("Write a Go program", "go")],
  ],
  TypeScript: [
    ["Pulumi.yaml", "name: shop\nruntime: nodejs\n"],
    [
      "package.json",
      JSON.stringify({ main: "index.ts", dependencies: { "@pulumi/pulumi": "^3.216.0", typescript: "^5", "@types/node": "^24" } }),
    ],
    ["index.ts", inTypeScript],
  ],
};

describe.runIf(isReleased(process.env))("with a release of Pulumi", () => {
  test.for(Object.keys(languages))("a program in %s has the plugin from Git", { timeout: 1_200_000 }, async (name) => {
    await using reader = await Reader.create(scratch(), goVariables());
    for (const [file, text] of languages[name] ?? []) reader.write(file, text);
    const commands = commandsOf("Write a Python program").filter((line) => !line.startsWith("pulumi new"));
    await reader.run("pulumi stack init dev", ...commands);
    await deploy(reader);
  });
});
