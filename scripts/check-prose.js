import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// `npm run check:prose`: checks docs/contributing/writing.md, as far as a program can. scripts/prose.json has how many faults each page, and the
// comments and messages of each folder, still have: the numbers may only fall. `npm run check:prose -- --update` writes them.
// `npm run check:prose -- docs/guides/ci.md` lists the faults of some pages.
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const kept = join(root, "scripts", "prose.json");

/** @type {readonly (readonly [RegExp, string])[]} */
const phrases = [
  [/\bkilled run|\bwas ended before|\brun that was ended/gi, "interrupted update"],
  [/\bleft behind|\bleftover|\bwhat is left\b|\bha(?:ve|s) left\b/gi, "orphan"],
  [/\b(?:is|are) there already\b/gi, "already exists"],
  [/\bthere (?:is|are) no\b/gi, "not found / does not exist"],
  [/\bis no (?!longer|more|such|need)\w+/gi, "is not a (valid) …"],
  [/\b(?:are|is) none\b|\bnone of them\b/gi, "undefined if there is no …"],
  [/\btak(?:e|es|en|ing) over\b|\btakes? \w+ over\b/gi, "recover / import"],
  [/\bgo(?:es)? on with\b/gi, "continue / resume"],
  [/\b(?:goes?|takes?) along\b/gi, "deleted with it"],
  [/\banew\b/gi, "again / recreated"],
  [/\bin the way\b/gi, "conflicts / blocks"],
  [/\bstands? (?:beside|on|in|for|there|behind)\b/gi, "exists / depends on"],
  [/\blets? (?:in|\w+ in)\b/gi, "allow"],
  [/\bnobody\b|\bsomebody\b|\banybody\b/gi, "name the actor"],
  [/\bleads? nowhere\b/gi, "is not reachable"],
  [/\bdrawn?\b/gi, "generate"],
  [/\bin words\b/gi, "as text"],
  [/\bso many\b/gi, "N"],
  [/\bdoors?\b/gi, "entry point"],
  [/\brooms?\b/gi, "folder"],
  [/\bthings?\b/gi, "the exact noun"],
  [/\bwish(?:es|ed)?\b|\bveil(?:s|ed)?\b|\bpossession\b|\bbelongings?\b|\bstrangers?\b/gi, "see the glossary"],
];
const what = /\bwhat\b/gi;
/** Pages that are generated, as a whole or in part: they may be longer than the longest page. */
const generated =
  /docs\/(?:reference\/(?:api|components|error-codes|functions|policies|README|resources)|contributing\/(?:conformance|distribution|performance|provider-guide|public-api))/;
const longest = 1500;

/** @param {string[]} args */
const git = (...args) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
/** @param {string} path */
const read = (path) => readFileSync(join(root, path), "utf8");
/** @param {string} text @param {RegExp} pattern */
const count = (text, pattern) => [...text.matchAll(pattern)].length;

/** The text of a page without code, comments and addresses. @param {string} page */
function proseOf(page) {
  return page
    .replace(/```.*?```/gs, "")
    .replace(/<!--.*?-->/gs, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`]*`/g, "X");
}

/** Comments, and texts of five words or more. @param {string} source */
function proseIn(source) {
  const comments = [...source.matchAll(/\/\*\*?(.*?)\*\/|^\s*\/\/([^\n]*)/gms)].map(([, block, line]) =>
    (block ?? line ?? "").replace(/^\s*\*/gm, ""),
  );
  const code = source.replace(/\/\*.*?\*\/|^\s*\/\/.*$|^import .*$/gms, "");
  const texts = [...code.matchAll(/`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g)].map(([, long, short]) =>
    (long ?? short ?? "").replace(/\$\{[^}]*\}/g, "X"),
  );
  return [...comments, ...texts.filter((text) => text.split(/\s+/).length >= 5)].join("\n");
}

/** The faults of a page. @param {string} path */
function faultsOf(path) {
  const page = read(path).replace(/```.*?```/gs, "");
  const prose = proseOf(page);
  const words = count(prose, /[A-Za-z']+/g);
  const tooMany = count(prose, what) - Math.ceil((words * 3) / 1000);
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  return [
    ...(words > longest && !generated.test(path) ? [`${words} words: at most ${longest}`] : []),
    ...(tooMany > 0 ? [`"what" ${tooMany} times more than 3 times in 1,000 words: name the object`] : []),
    ...phrases.flatMap(([pattern, instead]) => [...prose.matchAll(pattern)].map(([found]) => `"${found}": write ${instead}`)),
    ...headings.filter((one) => /^(What|Who|Where|When|How a)\b/.test(one)).map((one) => `heading "${one}": name the task or the noun`),
    ...headings.filter((one) => one.split(/\s+/).length > 6).map((one) => `heading "${one}": at most 6 words`),
  ];
}

const pages = process.argv.slice(2).filter((argument) => argument !== "--update");
if (pages.length > 0) {
  for (const page of pages) for (const fault of faultsOf(page)) console.log(`${page}: ${fault}`);
  process.exit();
}

/** @type {Record<string, string[]>} */
const found = {};
for (const path of git("ls-files", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md"))
  if (!/specification\.md$|contributing\/writing\.md$/.test(path)) found[path] = faultsOf(path);
for (const path of git("ls-files", "provider/src/*.ts", "sdk/src/*.ts"))
  if (!/\.(test|fixture|cases)\.|random-calls\//.test(path)) {
    const folder = path.split("/").slice(0, -1).slice(0, 3).join("/");
    const prose = proseIn(read(path));
    const phrasesIn = [what, ...phrases.map(([pattern]) => pattern)].flatMap((pattern) => [...prose.matchAll(pattern)]);
    (found[folder] ??= []).push(...phrasesIn.map(([phrase]) => `${path}: "${phrase}"`));
  }

const counts = Object.fromEntries(Object.entries(found).flatMap(([place, faults]) => (faults.length > 0 ? [[place, faults.length]] : [])));
if (process.argv.includes("--update")) writeFileSync(kept, `${JSON.stringify(counts, undefined, 2)}\n`);
/** @type {Record<string, number>} */
const allowed = JSON.parse(readFileSync(kept, "utf8"));
/** @type {string[]} */
const errors = [];
for (const [place, faults] of Object.entries(found)) {
  const most = allowed[place] ?? 0;
  const why = "see docs/contributing/writing.md";
  if (faults.length > most)
    errors.push(`${place}: ${faults.length} faults, and ${most} are allowed (${why}):`, ...faults.map((fault) => `  ${fault}`));
  if (faults.length < most) errors.push(`${place}: ${faults.length} faults, fewer than ${most}: run \`npm run check:prose -- --update\``);
}

const main = ["origin/main", "main"].find((name) => git("branch", "--all", "--list", name, `remotes/${name}`).length > 0);
if (main !== undefined)
  for (const subject of git("log", "--no-merges", "--format=%s", `${main}..HEAD`))
    if (subject.length > 72) errors.push(`a commit's subject has ${subject.length} characters, and 72 are allowed: ${subject}`);

for (const error of errors) console.log(error);
process.exitCode = errors.length > 0 ? 1 : 0;
