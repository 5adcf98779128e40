import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { packInto } from "../../scripts/packed.ts";
import { scratchOfFile } from "../../sdk/src/scratch.fixture.ts";
import { root } from "../support/compiler.ts";

const place = scratchOfFile();

const [sdk, pulumi] = ["@container-platform/sdk", "@container-platform/pulumi"] as const;
const manifestSchema = z.looseObject({ version: z.string() });

/** Puts a package into a folder as package managers do, as if it had another version if one is given. */
function unpack(tarball: string, folder: string, version?: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
  if (version === undefined) return;
  const file = join(folder, "package.json");
  writeFileSync(file, JSON.stringify({ ...manifestSchema.parse(JSON.parse(readFileSync(file, "utf8"))), version }));
}

/** A program whose library brings one of our packages, too. */
function program(name: string, brought: typeof sdk | typeof pulumi, version?: string): string {
  const folder = join(place, name);
  const modules = join(folder, "node_modules");
  const library = join(modules, "library");
  for (const [one, tarball] of Object.entries(tarballs)) unpack(tarball, join(modules, one));
  unpack(tarballs[brought], join(library, "node_modules", brought), version);
  writeFileSync(join(library, "package.json"), '{ "name": "library", "version": "1.0.0", "main": "index.js" }');
  writeFileSync(join(library, "index.js"), `module.exports = require("${brought}");\n`);
  return folder;
}

function loaded(folder: string, how: "import" | "require") {
  const load = (name: string) => (how === "import" ? `import "${name}";` : `require("${name}");`);
  const file = join(folder, how === "import" ? "index.mjs" : "index.cjs");
  writeFileSync(file, `${[sdk, pulumi, "library"].map(load).join("\n")}\nconsole.log("loaded");\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

let tarballs: ReturnType<typeof packInto>;
let version: string;
beforeAll(() => {
  tarballs = packInto(place);
  // What our packages depend on besides each other.
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  ({ version } = manifestSchema.parse(JSON.parse(readFileSync(join(root, "sdk/package.json"), "utf8"))));
});

test("a second version of the provider in one program is refused, in a sentence with both and what to do", () => {
  const folder = program("provider", pulumi, "9.8.7");
  for (const how of ["import", "require"] as const) {
    const { status, stdout, stderr } = loaded(folder, how);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    const [one, other] = [join(folder, "node_modules", pulumi), join(folder, "node_modules", "library", "node_modules", pulumi)];
    expect(stderr).toContain(
      `${pulumi} is here in two versions, ${version} in ${one} and 9.8.7 in ${other}: \`npm ls ${pulumi}\` says who brings which; ` +
        "update who brings the older one, or choose one with `overrides` in package.json",
    );
    expect(stderr).not.toContain("    at ");
  }
});

test("a second version of the SDK is warned of, and works", () => {
  const folder = program("sdk", sdk, "9.8.7");
  const { status, stdout, stderr } = loaded(folder, "import");
  expect({ status, stdout }).toEqual({ status: 0, stdout: "loaded\n" });
  expect(stderr.trim().split("\n")).toEqual([
    expect.stringMatching(/^warning: @container-platform\/sdk is here in two versions, \S+ in \S+ and 9\.8\.7 in /),
  ]);
});

test.each([sdk, pulumi])("two copies of the same version of %s are one version", (name) => {
  expect(loaded(program(`same-${name.length}`, name), "import")).toEqual({ status: 0, stdout: "loaded\n", stderr: "" });
});
