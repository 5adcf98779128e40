import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { goldens } from "./goldens.ts";

const folder = join(import.meta.dirname, "goldens");

test("recorded previews are rendered as before; `npm run record:previews` writes intended changes", () => {
  const told = goldens();
  expect(readdirSync(folder).toSorted()).toEqual([...told.keys()].toSorted());
  for (const [file, text] of told) expect(text, file).toBe(readFileSync(join(folder, file), "utf8"));
});
