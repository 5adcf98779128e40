import "./node-version.js";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { command, SetUpError } from "./command.js";
import { builtProgram } from "./engine.js";
import { quietly } from "./processes.js";
import { root, setUp } from "./setup.js";

// `npm run examples`: writes the page of the examples of each resource. Pulumi's own generators convert the one in YAML to the other languages.
// `--check` writes nothing: it lists what is not up to date, and exits with 1 if anything is.

/** @typedef {import("./processes.js").Environment} Environment */

const folder = join(root, "docs", "reference", "examples");
const schema = join(root, "plugin", "schema.json");
/** What Pulumi's generators call the languages. */
const generated = { TypeScript: "nodejs", Python: "python", Go: "go" };
/** What makes a program of an example. */
const head = "name: example\nruntime: yaml\n";

await command(async () => {
  const generator = await builtProgram(await setUp(), "generate");
  const stale = [];
  for (const example of readdirSync(folder).filter((name) => name.endsWith(".yaml"))) {
    const file = join(folder, example.replace(/yaml$/, "md"));
    const text = await pageOf(generator, basename(example, ".yaml"));
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) stale.push({ file, text });
  }
  if (!process.argv.includes("--check")) for (const { file, text } of stale) writeFileSync(file, text);
  for (const { file } of stale) console.log(file);
  return process.argv.includes("--check") && stale.length > 0 ? 1 : 0;
});

/**
 * The page of a resource's examples.
 * @param {string} generator
 * @param {string} name the name of the files, such as `nat-gateway`
 */
async function pageOf(generator, name) {
  const yaml = readFileSync(join(folder, `${name}.yaml`), "utf8");
  const type = name.replaceAll(/(?:^|-)(\w)/g, (_, first) => first.toUpperCase());
  const paragraphs = [
    `# ${type} examples`,
    `These programs deploy [\`${type}\`](../resources/${name}.md) with [the native plugin](../../get-started/yaml-python-go.md). \`npm run examples\` converts [${name}.yaml](${name}.yaml) to the other languages.`,
  ];
  /** @param {string} language @param {string} text */
  const add = (language, text) => paragraphs.push(`## ${language}`, `\`\`\`${language.toLowerCase()}\n${text}\`\`\``);
  for (const [language, calledHere] of Object.entries(generated)) add(language, await converted(generator, yaml, calledHere));
  add("YAML", yaml);
  return `${paragraphs.join("\n\n")}\n`;
}

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
