import { expect, test } from "vitest";
import { complaintsOfAll } from "../support/compiler.ts";

/** A small resource, written as in the provider. Each mistake is in one part of it. */
function definition({
  args = "size: Input<number>;",
  state = "exampleId: string;",
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
    import { joined } from "../definition/ids.ts";
    import type { Input } from "@pulumi/pulumi";
    import type { Resolved } from "../definition/resource-class.ts";
    import { resource } from "../definition/resource.ts";
    export interface ThingArgs { ${args} }
    export interface ThingState extends Resolved<ThingArgs> { ${state} }
    export class Thing extends resource<ThingArgs, ThingState>()("Thing", {
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

/** All texts, by their names. They are compiled as one program, which takes as long as one of them alone. */
const texts = new Map<string, string>();

/** Takes a text into the program. Answers its name. */
function inFolder(folder: string, text: string): string {
  const name = `${folder}/mistake-${texts.size}.ts`;
  texts.set(name, text);
  return name;
}

const inProvider = (parts: Parameters<typeof definition>[0]) => inFolder("provider/src/resources", definition(parts));
const inPlatform = (code: string) =>
  inFolder(
    "sdk/src/local",
    `import { deleteVpc } from "../catalogue/vpc.ts";
     import { on } from "./behaviour.ts";
     export const behaviour = on(deleteVpc, (call) => { throw call.error("${code}", "no"); });`,
  );
const inProgram = (text: string) =>
  inFolder(
    "examples/platform",
    `import { Subnet } from "@container-platform/pulumi"; import * as vpc from "@container-platform/sdk/vpc";
import { Cloud } from "@container-platform/sdk"; declare const cloud: Cloud; ${text}`,
  );
const inSubnet = (more: string) => inProgram(`new Subnet("it", { vpcId: "vpc-1", zone: "eu-frankfurt-1", ${more} });`);

const withNote = {
  args: "size: Input<number>; note?: Input<string | undefined>;",
  inputs: "size: z.int(), note: cleared(z.string()),",
  changes: 'size: "replace", note: async () => undefined,',
  read: "note: undefined,",
};
/** A resource with an input `part`, which is of this type and has this schema. */
const withPart = (type: string, schema: string) =>
  inProvider({
    args: `size: Input<number>; ${type};`,
    inputs: `size: z.int(), part: ${schema},`,
    changes: 'size: "replace", part: "replace",',
    read: "part: undefined,",
  });
const part = "part: Input<{ one: Input<string>; other?: Input<number | undefined> }>";
const statesOf = (table: string) => ({ states: `{ state: ${table} satisfies ReadinessTable<'Making' | 'Ready'> }` });

/** What is said of each text: nothing, or something with this word in it. */
const judged: Readonly<Record<string, readonly (readonly [name: string, word: string | undefined])[]>> = {
  "a definition without mistakes compiles": [
    [inProvider({}), undefined],
    [inProvider(withNote), undefined],
    [withPart(part, "z.strictObject({ one: z.string(), other: cleared(z.number()) })"), undefined],
  ],
  "an input that is forgotten in the change table does not compile": [[inProvider({ changes: "" }), "size"]],
  "a definition that does not say how an orphan is found does not compile": [[inProvider({ owned: "" }), "owned"]],
  "an input that is forgotten in read does not compile": [[inProvider({ ...withNote, read: "" }), "note"]],
  "an optional input that does not say what its removal does does not compile": [
    [inProvider({ args: "size?: Input<number | undefined>;", inputs: "size: z.int().optional()," }), "ZodOptional<ZodInt>"],
  ],
  "a schema without a key of its interface, or with another one, does not compile": [
    [inProvider({ ...withNote, inputs: "size: z.int()," }), "'note' is missing"],
    [inProvider({ ...withNote, args: "size: Input<number>;" }), "no such key"],
    [inProvider({ state: "exampleId: string; more: string;" }), "'more' is missing"],
    [inProvider({ state: "" }), "no such key"],
    [withPart(part, "z.strictObject({ one: z.string() })"), "other"],
    [withPart("part: Input<{ one: Input<string> }>", "z.strictObject({ one: z.string(), other: cleared(z.number()) })"), "other"],
  ],
  "a schema of another type than the interface, or of a narrower or wider one, does not compile": [
    [inProvider({ inputs: "size: z.string()," }), "number"],
    [inProvider({ state: "exampleId: number;" }), "number"],
    [inProvider({ args: "size: Input<1 | 2>;" }), "1 | 2"],
    [inProvider({ inputs: "size: z.literal(1)," }), "ZodLiteral<1>"],
    [inProvider({ args: "size?: Input<number | undefined>;" }), "ZodInt"],
    [inProvider({ inputs: "size: z.int().default(1)," }), "ZodDefault<ZodInt>"],
    [withPart(part, "z.strictObject({ one: z.string(), other: z.number() })"), "other"],
    [withPart("part: Input<readonly Input<string>[]>", "z.string()"), "string[]"],
  ],
  "a state that is unknown, or forgotten, does not compile": [
    [inProvider(statesOf("{ Making: 'pending', Reddy: 'ready' }")), "Reddy"],
    [inProvider(statesOf("{ Ready: 'ready' }")), "Making"],
  ],
  "an error code that is misspelt, or that the operation does not declare, does not compile": [
    [inPlatform("ResourceInUse"), undefined],
    [inPlatform("RequestLimitExceeded"), undefined],
    [inPlatform("ResourceInUsed"), "ResourceInUsed"],
    [inPlatform("LimitExceeded.CidrBlock"), "LimitExceeded.CidrBlock"],
  ],
  "a field that an operation does not have does not compile": [
    [inProgram('void cloud.call(vpc.deleteVpc, { vpcId: "vpc-1" });'), undefined],
    [inProgram('void cloud.call(vpc.deleteVpc, { vpcID: "vpc-1" });'), "vpcID"],
    [inProgram('void cloud.call(vpc.deleteVpc, { vpcId: "vpc-1" }).then(({ vpcName }) => vpcName);'), "vpcName"],
  ],
  "an input that a resource does not have, or of another type, does not compile": [
    [inSubnet('cidrBlock: "10.0.0.0/24"'), undefined],
    [inSubnet('cidrBlock: "10.0.0.0/24", subnetname: "a"'), "subnetname"],
    [inSubnet('cidrBlock: "10.0.0.0/24", subnetName: 7'), "Type 'number' is not assignable"],
    [inSubnet(""), "cidrBlock"],
  ],
};

const said = complaintsOfAll(texts);

test.each(Object.entries(judged))("%s", (_title, cases) => {
  for (const [name, word] of cases)
    if (word === undefined) expect(said.get(name)).toEqual([]);
    else expect(said.get(name)?.join()).toContain(word);
});
