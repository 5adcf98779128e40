import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guide } from "../guide.ts";

const repository = join(import.meta.dirname, "../../..");

test("each sentence of Pulumi's guide binds the engine, does not hold for a reason, or is held by tests that exist", () => {
  expect(guide).toHaveLength(32);
  for (const [, says, by] of guide)
    for (const { file, title } of by === "engine" || "not" in by ? [] : by)
      expect(readFileSync(join(repository, file), "utf8"), `${says}: ${file}`).toMatch(new RegExp(`(test|title =)[^\\n]*["\`]${title}`));
});
