import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "./control-plane.ts";

/** A control plane that ends, ends its connections first: for so long it may take until its end is known, in milliseconds. */
const grace = 1000;

/** Reports mistakes of what works with a control plane, but for those that its end makes. */
export function whileRunning({ ended }: Pick<ControlPlane, "ended">, report: (mistake: unknown) => void): (mistake: unknown) => void {
  return (mistake) => {
    const over = ended.then(() => true);
    void Promise.race([over, sleep(grace, false, { ref: false })]).then((isOver) => {
      if (!isOver) report(mistake);
    });
  };
}
