import { readFileSync } from "node:fs";

const file = new URL("../../docs/contributing/specification.md", import.meta.url);

/** The text of the specification. What the local platform decided stands below it on the same page, and is no part of it. */
export function specification(): string {
  const [text = ""] = readFileSync(file, "utf8").split("\n## What the local platform decided\n");
  return text;
}
