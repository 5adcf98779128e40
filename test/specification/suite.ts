import { describe, expect, test } from "vitest";
import type { Proof } from "./proof.ts";
import { proofs } from "./proofs.ts";
import type { Otherwise } from "./public-otherwise.ts";
import { type Reaching, Stage } from "./proof-stage.ts";

/**
 * The tests of every proof, with worlds that are reached in one way. A proof that holds otherwise has to fail in the way that is told.
 *
 * @param some the proofs; all unless given
 */
export function specificationSuite(
  name: string,
  reaching: Reaching,
  otherwise: readonly Otherwise[] = [],
  some: readonly Proof[] = proofs,
): void {
  describe(name, () => {
    for (const { title, run } of some) {
      const different = otherwise.find((each) => each.title === title);
      test(different ? `${title}: not so, because ${different.because}` : title, async () => {
        const stage = await Stage.open(reaching);
        try {
          await (different ? expect(run(stage)).rejects.toThrow(different.fails) : run(stage));
        } finally {
          await stage.close();
        }
      });
    }

    test("what holds otherwise is a proof", () => {
      const titles = new Set(proofs.map(({ title }) => title));
      expect(otherwise.filter(({ title }) => !titles.has(title))).toEqual([]);
    });
  });
}
