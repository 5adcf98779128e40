import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { marked, type Tokens } from "marked";
import { expect, test } from "vitest";
import { root } from "../support/compiler.ts";

/** Each message of the product that a page of troubleshooting quotes is one that a test expects or a golden file holds. */

const folder = join(root, "docs", "troubleshooting");
const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));

/** The texts of tests and goldens, without the marks of regular expressions and of strings. */
const expected = ["test", "sdk/src", "provider/src", "scripts"]
  .flatMap((from) => readdirSync(join(root, from), { recursive: true, encoding: "utf8" }).map((path) => join(from, path)))
  .filter((path) => !path.includes("node_modules") && !path.includes(join("test", "docs")))
  .filter(
    (path) => /\.(?:test|fixture|cases|drifts)\.ts$/.test(path) || (/^test\W/.test(path) && /\.(?:ts|txt|md|json|snap|html)$/.test(path)),
  )
  .map((path) => plain(readFileSync(join(root, path), "utf8")))
  .join("\n");

function plain(text: string): string {
  return text.replaceAll("\\", "").replaceAll(/[`"']/g, "").replaceAll(/\s+/g, " ");
}

/** The longest part of a quoted message in which no ID, name or number stands. */
function fixedPartOf(message: string): string {
  const parts = message
    .replace(/^\s*(?:error|warning|info): /, "")
    .replace(/ \[Provider\.\w+\]$/, "")
    .split(/\b[a-z]+-[0-9a-f]{8}\b(?:\/\S+)?|"[^"]*"|`[^`]*`|\b\d[\d.:/]*|…|\b(?:eu|ap|na)-[a-z]+\S*|[()]/)
    .map((part) => plain(part).replaceAll(/^[\s:,.;]+|[\s:,.;]+$/g, ""));
  return parts.toSorted((one, other) => other.length - one.length)[0] ?? "";
}

/** Parts of Pulumi's own messages, which the tests of Pulumi expect. */
const ofPulumi = [
  ...["because it is protected", "currently marked for protection", "failed to load checkpoint", "stack is currently locked by"],
  ...["pending operations from previous deployment", "interrupted while creating"],
];

/** The messages of a page: the first column of a table of messages, and printed texts. Pulumi's own are left out. */
function messagesOf(text: string): string[] {
  const messages: string[] = [];
  let heading = "";
  for (const token of marked.lexer(text)) {
    if (token.type === "heading") heading = (token as Tokens.Heading).text;
    if (token.type === "code" && (token as Tokens.Code).lang === "text")
      messages.push(...(token as Tokens.Code).text.split("\n").filter((line) => /^\s*(?:error|warning|info): /.test(line)));
    if (token.type === "table" && (token as Tokens.Table).header[0]?.text === "Message" && !heading.includes("Pulumi"))
      for (const [first] of (token as Tokens.Table).rows)
        messages.push(...[...(first?.text ?? "").matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one));
  }
  return messages.filter((message) => !ofPulumi.some((part) => message.includes(part)));
}

const quoted = pages.flatMap((page) => messagesOf(readFileSync(join(folder, page), "utf8")).map((message) => ({ page, message })));

test("pages of troubleshooting quote messages", () => {
  expect(quoted.length).toBeGreaterThan(30);
});

test.each(quoted)("$page: a test has $message", ({ message }) => {
  const part = fixedPartOf(message);
  expect(part.length).toBeGreaterThan(9);
  expect(expected.includes(part), part).toBe(true);
});
