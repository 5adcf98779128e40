import { expect, test } from "vitest";
import { type Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { clusterAlone } from "../cluster-programs.ts";

const requestId = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Expects that a failure is reported once, in a sentence for people. */
function expectReadable({ output, events, log }: Outcome, sentence: RegExp): void {
  // The display repeats in a resource's line what it lists under "Diagnostics".
  const diagnostics = output.slice(output.indexOf("Diagnostics:"));
  expect(diagnostics).toMatch(sentence);
  expect(diagnostics.match(new RegExp(sentence, "gm"))).toHaveLength(1);
  expect(events.filter(({ diagnosticEvent: line }) => line && line.severity !== "debug" && sentence.test(line.message))).toHaveLength(1);
  expect(output).not.toMatch(/^\s+at .+[:(]\d+/m);
  expect(log).not.toMatch(/\\n\s+at [^"]+\.js:\d+/);
}

/** The writing calls of an action that were carried out. */
function carriedOut(stack: Stack, action: string): number {
  return stack.calls().filter((call) => call.action === action && call.code === "").length;
}

test("a cluster that ends in a failed state is deleted by the next up, which makes a new one", async () => {
  await using stack = await Stack.create({ program: clusterAlone() });
  stack.faults.add({ thing: "cluster", end: "Abnormal", reason: "no capacity for a control plane" });
  const failed = await stack.failingUp();
  expectReadable(
    failed,
    new RegExp(`creating Cluster cls-[0-9a-f]{8}: it is Abnormal: no capacity for a control plane \\(request ${requestId}\\)`),
  );
  const broken = await stack.resource("Cluster platform");
  expect(broken.id).toMatch(/^cls-[0-9a-f]{8}$/);
  expect(broken.initErrors).toEqual([expect.stringContaining("no capacity for a control plane")]);

  const before = stack.calls().length;
  const again = await stack.up();
  expectReadable(
    again,
    new RegExp(
      `a new one is made, because its creation failed: it is Abnormal: no capacity for a control plane \\(request ${requestId}\\)$`,
      "m",
    ),
  );

  // The tag that confirms the new one is set once the state is saved.
  expect(stack.writesSince(before)).toEqual(["DeleteCluster", "CreateCluster", "ModifyClusterTags"]);
  const made = await stack.resource("Cluster platform");
  expect(made.id).not.toBe(broken.id);
  expect(made.initErrors).toBeUndefined();
  expect(stack.leftovers()).toMatchObject({ clusters: 1, subnets: 1, vpcs: 1 });
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

test("after a time-out the next up continues to wait for the same cluster", async () => {
  await using stack = await Stack.create({ program: clusterAlone('{ customTimeouts: { create: "2s" } }'), pace: "realistic" });
  const failed = await stack.failingUp();
  expectReadable(failed, /creating Cluster cls-[0-9a-f]{8}: gave up after 2 s: Creating/);
  const unfinished = await stack.resource("Cluster platform");
  expect(unfinished.id).toMatch(/^cls-[0-9a-f]{8}$/);
  expect(unfinished.initErrors).toEqual([expect.stringContaining("gave up after 2 s")]);
  // At this time scale it takes five minutes.
  stack.world.advance(300_000);
  await continuesWith(stack, unfinished.id);
});

test("Control-C ends a wait within seconds, and the next up continues with the same cluster", async () => {
  await using stack = await Stack.create({ program: clusterAlone(), pace: "realistic", programs: "language-host" });
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => carriedOut(stack, "CreateCluster") === 1);
  const pressed = performance.now();
  run.interrupt();
  const interrupted = await run.ended;
  expect(performance.now() - pressed).toBeLessThan(10_000);
  expect(interrupted.code).not.toBe(0);
  expectReadable(interrupted, /creating Cluster cls-[0-9a-f]{8}: interrupted: Creating/);
  const unfinished = await stack.resource("Cluster platform");
  expect(unfinished.id).toMatch(/^cls-[0-9a-f]{8}$/);
  expect(unfinished.initErrors).toEqual([expect.stringContaining("interrupted")]);
  stack.world.advance(300_000);
  await continuesWith(stack, unfinished.id);
});

async function continuesWith(stack: Stack, id: string | undefined): Promise<void> {
  await stack.up();
  const finished = await stack.resource("Cluster platform");
  expect(finished.id).toBe(id);
  expect(finished.initErrors).toBeUndefined();
  expect(carriedOut(stack, "CreateCluster")).toBe(1);
  expect(carriedOut(stack, "DeleteCluster")).toBe(0);
  expect(stack.leftovers()).toMatchObject({ clusters: 1, subnets: 1, vpcs: 1 });
  await stack.up("--refresh", "--expect-no-changes");
}

test("a refused creation and a refused deletion are reported once, with code and request id", async () => {
  const program = (cidrBlock: string) => `
import { Vpc } from "@container-platform/pulumi";
const first = new Vpc("first", { cidrBlock: "10.0.0.0/16" });
new Vpc("second", { cidrBlock: "${cidrBlock}" }, { dependsOn: first });
`;
  await using stack = await Stack.create({ program: program("10.1.0.0/16") });
  stack.faults.add({ operation: { action: "CreateVpc" }, nth: 2, when: "before", code: "LimitExceeded", reason: "no more" });
  const refused = await stack.failingUp();
  expectReadable(refused, new RegExp(`creating Vpc: no more \\(CreateVpc: LimitExceeded, request ${requestId}\\)`));
  expect(stack.leftovers()).toMatchObject({ vpcs: 1 });
  await stack.up();
  const { id: vpcId = "" } = await stack.resource("Vpc second");
  stack.faults.add({ operation: { action: "DeleteVpc" }, when: "before", code: "UnsupportedOperation", reason: "not now" });
  const kept = await stack.fails("destroy", "--yes", "--skip-preview");
  expectReadable(kept, new RegExp(`deleting Vpc ${vpcId}: not now \\(DeleteVpc: UnsupportedOperation, request ${requestId}\\)`));
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
