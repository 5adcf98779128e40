import { expect, test } from "vitest";
import { complaints } from "../support/compiler.ts";

/** A small resource, written as in the provider. Each test makes a mistake in one part of it. */
function definition({
  inputs = "size: z.int(),",
  changes = 'size: "replace",',
  states = "{ state: { Making: 'pending', Ready: 'ready' } satisfies ReadinessTable<'Making' | 'Ready'> }",
  read = "",
  owned = 'owned: "vpc",',
} = {}): string {
  return `
    import * as vpc from "@container-platform/sdk/vpc";
    import * as z from "@container-platform/sdk/zod";
    import { cleared } from "../definition/inputs.ts";
    import type { ReadinessTable } from "@container-platform/sdk";
    import { joined } from "../definition/id.ts";
    import { resource } from "../definition/resource.ts";
    export class Thing extends resource("Thing", {
      inputs: { ${inputs} },
      outputs: { exampleId: z.string() },
      states: ${states},
      id: joined("example-1", "exampleId"),
    }).managed({
      ${owned}
      create: async () => ({ exampleId: "example-1" }),
      read: async (cloud, { exampleId }) => ({
        exampleId, state: "Ready", size: 1, lacking: undefined, reason: undefined, requestId: undefined, ${read}
      }),
      list: async () => [],
      delete: async () => undefined,
      changes: { ${changes} },
    }) {}`;
}

const inProvider = (text: string) => complaints("provider/src/resources/mistake.ts", text);
const inPlatform = (code: string) =>
  complaints(
    "sdk/src/local/mistake.ts",
    `import { deleteVpc } from "../catalogue/vpc.ts";
     import { on } from "./behaviour.ts";
     export const behaviour = on(deleteVpc, (call) => { throw call.error("${code}", "no"); });`,
  );
const inProgram = (text: string) =>
  complaints(
    "examples/platform/mistake.ts",
    `import { Subnet } from "@container-platform/pulumi"; import * as vpc from "@container-platform/sdk/vpc";
import { Cloud } from "@container-platform/sdk"; declare const cloud: Cloud; ${text}`,
  );

test("a definition without mistakes compiles", () => {
  expect(inProvider(definition())).toEqual([]);
  expect(
    inProvider(
      definition({
        inputs: "size: z.int(), note: cleared(z.string()),",
        changes: 'size: "replace", note: async () => undefined,',
        read: "note: undefined,",
      }),
    ),
  ).toEqual([]);
});

test("an input that is forgotten in the change table does not compile", () => {
  expect(inProvider(definition({ changes: "" })).join()).toContain("size");
});

test("a definition that does not say how an orphan is found does not compile", () => {
  expect(inProvider(definition({ owned: "" })).join()).toContain("owned");
});

test("an input that is forgotten in read does not compile", () => {
  expect(
    inProvider(definition({ inputs: "size: z.int(), note: cleared(z.string()),", changes: 'size: "replace", note: "local-only",' })).join(),
  ).toContain("note");
});

test("an optional input that does not say what its removal does does not compile", () => {
  expect(inProvider(definition({ inputs: "size: z.int().optional()," })).join()).toContain("ZodOptional<ZodInt>");
});

test("a state that is unknown, or forgotten, does not compile", () => {
  expect(
    inProvider(
      definition({ states: "{ state: { Making: 'pending', Reddy: 'ready' } satisfies ReadinessTable<'Making' | 'Ready'> }" }),
    ).join(),
  ).toContain("Reddy");
  expect(inProvider(definition({ states: "{ state: { Ready: 'ready' } satisfies ReadinessTable<'Making' | 'Ready'> }" })).join()).toContain(
    "Making",
  );
});

test("an error code that is misspelt, or that the operation does not declare, does not compile", () => {
  expect(inPlatform("ResourceInUse")).toEqual([]);
  expect(inPlatform("RequestLimitExceeded")).toEqual([]);
  expect(inPlatform("ResourceInUsed").join()).toContain("ResourceInUsed");
  expect(inPlatform("LimitExceeded.CidrBlock").join()).toContain("LimitExceeded.CidrBlock");
});

test("a field that an operation does not have does not compile", () => {
  expect(inProgram('void cloud.call(vpc.deleteVpc, { vpcId: "vpc-1" });')).toEqual([]);
  expect(inProgram('void cloud.call(vpc.deleteVpc, { vpcID: "vpc-1" });').join()).toContain("vpcID");
  expect(inProgram('void cloud.call(vpc.deleteVpc, { vpcId: "vpc-1" }).then(({ vpcName }) => vpcName);').join()).toContain("vpcName");
});

test("an input that a resource does not have, or of another type, does not compile", () => {
  const args = 'vpcId: "vpc-1", cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1"';
  expect(inProgram(`new Subnet("it", { ${args} });`)).toEqual([]);
  expect(inProgram(`new Subnet("it", { ${args}, subnetname: "a" });`).join()).toContain("subnetname");
  expect(inProgram(`new Subnet("it", { ${args}, subnetName: 7 });`).join()).toContain("Type 'number' is not assignable");
  expect(inProgram('new Subnet("it", { vpcId: "vpc-1", zone: "eu-frankfurt-1" });').join()).toContain("cidrBlock");
});
