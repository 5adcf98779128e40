/** Only the real engine shows what a person sees of failures, what is saved of them, and what Control-C does. */
import { expect, test } from "vitest";
import { resourcesIn } from "../../support/backend.ts";
import { nameOf, type Outcome } from "../../support/pulumi.ts";
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

/** A cluster, and a network that is made at the same time. */
const withSecond = `${clusterAlone()}
new Vpc("second", { cidrBlock: "10.1.0.0/16" }, { dependsOn: subnet });
`
  .replace("const { subnetId } = new Subnet(", "const subnet = new Subnet(")
  .replace("export const { clusterId }", "const { subnetId } = subnet;\nexport const { clusterId }");

test("a creation that ends in a failed state, a refused one and a refused deletion are reported once, with code and request id, and the next run goes on", async () => {
  await using stack = await Stack.create({ program: withSecond });
  stack.faults.add({ resourceType: "cluster", endState: "Abnormal", reason: "no capacity for a control plane" });
  // It comes when the cluster is being made.
  stack.faults.add({ operation: { action: "CreateVpc" }, nth: 2, when: "before", code: "LimitExceeded", reason: "no more", delay: 3000 });
  const failed = await stack.failingUp();
  const abnormal = `it is Abnormal: no capacity for a control plane \\(request ${requestId}\\)`;
  expectReadable(failed, new RegExp(`creating Cluster cls-[0-9a-f]{8}: ${abnormal}`));
  expectReadable(failed, new RegExp(`creating Vpc: no more \\(CreateVpc: LimitExceeded, request ${requestId}\\)`));
  const broken = await stack.resource("Cluster platform");
  expect(broken.id).toMatch(/^cls-[0-9a-f]{8}$/);
  expect(broken.initErrors).toEqual([expect.stringContaining("no capacity for a control plane")]);

  const before = stack.calls().length;
  const again = await stack.up();
  expectReadable(again, new RegExp(`replacing it, because its creation failed: ${abnormal}$`, "m"));
  // The tag that confirms the new one is set once the state is saved.
  const writes = stack.writesSince(before);
  expect(writes.filter((action) => action.includes("Cluster"))).toEqual(["DeleteCluster", "CreateCluster", "ModifyClusterTags"]);
  const made = await stack.resource("Cluster platform");
  expect(made.id).not.toBe(broken.id);
  expect(made.initErrors).toBeUndefined();
  expect(stack.leftovers()).toMatchObject({ clusters: 1, subnets: 1, vpcs: 2 });

  stack.faults.add({ operation: { action: "DeleteVpc" }, when: "before", code: "UnsupportedOperation", reason: "not now" });
  const kept = await stack.fails("destroy", "--yes", "--skip-preview");
  expectReadable(kept, new RegExp(`deleting Vpc vpc-[0-9a-f]{8}: not now \\(DeleteVpc: UnsupportedOperation, request ${requestId}\\)`));
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

test("a time-out and Control-C end waits, within seconds, and the next up continues with the same clusters", async () => {
  const impatient = clusterAlone('{ customTimeouts: { create: "2s" } }', 1)
    .replaceAll('"platform"', '"impatient"')
    .replaceAll('"nodes"', '"others"');
  const program = `${clusterAlone()}{${impatient.replace(/^import .*$/m, "").replaceAll("export const", "const")}}`;
  await using stack = await Stack.create({ program, timeScale: "realistic", programs: "language-host" });
  const run = stack.start("up", "--yes", "--skip-preview");
  const unfinished = (name: string) => resourcesIn(stack.stateFile).find(({ urn }) => nameOf(urn) === name);
  await run.until(() => carriedOut(stack, "CreateCluster") === 2 && unfinished("Cluster impatient")?.initErrors !== undefined);
  const pressed = performance.now();
  run.interrupt();
  const interrupted = await run.ended;
  expect(performance.now() - pressed).toBeLessThan(10_000);
  expect(interrupted.code).not.toBe(0);
  expectReadable(interrupted, /creating Cluster cls-[0-9a-f]{8}: gave up after 2 s: Creating/);
  expectReadable(interrupted, /creating Cluster cls-[0-9a-f]{8}: interrupted: Creating/);
  const [one, other] = [await stack.resource("Cluster platform"), await stack.resource("Cluster impatient")];
  expect(one.initErrors).toEqual([expect.stringContaining("interrupted")]);
  expect(other.initErrors).toEqual([expect.stringContaining("gave up after 2 s")]);

  // At this time scale it takes five minutes.
  stack.world.advance(300_000);
  await stack.up();
  for (const { urn, id } of [one, other]) {
    const finished = await stack.resource(nameOf(urn));
    expect([finished.id, finished.initErrors]).toEqual([id, undefined]);
  }
  expect([carriedOut(stack, "CreateCluster"), carriedOut(stack, "DeleteCluster")]).toEqual([2, 0]);
  await stack.preview("--refresh", "--expect-no-changes");
});
