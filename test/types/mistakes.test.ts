import { expect, test } from "vitest";
import { complaints } from "../support/compiler.ts";

/** A resource with one input of each sort, in the provider's own vocabulary. The mistakes are made in its parts. */
function definition({
  inputs = "size: z.int(),",
  changes = 'size: "replace",',
  states = "{ state: { Making: 'pending', Ready: 'ready' } satisfies ReadinessTable<'Making' | 'Ready'> }",
  read = "",
  owned = 'owned: "vpc",',
} = {}): string {
  return `
    import * as vpc from "@container-platform/sdk/vpc";
    import { z } from "zod";
    import { cleared } from "../definition/inputs.ts";
    import type { ReadinessTable } from "@container-platform/sdk";
    import { joined } from "../definition/id.ts";
    import { resource } from "../definition/resource.ts";
    export class Thing extends resource("Thing", {
      inputs: { ${inputs} },
      outputs: { thingId: z.string() },
      states: ${states},
      id: joined("thing-1", "thingId"),
    }).managed({
      ${owned}
      create: async () => ({ thingId: "thing-1" }),
      read: async (cloud, { thingId }) => ({ thingId, state: "Ready", size: 1, ${read} }),
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

test("how a thing is found again that was made by a killed run has to be said", () => {
  expect(inProvider(definition({ owned: "" })).join()).toContain("owned");
});

test("an input that is forgotten in read does not compile", () => {
  expect(
    inProvider(definition({ inputs: "size: z.int(), note: cleared(z.string()),", changes: 'size: "replace", note: "local-only",' })).join(),
  ).toContain("note");
});

test("an input that may be left out must say what taking it out does", () => {
  expect(inProvider(definition({ inputs: "size: z.int().optional()," }))).not.toEqual([]);
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
  expect(inProgram(`new Subnet("it", { ${args}, subnetName: 7 });`)).not.toEqual([]);
  expect(inProgram('new Subnet("it", { vpcId: "vpc-1", zone: "eu-frankfurt-1" });').join()).toContain("cidrBlock");
});
