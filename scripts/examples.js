import "./node-version.js";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, SetUpError } from "./command.js";
import { generatorProgram } from "./engine.js";
import { quietly } from "./processes.js";
import { root, setUp } from "./setup.js";

// `npm run examples`: writes the examples of the resources in TypeScript, Python and Go, from those in YAML, by Pulumi's own generators.
// `--check` writes nothing: it lists what is not up to date, and exits with 1 if anything is.

/** @typedef {import("./processes.js").Environment} Environment */

const folder = join(root, "docs", "reference", "examples");
const schema = join(root, "plugin", "schema.json");
const languages = { nodejs: "ts", python: "py", go: "go" };
/** What makes a program of an example. */
const head = "name: example\nruntime: yaml\n";

await command(async () => {
  const generator = await generatorProgram(await setUp());
  const examples = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  const stale = [];
  for (const example of examples)
    for (const [language, ending] of Object.entries(languages)) {
      const file = join(folder, example.replace(/yaml$/, ending));
      const text = await converted(generator, readFileSync(join(folder, example), "utf8"), language);
      if (!existsSync(file) || readFileSync(file, "utf8") !== text) stale.push({ file, text });
    }
  if (!process.argv.includes("--check")) for (const { file, text } of stale) writeFileSync(file, text);
  for (const { file } of stale) console.log(file);
  return process.argv.includes("--check") && stale.length > 0 ? 1 : 0;
});

/**
 * An example in another language.
 * @param {string} generator
 * @param {string} example
 * @param {string} language
 */
async function converted(generator, example, language) {
  const project = mkdtempSync(join(tmpdir(), "container-platform-example-"));
  try {
    writeFileSync(join(project, "Pulumi.yaml"), head + example);
    const { code, output } = await quietly(generator, ["program", schema, language, project]);
    if (code !== 0) throw new SetUpError(`an example could not be converted to ${language}:\n${example}\n${output.trim()}`);
    return `${output.trim()}\n`;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
