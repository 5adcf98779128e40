import { kinds } from "../../../provider/src/resources/reviews.ts";
import { casesOf } from "./all.ts";

const head = `import { ${kinds.join(", ")} } from "@container-platform/pulumi";\n\n`;

/**
 * A program with resources of each kind. `called`: the value of every input that can have any text. Further ones have values that are given,
 * left to the platform, spelt in another way, and secret.
 */
export function severalOfEach(called: string): string {
  return head + kinds.map((kind) => `${casesOf[kind].program.one(called)}\n${casesOf[kind].program.further ?? ""}\n`).join("");
}
