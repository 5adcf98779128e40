import { expect, test } from "vitest";
import { readersIn, readersOf } from "../../provider/src/review/assess/stack-outputs.ts";
import { reviewOf } from "../../provider/src/review/review.ts";
import { planOfTexts, recorded } from "./reviewed.ts";

/** Outputs of a stack belong to its reach: other stacks read them. */

/** The state of a stack that reads the recorded one, as far as that is asked about. */
const reading = JSON.stringify({
  deployment: {
    resources: [
      {
        urn: "urn:pulumi:prod::apps::pulumi:pulumi:StackReference::platform",
        type: "pulumi:pulumi:StackReference",
        inputs: { name: "organization/throw-away/test" },
      },
    ],
  },
});
const alone = JSON.stringify({ deployment: { resources: [] } });

/** The recorded run that changes nothing, with another text in place of the last mention of an output: that of the stack's outputs after it. */
function logWith(other: string): string {
  const [, log = ""] = recorded("nothing");
  const [output = ""] = /,"vpcId":"[\w-]+"/.exec(log) ?? [];
  const at = log.lastIndexOf(output);
  return log.slice(0, at) + other + log.slice(at + output.length);
}

test.for<[name: string, output: string, states: readonly string[] | undefined, sentence: string | undefined]>([
  ["vanishes, where the other stacks are not known", "", undefined, "loses its output vpcId. A stack that reads one fails from then on"],
  ["vanishes, and is read by another stack", "", [alone, reading], "loses its output vpcId, which apps/prod reads"],
  ["vanishes, and is read by no other stack", "", [alone], undefined],
  ["changes, and is read by another stack", ',"vpcId":"x"', [reading], "gets another value of its output vpcId, which apps/prod reads"],
  ["changes, where the other stacks are not known", ',"vpcId":"x"', undefined, undefined],
])("an output that %s", ([, output, states, sentence]) => {
  const readers = states && readersOf(states.flatMap(readersIn), "throw-away", "test");
  const { verdict, reasons } = reviewOf(planOfTexts([logWith(output)]), [], { readers });
  expect(verdict).toBe(sentence === undefined ? "nothing" : "needs-approval");
  expect(reasons.map(({ called, sentence: said }) => `${called} ${said}`)).toEqual(
    sentence === undefined ? [] : [expect.stringContaining(`stack ${sentence}`)],
  );
});

test("references are found in a state, in a preview and in an event log, and by the ends of their names", () => {
  const [state] = readersIn(reading);
  expect(state).toEqual({ stack: "apps/prod", reads: "organization/throw-away/test" });
  expect(readersIn(`${reading}\n${alone}`)).toEqual([state]);
  expect(() => readersIn("nothing of Pulumi's")).toThrow("neither a state");
  const named = (reads: string) => readersOf([{ stack: "apps/prod", reads }], "throw-away", "test");
  expect(["test", "throw-away/test", "acme/throw-away/test"].map((reads) => named(reads).length)).toEqual([1, 1, 1]);
  expect(["other", "throw-away/other", "else/test"].map((reads) => named(reads).length)).toEqual([0, 0, 0]);
});
