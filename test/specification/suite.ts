import { describe, expect, test } from "vitest";
import { proofs } from "./proofs.ts";
import type { Otherwise } from "./public-otherwise.ts";
import { type Reaching, Stage } from "./proof-stage.ts";

/** The tests of every proof, with worlds that are reached in one way. A proof that holds otherwise has to fail in the way that is told. */
export function specificationSuite(name: string, reaching: Reaching, otherwise: readonly Otherwise[] = []): void {
  describe(name, () => {
    for (const { title, run } of proofs) {
      const different = otherwise.find((each) => each.title === title);
      test(different ? `${title}: not so, because ${different.because}` : title, async () => {
        await using stage = await Stage.open(reaching);
        await (different ? expect(run(stage)).rejects.toThrow(different.fails) : run(stage));
      });
    }

    test("what holds otherwise is a proof", () => {
      const titles = new Set(proofs.map(({ title }) => title));
      expect(otherwise.filter(({ title }) => !titles.has(title))).toEqual([]);
    });
  });
}
