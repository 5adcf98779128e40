import { expect, test } from "vitest";
import { z } from "zod";
import { kinds as definitions } from "../../../provider/src/resources/kinds.ts";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { casesOf } from "../kinds/all.ts";
import { makePlace } from "../stage/place.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { type DriftsOfKind, lawOfDrift } from "./drift-law.ts";

const stage = await sharedStage();
const place = await makePlace(stage);
const all: DriftsOfKind[] = [];
for (const kind of kinds) all.push({ kind, ...(await casesOf[kind].drifts(place)) });

// What needs little room is deployed together.
lawOfDrift(
  stage,
  all.filter(({ atOnce }) => atOnce === undefined),
);
for (const one of all) if (one.atOnce !== undefined) lawOfDrift(stage, [one], one.atOnce);

test("each input of each resource is changed by hand, or listed as one that cannot be read back", async () => {
  for (const { kind, unread, cases } of all) {
    const parts = partsOf((await definitions[kind]()).kind.inputs.shape);
    // A case about a part of an optional input counts for the whole input.
    const changed = cases.map(({ input }) => (parts.includes(input) ? input : (input.split(".")[0] ?? "")));
    expect([...new Set([...Object.keys(unread), ...changed])].sort(), kind).toEqual(parts);
  }
});

/** Inputs by name, and the parts of those that are always there. */
function partsOf(shape: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(shape)
    .flatMap(([key, schema]) => (schema instanceof z.ZodObject ? Object.keys(schema.shape).map((part) => `${key}.${part}`) : [key]))
    .sort();
}
