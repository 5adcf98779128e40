import { describe, test } from "vitest";
import { proofs } from "./proofs.ts";
import { type Reaching, Stage } from "./proof-stage.ts";

/** The tests of every proof, with worlds that are reached in one way. */
export function specificationSuite(name: string, reaching: Reaching): void {
  describe(name, () => {
    for (const { title, run } of proofs)
      test(title, async () => {
        const stage = await Stage.open(reaching);
        try {
          await run(stage);
        } finally {
          await stage.close();
        }
      });
  });
}
