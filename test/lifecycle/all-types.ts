import { kinds } from "../../provider/src/resources/reviews.ts";
import type { Program } from "./program.ts";
import { RandomProgram } from "./random-program.ts";

/** A program with a resource of each type, and the resources that they need. */
export function allTypes(): Program {
  const program = new RandomProgram();
  for (const kind of kinds) program.add(kind, 0);
  return program.declarations;
}
