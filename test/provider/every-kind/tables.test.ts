import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../provider/src/resources/reviews.ts";

test.each(kinds)("%s has a table of what its inputs do", async (kind) => {
  const file = `${kind.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.test.ts`;
  expect(globSync(`*/${file}`, { cwd: join(import.meta.dirname, "../kinds") }), `test/provider/kinds/<product>/${file}`).toHaveLength(1);
});
