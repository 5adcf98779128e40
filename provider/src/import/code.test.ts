import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import { constructorCall, Expression, importStatement } from "./code.ts";

const words = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer({ min: 1, max: 90 }).map((length) => "a-long-name-".repeat(8).slice(0, length)),
  fc.constantFrom('a "word"', "it's", `it's a "word"`, "both ' and \"", "a\nb", ""),
);
const keys = fc.constantFrom("vpcId", "subnetName", "clusterDescription", "native", "acme.example/team", "k8s-app", "_", "a b");
const ids = fc.constantFrom("vpc-3f8a0c1e", "subnet-5d20b7c4", "sg-3f8a0c1e").chain((id) => fc.array(fc.constant(id), { maxLength: 6 }));
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    words,
    fc.integer({ min: 0, max: 65_535 }),
    fc.boolean(),
    fc.constantFrom("siteVpc.vpcId", "aRatherLongNameOfSomething.subnetCidrBlock(17)").map((text) => new Expression(text)),
    ids,
    fc.array(fc.dictionary(keys, tie("value"), { maxKeys: 3, noNullPrototype: true }), { maxLength: 3 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

test("what is written is as prettier writes it", async () => {
  await fc.assert(
    fc.asyncProperty(
      words,
      fc.dictionary(keys, values, { maxKeys: 6, noNullPrototype: true }),
      fc.boolean(),
      async (name, inputs, named) => {
        const start = `${named ? "const platformVpc = " : ""}new Vpc`;
        const text = constructorCall(start, name, inputs, ...(named ? [{ import: "vpc-3f8a0c1e" }] : []));
        expect(await format(text, { parser: "typescript" })).toBe(`${text}\n`);
      },
    ),
    { numRuns: 100 },
  );
});

test("an import of few names is one line, one of many has a line for each", async () => {
  for (const names of [["Vpc"], ["Cluster", "ClusterEndpoint", "Ipv6Block", "Subnet", "SecurityGroup", "Vpc"]]) {
    const text = importStatement(names, "@container-platform/pulumi");
    expect(await format(text, { parser: "typescript" })).toBe(`${text}\n`);
  }
});

test("a tag that is called as the prototype of objects is written as one", () => {
  const tags: unknown = JSON.parse('{ "__proto__": "a", "constructor": "b" }');
  const text = constructorCall("new Vpc", "site", { tags });
  expect(text).toContain('["__proto__"]: "a"');
  expect(text).toContain('constructor: "b"');
});
