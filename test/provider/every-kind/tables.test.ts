import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds as definitions } from "../../../provider/src/resources/kinds.ts";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { casesOf } from "../kinds/all.ts";

test.each(kinds)("%s has a table of what its inputs do", (kind) => {
  const file = `${kind.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.test.ts`;
  expect(globSync(`*/${file}`, { cwd: join(import.meta.dirname, "../kinds") }), `test/provider/kinds/<product>/${file}`).toHaveLength(1);
});

test("a kind has the case of a killed creation that its way of being found again asks for", async () => {
  for (const kind of kinds) {
    const { owned } = (await definitions[kind]()).kind;
    const asked = owned === "key" ? "keyed" : typeof owned === "object" && "sweep" in owned ? "exempt" : "tagged";
    expect(Object.keys(casesOf[kind].killed), kind).toEqual([asked]);
  }
});
