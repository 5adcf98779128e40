/** Only the real engine shows what a person sees of failures, what is saved of them, what Control-C does, and whose settings a refresh has. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resourcesIn } from "../../support/backend.ts";
import { nameOf, operationsOf, type Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { clusterAlone } from "../cluster-programs.ts";
import { carriedOut } from "../killed-runs.ts";

const requestId = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

function expectReadable({ output, events, log }: Outcome, sentence: RegExp): void {
  // The display repeats in a resource's line what it lists under "Diagnostics".
  const diagnostics = output.slice(output.indexOf("Diagnostics:"));
  expect(diagnostics).toMatch(sentence);
  expect(diagnostics.match(new RegExp(sentence, "gm"))).toHaveLength(1);
  expect(events.filter(({ diagnosticEvent: line }) => line && line.severity !== "debug" && sentence.test(line.message))).toHaveLength(1);
  expect(output).not.toMatch(/^\s+at .+[:(]\d+/m);
  expect(log).not.toMatch(/\\n\s+at [^"]+\.js:\d+/);
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

test("once one of ten resources has failed validation, each other says which one it is, and what is made is in the state", async () => {
  await using stack = await Stack.create({
    program: `
import { Vpc } from "@container-platform/pulumi";
for (let index = 0; index < 10; index++) new Vpc(\`net-\${index}\`, { cidrBlock: \`10.\${index}.0.0/\${index === 9 ? 99 : 16}\` });
`,
  });
  const { output, events } = await stack.failingUp();
  const errors = events.flatMap(({ diagnosticEvent: line }) => (line?.severity === "error" ? [line.message.trim()] : []));
  const form = /^pulumi-nodejs:dynamic\/container-platform:Vpc resource 'net-9' has a problem: (cidrBlock: .+)$/;
  const [why = ""] = errors.flatMap((error) => form.exec(error)?.[1] ?? []);
  expect(why, output).not.toBe("");
  // The engine checks in no fixed order: so it is not known how many there are.
  const others = errors.filter((error) => !form.test(error));
  expect(others).toEqual(others.map(() => `not created, because Vpc "net-9" failed validation: ${why.replace("InvalidInput", "Skipped")}`));
  expect(stack.writesSince(0).filter((action) => action === "CreateVpc")).toHaveLength((await stack.resources()).length);
});

test("what fails validation once another resource is made keeps those from beginning that come after it, and what is made stays", async () => {
  await using stack = await Stack.create({
    program: `
import { Subnet, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
new Subnet("zone-1", { vpcId, zone: vpcId.apply(() => "eu-frankfurt-9"), cidrBlock: "10.0.1.0/24" });
`,
  });
  const { output } = await stack.failingUp();
  expect(output).toContain("eu-frankfurt-9");
  expect(stack.writesSince(0).filter((action) => action.startsWith("Create"))).toEqual(["CreateVpc"]);
  expect(await stack.resources()).toHaveLength(1);
});

const component = (more: string) =>
  `const made = new Platform("prod", { ${more} nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"] } } }); export const { kubeconfig } = made;`;

test.each<[line: string, config: Readonly<Record<string, string>>, message: RegExp]>([
  [
    `new Network("net", { zones: 2 });`,
    { "container-platform:endpoint": "" },
    /no endpoint is configured: set container-platform:endpoint/,
  ],
  [component("network: { zones: 9 },"), {}, /network\.zones: 9 are asked for/],
  ['await getCluster({ clusterId: "cls-00000000" });', {}, /getCluster: there is no cluster cls-00000000 in eu-frankfurt/],
])("%s", async (line, config, message) => {
  const program = `import { getCluster, Network, Platform } from "@container-platform/pulumi";\nexport const used = [getCluster, Network, Platform];\n${line}\n`;
  await using stack = await Stack.create({ program, config, programs: "language-host" });
  const { output } = await stack.fails("preview");
  expect(output).toMatch(message);
  expect(output).not.toMatch(/unhandled exception|^\s+at .*\.js:|serializing|Warning/m);
  const [, diagnostics = ""] = output.split("Diagnostics:");
  expect(diagnostics.split("\n").filter((said) => message.test(said))).toHaveLength(1);
});

const platformVpc = `
import { Vpc } from "@container-platform/pulumi";
new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
`;

/** The sentences that the engine shows, each once. */
function sentencesIn({ output, events, log }: Outcome): string[] {
  expect(output).not.toMatch(/^\s+at .+[:(]\d+/m);
  expect(log).not.toMatch(/\\n\s+at [^"]+\.js:\d+/);
  return events.flatMap(({ diagnosticEvent: line }) => {
    if (!line || line.severity === "debug" || line.ephemeral === true) return [];
    const text = line.message.replaceAll(/<\{%.*?%\}>/g, "").trim();
    // The engine adds these to any failure.
    return /^(update|preview|refresh|destroy) failed$/.test(text) ? [] : [text];
  });
}

const endpoint =
  "this Vpc was created in endpoint local, but this update uses local:other.db: set container-platform:endpoint back and run `pulumi up`, or use another stack";

test("at another endpoint, a refresh goes on where the stack is, as Pulumi gives it the settings of the last up; an up is refused in a sentence", async () => {
  await using stack = await Stack.create({ program: platformVpc });
  await stack.up();
  const calls = stack.calls().length;
  stack.configure({ "container-platform:endpoint": "local:other.db" });
  expect(operationsOf(await stack.refresh())).toEqual({});
  const refreshed = stack.calls().length;
  expect(refreshed).toBeGreaterThan(calls);
  expect(existsSync(join(stack.folder, "other.db"))).toBe(false);
  expect(sentencesIn(await stack.failingUp())).toEqual([`${endpoint} [Provider.WrongTarget]`]);
  expect(stack.calls()).toHaveLength(refreshed);
  stack.configure({});
  expect(operationsOf(await stack.up("--expect-no-changes"))).toEqual({});
});
