import { readdirSync, readFileSync } from "node:fs";
import { getResources } from "@container-platform/sdk/tag";
import { stackKey } from "../../provider/src/ownership/tags.ts";
import type { Snapshot } from "@container-platform/sdk/local";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { kinds } from "../../provider/src/resources/reviews.ts";
import { orphansIn } from "./orphans.ts";
import { called, type Program, Reference } from "./program.ts";
import { deleteOnPlatform, deleteOrphans, keyTypes, upFollowing } from "./remedies.ts";
import { SimulatedStack } from "./simulated-stack.ts";
import { nameOf } from "../support/pulumi.ts";
import { isSecret, type Props } from "../support/structs.ts";
import { casesOf } from "../provider/kinds/all.ts";

/**
 * The stacks that interrupted updates of version 0.1.0 left. Its tags have no mark, so nothing proves whose an orphan is: the next update
 * prints how to import it.
 */

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

const interrupted = names.filter((name) => !name.startsWith("keys/"));

test.each(names)("%s: with the printed line, up ends with one of each resource, and destroy leaves nothing", async (name) => {
  const { program, world, orphan, type } = await putInPlace(name);
  const [id] = orphansIn(world, await stack.entries());
  const { failure, remedies } = await upFollowing(stack, program, {}, [type]);
  const printed = type === "Token" ? `delete draft ${id}` : `import ${orphan}`;
  expect([failure, remedies]).toEqual([undefined, isRecovered(name, type) ? [] : [printed]]);
  expect((await stack.entries()).map(called)).toEqual(program.map(called));
  expect(orphansIn(await stack.world(), await stack.entries())).toEqual([]);
  expect(idsIn(await stack.world())).toEqual(idsIn(world));
  const previewed = () => stack.up(program, { isPreview: true });
  expect(await previewed()).toMatchObject({ operations: [], failure: undefined });
  await stack.refresh();
  expect(await previewed()).toMatchObject({ operations: [], failure: undefined });
  await stack.restartProvider();
  expect(await stack.destroy()).toMatchObject({ failure: undefined });
  await stack.restartProvider();
  expect(await stack.contents()).toEqual({});
});

test.each(interrupted)("%s: destroy deletes nothing until the orphan is deleted, which it names", async (name) => {
  const { world, type } = await putInPlace(name);
  const [id = ""] = orphansIn(world, await stack.entries());
  const first = await stack.destroy();
  // Pulumi starts no provider for a stack without resources.
  const isAlone = first.operations.length === 0;
  // An orphan without tags is deleted with its parent; a namespace with a repository is not deleted.
  const isKept = keyTypes.includes(type) && type !== "Repository";
  if (isAlone || isKept) expect(first.failure).toBeUndefined();
  else expect(first.failure).toMatch(type === "Repository" ? /^deleting Namespace .* Delete the repositories first/ : blockedBy(id));
  if (!isKept) {
    expect(idsIn(await stack.world())).toEqual(idsIn(world));
    await stack.restartProvider();
    expect(type === "Repository" ? await deleteOnPlatform(stack, type, id) : await deleteOrphans(stack, [id])).toEqual([id]);
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
  }
  await stack.restartProvider();
  // Without a pending create, nothing says that the bucket is to be deleted.
  expect(await stack.contents()).toEqual(name === "provider/RegistryInstance.json" ? { buckets: 1 } : {});
});

const blockedBy = (id: string): RegExp =>
  new RegExp(`^nothing was deleted: an interrupted update .*\n  - ${id} \\(.*--orphans --delete --id ${id}\`; .*\nThen run this again$`);

test.each(["keys/hides.json", "keys/left.json", "keys/said.json"])(
  "%s: an unchanged up writes nothing, and a change rewrites the stack tag",
  async (name) => {
    const { program } = await putInPlace(name);
    const outcome = await stack.up(program);
    const calls = [...outcome.calls, ...(await stack.restartProvider())];
    expect(outcome).toMatchObject({ operations: [], failure: undefined });
    expect(calls.filter(({ effect }) => effect === "write")).toEqual([]);
    const [first, ...others] = program;
    const changed = first?.type === "Vpc" ? { vpcName: "renamed" } : { deletionProtection: true };
    if (first) await stack.up([{ ...first, args: { ...first.args, ...changed } }, ...others]);
    const tagged = await stack.cloud.all(getResources, { tagFilters: [{ tagKey: stackKey }], maxResults: 200 });
    const stackTags = tagged.map(({ tags }) => tags.find(({ tagKey }) => tagKey === stackKey)?.tagValue);
    expect(stackTags).toEqual(["throw-away/test", ...stackTags.slice(1).map(() => "88ef264d5b80")]);
  },
);

/** The state and the database of a fixture become those of the stack. Ten minutes have passed since the kill. */
async function putInPlace(name: string): Promise<Fixture & { readonly orphan: string; readonly type: string }> {
  const text = readFileSync(new URL(name, golden), "utf8").replaceAll("local:<world>", stack.stage.endpoint);
  const fixture: Fixture = JSON.parse(text, (_, value: unknown) => revived(value));
  const { resources, pending_operations: operations = [] } = fixture.state.deployment;
  const entries = resources.filter(({ urn }) => urn.includes(":dynamic/")).map(entryOf);
  const pending = operations.map(({ type, resource }) => ({ type, entry: entryOf(resource) }));
  await stack.goBackTo({ world: fixture.world, state: JSON.stringify({ entries, pending }) });
  stack.stage.world.unfreeze();
  stack.stage.world.advance(600_000);
  const saved = resources.map(({ urn }) => nameOf(urn));
  const orphan = fixture.program.map(called).find((one) => !saved.includes(one)) ?? "";
  return { ...fixture, orphan, type: orphan.replace(/ .*/, "") };
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

/** A type whose ID consists of inputs needs no mark if the state has a pending create. */
function isRecovered(name: string, type: string): boolean {
  return type === "" || (name.startsWith("engine/") && keyTypes.includes(type));
}

/** The IDs of all resources but tokens: the provider creates a token again if the interrupted update lost its password. */
function idsIn(world: Snapshot): readonly (readonly string[])[] {
  return kinds.filter((kind) => kind !== "Token").map((kind) => casesOf[kind].idsIn(world));
}
