import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Snapshot } from "@container-platform/sdk/local";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { kinds } from "../../provider/src/resources/reviews.ts";
import { orphansIn } from "./orphans.ts";
import { called, type Program, Reference } from "./program.ts";
import { SimulatedStack } from "./simulated-stack.ts";
import { nameOf } from "../support/pulumi.ts";
import { isSecret, type Props } from "../support/structs.ts";
import { casesOf } from "../provider/kinds/all.ts";

/** The stacks that interrupted updates of version 0.1.0 left: the next update recovers each. */

interface Resource {
  readonly urn: string;
  readonly id?: string;
  readonly inputs?: Props;
  readonly outputs?: Props;
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  readonly dependencies?: readonly string[];
  readonly initErrors?: readonly string[];
}
interface Fixture {
  readonly program: Program;
  readonly state: { readonly deployment: Deployed };
  readonly world: Snapshot;
  readonly journal: readonly { readonly key: readonly string[]; readonly text: string }[];
}
interface Deployed {
  readonly resources: readonly Resource[];
  readonly pending_operations?: readonly { readonly type: string; readonly resource: Resource }[];
}

const golden = new URL("../golden/interrupted/", import.meta.url);
const names = readdirSync(golden).flatMap((folder) => readdirSync(new URL(`${folder}/`, golden)).map((file) => `${folder}/${file}`));
const part = z.object({ bits: z.number(), index: z.number() }).optional();
const reference = z.strictObject({ of: z.string(), property: z.string(), part });

let stack: SimulatedStack;
beforeAll(async () => {
  stack = await SimulatedStack.open();
});
afterAll(() => stack[Symbol.asyncDispose]());

test.each(names)("%s: up ends with one of each resource, a preview shows no change, and destroy leaves nothing", async (name) => {
  const { program, world } = await putInPlace(name);
  expect(await stack.up(program)).toMatchObject({ failure: undefined });
  await stack.restartProvider();
  expect((await stack.entries()).map(called)).toEqual(program.map(called));
  expect(idsIn(await stack.world())).toEqual(idsIn(world));
  expect(orphansIn(await stack.world(), await stack.entries())).toEqual([]);
  const previewed = () => stack.up(program, { isPreview: true });
  expect(await previewed()).toMatchObject({ operations: [], failure: undefined });
  await stack.refresh();
  expect(await previewed()).toMatchObject({ operations: [], failure: undefined });
  expect(await stack.destroy()).toMatchObject({ failure: undefined });
  await stack.restartProvider();
  expect(await stack.contents()).toEqual({});
});

/** The state, the database and the intent log of a fixture become those of the stack. Ten minutes have passed since the kill. */
async function putInPlace(name: string): Promise<Fixture> {
  const here = encodeURIComponent(`${hostname()} ${readlinkSync("/proc/self/ns/pid")}`);
  const text = readFileSync(new URL(name, golden), "utf8").replaceAll("local:<world>", stack.stage.endpoint).replaceAll("<host>", here);
  const fixture: Fixture = JSON.parse(text, (_, value: unknown) => revived(value));
  const { resources, pending_operations: operations = [] } = fixture.state.deployment;
  const entries = resources.filter(({ urn }) => urn.includes(":dynamic/")).map(entryOf);
  const pending = operations.map(({ type, resource }) => ({ type, entry: entryOf(resource) }));
  await stack.goBackTo({ world: fixture.world, state: JSON.stringify({ entries, pending }) });
  stack.stage.world.unfreeze();
  stack.stage.world.advance(600_000);
  const folder = join(stack.stage.stateFolder, "container-platform", "journal");
  mkdirSync(folder, { recursive: true });
  for (const { key, text: entry } of fixture.journal)
    writeFileSync(join(folder, createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 32)), entry);
  return fixture;
}

/** A reference of a program as one; a secret of a state in clear. */
function revived(value: unknown): unknown {
  const { data } = reference.safeParse(value);
  if (data) return new Reference(data.of, data.property, data.part);
  return isSecret(value) ? JSON.parse(String(value["plaintext"])) : value;
}

function entryOf({ urn, id = "", inputs = {}, outputs = {}, propertyDependencies = {}, dependencies = [], initErrors }: Resource): object {
  const [type, name] = nameOf(urn).split(" ");
  const sources = Object.fromEntries(Object.entries(propertyDependencies).map(([key, urns]) => [key, urns.map(nameOf)]));
  const flags = { protect: false, unfinished: initErrors !== undefined, status: "live" };
  return { type, name, id, inputs, outputs, sources, after: dependencies.map(nameOf), ...flags };
}

/** The IDs of all resources but tokens: the provider replaces a token whose password the interrupted update lost. */
function idsIn(world: Snapshot): readonly (readonly string[])[] {
  return kinds.filter((kind) => kind !== "Token").map((kind) => casesOf[kind].idsIn(world));
}
