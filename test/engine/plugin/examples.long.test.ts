import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileNameOf } from "../../../scripts/docs/markdown.ts";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { scratchOfFile } from "../../../sdk/src/scratch.fixture.ts";
import { samplesIn } from "../../docs/samples.ts";
import { root } from "../../support/compiler.ts";
import {
  goLanguage,
  type Language,
  linkTypescriptSdk,
  pythonLanguage,
  typescriptLanguage,
  writeGoModule,
} from "../../support/generated.ts";
import { hostEnvironment, yamlSettings } from "../../support/hosts.ts";
import { Stack } from "../../support/stack.ts";

/** The examples of the resources that the plugin's schema has, in each language. */

const folder = join(root, "docs", "reference", "examples");
const scratch = scratchOfFile();
const seconds = 600;

function exampleIn(language: string, kind: string): string {
  const page = readFileSync(join(folder, `${fileNameOf(kind)}.md`), "utf8");
  return samplesIn(page).find((sample) => sample.language === language)?.text ?? "";
}

/** What a program says, with its exit code. */
function told(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

test("each resource has one in each language, as Pulumi's generators write it from the one in YAML", { timeout: seconds * 1000 }, () => {
  const files = kinds.map(fileNameOf).flatMap((name) => [`${name}.md`, `${name}.yaml`]);
  expect(readdirSync(folder).toSorted()).toEqual(files.toSorted());
  expect(told(process.execPath, [join(root, "scripts", "examples.js"), "--check"], root)).toMatchObject({ status: 0 });
});

test.for(kinds)("that of %s in YAML is deployed, found unchanged and destroyed", { timeout: seconds * 1000 }, async (kind) => {
  await using stack = await Stack.create({ program: "", programs: "language-host", env: hostEnvironment("yaml"), seconds });
  writeFileSync(join(stack.folder, "Pulumi.yaml"), yamlSettings + exampleIn("yaml", kind));
  await stack.up();
  expect((await stack.resources()).map(({ urn }) => urn).join()).toContain(nativeToken(kind));
  await stack.preview("--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

/** Previews the examples of a language one after another: the engine takes each program, and all that it asks for. */
async function previewAll({ env, into }: Language, language: string, of: readonly string[] = kinds): Promise<void> {
  await using stack = await Stack.create({ program: "", programs: "language-host", env, seconds });
  for (const kind of of) {
    into(stack, exampleIn(language, kind));
    expect((await stack.preview()).output, kind).toMatch(/\d+ to create/);
  }
}

test("those in TypeScript compile with the generated SDK, and run", { timeout: seconds * 4000 }, async () => {
  const language = typescriptLanguage();
  const programs = join(scratch, "typescript");
  linkTypescriptSdk(programs);
  symlinkSync(join(root, "node_modules", "@pulumi"), join(programs, "node_modules", "@pulumi"));
  for (const kind of kinds) writeFileSync(join(programs, `${kind}.ts`), exampleIn("typescript", kind));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--types", "node"];
  const roots = ["--typeRoots", join(root, "node_modules", "@types")];
  expect(told("tsc", [...options, ...roots, ...kinds.map((kind) => `${kind}.ts`)], programs)).toEqual({ status: 0, output: "" });
  await previewAll(language, "typescript");
});

test("those in Python run with the generated SDK", { timeout: seconds * 4000 }, async () => {
  await previewAll(pythonLanguage(scratch), "python");
});

// Each takes ten seconds to link.
test("those in Go compile with the generated SDK, and those with the most in them run", { timeout: seconds * 4000 }, async () => {
  const language = goLanguage();
  const module = join(scratch, "go");
  for (const kind of kinds) {
    mkdirSync(join(module, kind), { recursive: true });
    writeFileSync(join(module, kind, "main.go"), exampleIn("go", kind));
  }
  writeGoModule(module);
  const { status, output } = told("go", ["vet", "./..."], module, { ...process.env, ...language.env });
  expect(status, output).toBe(0);
  await previewAll(language, "go", ["ClusterEndpoint", "RegistryInstance"]);
});
