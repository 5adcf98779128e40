import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../provider/src/resources/reviews.ts";

test.each(kinds)("%s has a table of what its inputs do", (kind) => {
  const file = `${kind.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.test.ts`;
  expect(existsSync(join(import.meta.dirname, "tables", file)), `test/provider/tables/${file}`).toBe(true);
});
