import fc from "fast-check";
import { CollidingProgram, type Edit, type Run } from "../lifecycle/collisions.ts";
import { called, type Declaration, type Program, Reference } from "../lifecycle/program.ts";

/** Random programs whose resources come into each other's way, and in nobody else's: all values are right by themselves. */

const kinds = ["Vpc", "Subnet", "Subnet", "RegistryInstance", "Namespace"] as const;

const edit: fc.Arbitrary<Edit> = fc.record({
  does: fc.constantFrom("add", "remove", "rename", "rename", "alias", "change", "change", "swap", "move", "force", "force first", "after"),
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(99),
  value: fc.nat(3),
});

/** What is there at first. */
const first: readonly Edit[] = kinds.flatMap((kind) => [0, 2].map((value) => ({ does: "add", kind, pick: value / 2, value })));

/** Programs after the first one: each edits the last that was carried out. */
export class Sequence {
  readonly #edits: readonly (readonly Edit[])[];
  #program = new CollidingProgram();
  #at = 0;

  constructor(seed: number, length: number) {
    this.#edits = [first, ...fc.sample(fc.array(edit, { minLength: 1, maxLength: 3 }), { seed, numRuns: length })];
  }

  /** The next program, if there is one, and what makes it the last one that was carried out. */
  next(): { readonly run: Run; readonly edits: readonly Edit[]; readonly keep: () => void } | undefined {
    const edits = this.#edits[this.#at++];
    if (!edits) return undefined;
    const { program, forced } = this.#program.edited(edits);
    return { edits, run: { program: within(program.declarations), forced }, keep: () => (this.#program = program) };
  }
}

/** Puts the range of each subnet into that of its VPC. */
function within(program: Program): Program {
  const ranges = new Map(program.filter(({ type }) => type === "Vpc").map((vpc) => [called(vpc), String(vpc.args["cidrBlock"])]));
  return program.map((one): Declaration => {
    const { vpcId, cidrBlock } = one.args;
    if (one.type !== "Subnet" || !(vpcId instanceof Reference)) return one;
    const [, start] = /^(\d+\.\d+)\./.exec(ranges.get(vpcId.of) ?? "") ?? [];
    const end = String(cidrBlock).split(".").slice(2).join(".").replace("128.0", "32.0");
    return { ...one, args: { ...one.args, cidrBlock: `${start}.${end}` } };
  });
}
