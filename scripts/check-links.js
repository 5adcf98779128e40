import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { marked } from "marked";

// `npm run check:links`: every relative link of a page reaches a file and a heading, every page of docs/ is named by the index or by the README
// of its section, and every page that a source file names exists.
const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** @param {string[]} args */
const listed = (...args) =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...args], { cwd: root, encoding: "utf8" });
/** @param {string[]} patterns */
const filesOf = (...patterns) =>
  [...new Set(listed(...patterns).split("\n"))].filter((path) => path !== "" && existsSync(join(root, path)));
/** @param {string} path */
const read = (path) => readFileSync(join(root, path), "utf8");

/** A page's links, and the anchors that GitHub gives its headings. */
class Page {
  /** @type {string[]} */
  links = [];
  /** @type {Set<string>} */
  anchors = new Set();

  /** @param {string} text */
  constructor(text) {
    marked.walkTokens(marked.lexer(text), (token) => {
      if (token.type === "link" || token.type === "image") this.links.push(String(token["href"]));
      if (token.type === "heading") this.#add(String(token["text"]));
      if (token.type === "html") this.#addHtml(token.raw);
    });
  }

  /** @param {string} heading */
  #add(heading) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let n = 1; this.anchors.has(unique); n++) unique = `${anchor}-${n}`;
    this.anchors.add(unique);
  }

  /** @param {string} html */
  #addHtml(html) {
    for (const [, href = ""] of html.matchAll(/<(?:a|img)\s[^>]*(?:href|src)="([^"]*)"/g)) this.links.push(href);
    for (const [, id = ""] of html.matchAll(/\sid="([^"]*)"/g)) this.anchors.add(id);
  }
}

const paths = filesOf("*.md", ":!sdk/src", ":!test", ":!*CHANGELOG.md").concat("CHANGELOG.md");
const pages = new Map(paths.map((path) => [path, new Page(read(path))]));
/** @type {string[]} */
const errors = [];
/** Pages by the index from which they can be found. @type {Set<string>} */
const indexed = new Set(["docs/README.md"]);

for (const [path, { links }] of pages)
  for (const link of links) {
    if (/^[a-z]+:/.test(link)) continue;
    const [file = "", anchor] = decodeURI(link).split("#");
    const target = file === "" ? path : normalize(join(dirname(path), file)).replace(/\/$/, "");
    const page = pages.get(target) ?? pages.get(`${target}/README.md`);
    if (relative(".", target).startsWith("..") || !existsSync(join(root, target))) errors.push(`${path}: ${link} does not exist`);
    else if (anchor !== undefined && !page?.anchors.has(anchor)) errors.push(`${path}: ${target} does not have the heading #${anchor}`);
    if (path.endsWith("README.md")) indexed.add(pages.has(target) ? target : `${target}/README.md`);
  }

for (const path of pages.keys())
  if (path.startsWith("docs/") && !indexed.has(path))
    errors.push(`${path}: neither docs/README.md nor the README of a section links to the page`);

for (const path of filesOf("*.ts", "*.js", "*.yml", "*.yaml", ":!*.test.ts"))
  for (const [, page = ""] of read(path).matchAll(/(?<![\w/.-])(docs\/[\w/-]+\.md)\b/g))
    if (!pages.has(page)) errors.push(`${path}: ${page} does not exist`);

for (const error of errors) console.log(error);
process.exitCode = errors.length > 0 ? 1 : 0;
