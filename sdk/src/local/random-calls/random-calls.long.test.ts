import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { catalogue } from "../../catalogue/every-operation.ts";
import { commonCodes, PlatformError } from "../../operation/errors.ts";
import type { Operation } from "../../operation/operation.ts";
import { fromWire, objectToWire } from "../../operation/codec.ts";
import { inRounds, isWhole } from "../../rounds.fixture.ts";
import { putAccount, putSubAccount } from "../accounts/accounts.ts";
import { snapshotOf } from "../control/snapshot.ts";
import { Faults } from "../faults/faults.ts";
import { randomCall } from "./random-call.fixture.ts";
import { violationsIn } from "./invariants.fixture.ts";
import { putInstance, putKeyPair } from "../out-of-band.ts";
import { regions } from "../regions.ts";
import { LocalPlatform } from "../platform.ts";
import { subnets } from "../vpc/tables.ts";
import { World } from "../store/world.ts";
import { write } from "../store/writes.fixture.ts";

const length = isWhole ? 100 : 50;

const writes = catalogue.filter(({ effect }) => effect === "write");
const reads = catalogue.filter(({ effect }) => effect === "read");
/** One schema per operation, as zod compiles a schema at its first use. */
const outputs = new Map(catalogue.map((operation) => [operation, operation.output.strict()]));

interface Step {
  readonly caller: number;
  readonly region: (typeof regions)[number];
  readonly seed: number;
  /** Seconds that pass before it. */
  readonly pause: number;
}

const steps = fc.array(
  fc.record<Step>({
    caller: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 2),
    region: fc.constantFrom(...Array.from({ length: 8 }, () => regions[0]), ...regions),
    seed: fc.noShrink(fc.integer()),
    pause: fc.constantFrom(0, 0, 1, 5, 3600),
  }),
  { minLength: length, maxLength: length, size: "max" },
);

/** Adds faults: calls that are throttled, fail or lose their answer, and resources that end in a failed state. */
function addFaults(world: World): void {
  const faults = new Faults(world);
  faults.add({ probability: 0.03, when: "before", code: "RequestLimitExceeded" });
  faults.add({ operation: { product: "vpc" }, probability: 0.03, when: "after" });
  faults.add({ operation: { product: "registry" }, probability: 0.03, when: "after", code: "InternalError" });
  faults.add({ resourceType: "cluster", probability: 0.1, endState: "Abnormal", reason: "no capacity" });
  faults.add({ resourceType: "nodePool", probability: 0.1, endState: "Abnormal", reason: "no quota" });
  faults.add({ resourceType: "node", probability: 0.2, endState: "failed", reason: "out of stock" });
  faults.add({ resourceType: "clusterEndpoint", probability: 0.2, endState: "CreateFailed", reason: "no load balancer" });
  faults.add({ resourceType: "registry", probability: 0.1, endState: "FailedCreated", reason: "no storage" });
  faults.add({ resourceType: "registryDeletion", probability: 0.3, endState: "DeleteFailed", reason: "locked" });
}

/** The number of writes after which there is a network, a cluster with nodes and a registry. */
const foundation = 9;

/** A world with two main accounts, the first of which has resources, and a sub-account of the first with limited permissions. */
async function begun(): Promise<{ world: World; uins: readonly string[] }> {
  const world = World.open(":memory:", { timeScale: "fast", seed: "sequences" });
  world.freeze(Date.UTC(2026, 0, 31, 12));
  const other = await putAccount(world, { name: "other" });
  const deny = [{ permissions: ["vpc:DeleteVpc"], tag: { key: "a" } }];
  const sub = await putSubAccount(world, { name: "sub", allow: ["vpc:*", "reg:*", "cluster:CreateCluster"], deny });
  for (let number = 0; number < foundation; number++) {
    await write(new LocalPlatform(world), world, number);
    world.advance(60_000);
  }
  addFaults(world);
  return { world, uins: [world.account, other, sub] };
}

/** The actions that were carried out at least once: an action whose calls are all refused tests little. */
const carriedOut = new Set<string>();

/** Calls an operation, and checks that the answer or the error is one that the operation declares. */
async function called(platform: LocalPlatform, operation: Operation, region: string, input: object): Promise<void> {
  const { product, action, version } = operation;
  const body = objectToWire(operation.input, input);
  const answer = await platform.send({ product, action, version, region, body }).catch((error: unknown) => error);
  if (answer instanceof PlatformError) {
    const declared: readonly string[] = [...operation.errors, ...commonCodes, "ConnectionLost"];
    expect(declared, `${action} ${JSON.stringify(body)}: ${answer.message}`).toContain(answer.code);
    return;
  }
  if (answer instanceof Error) throw new Error(`${action} ${JSON.stringify(body)}`, { cause: answer });
  const told = z.object({ body: z.record(z.string(), z.json()) }).parse(answer);
  outputs.get(operation)?.parse(fromWire(operation.output, told.body));
  carriedOut.add(action);
}

async function made(world: World, uins: readonly string[], { caller, region, seed, pause }: Step): Promise<void> {
  world.advance(pause * 1000);
  const platform = new LocalPlatform(world, { uin: uins[caller] ?? world.account });
  const account = caller === 1 ? (uins[1] ?? "") : world.account;
  const spot = { world, account, region };
  for (const operations of [writes, reads]) {
    const { operation, input } = randomCall(operations, spot, seed);
    await called(platform, operation, region, input);
  }
  // Now and then, a change out of band.
  const subnet = world.rows(subnets, region).list()[0];
  if (subnet && seed % 10 === 0) await putInstance(world, { region, vpcId: subnet.vpcId, subnetId: subnet.id });
  if (seed % 50 === 0) await putKeyPair(world, { region, name: "k" });
}

async function worldAfter(sequence: readonly Step[], check: (world: World) => void): Promise<object> {
  const { world, uins } = await begun();
  try {
    for (const [index, step] of sequence.entries()) {
      await made(world, uins, step);
      if (index % 10 === 9 || index === sequence.length - 1) check(world);
    }
    return snapshotOf(world, { audit: true });
  } finally {
    world.close();
  }
}

test("after any calls in any order, the world is consistent, and the same calls make the same world", { timeout: 30_000_000 }, async () => {
  const property = fc.asyncProperty(steps, async (sequence) => {
    const once = await worldAfter(sequence, (world) => expect(violationsIn(world)).toEqual([]));
    expect(await worldAfter(sequence, () => undefined)).toEqual(once);
  });
  // Five sequences each.
  await inRounds("random calls", { whole: 200, seconds: 40 }, (seed) => fc.assert(property, { seed, numRuns: 5, endOnFailure: true }));
  const done = writes.filter(({ action }) => carriedOut.has(action));
  if (isWhole) expect(done.length / writes.length).toBeGreaterThan(0.5);
});
