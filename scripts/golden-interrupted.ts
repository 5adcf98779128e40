import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { addVpcCniSubnets } from "@container-platform/sdk/cluster";
import { LocalControl } from "@container-platform/sdk/local";
import { createVpc } from "@container-platform/sdk/vpc";
import { type KindName, kinds } from "../provider/src/resources/reviews.ts";
import { called, type Program, urnOf } from "../test/lifecycle/program.ts";
import { textOf } from "../test/lifecycle/program-text.ts";
import { RandomProgram } from "../test/lifecycle/random-program.ts";
import { casesOf } from "../test/provider/kinds/all.ts";
import { repairBackend } from "../test/support/backend.ts";
import { isRunning, type Run } from "../test/support/pulumi.ts";
import { Stack } from "../test/support/stack.ts";

const golden = new URL("../test/golden/interrupted/", import.meta.url);
/** A kill of both leaves the same as a kill of the engine alone, byte for byte. */
const victims = ["engine", "provider"] as const;
type Victim = (typeof victims)[number];
const up = ["up", "--yes", "--skip-preview", "--parallel", "1"];
/** The code with which the platform denies a call. */
const denied = "AuthFailure.UnauthorizedOperation";
/** No process of Linux has such a number. */
const noProcess = 4_194_305;

/**
 * Writes what interrupted updates of this version leave behind: for each victim and each resource type what is left of a kill in the creation
 * of a resource, and in `keys/` a state with each key of private state that few resources have. A file holds the program, the exported state,
 * the emulator's snapshot, and the files of the intent log with the keys that their names are hashes of.
 *
 * @param filter writes only the files whose names contain it, such as `engine/Vpc`
 */
export async function writeInterrupted(filter = ""): Promise<void> {
  for (const victim of victims)
    for (const type of kinds) if (`${victim}/${type}`.includes(filter)) await writeKilled(`${victim}/${type}`, type, victim);
  for (const [key, sequence] of Object.entries(sequences)) if (`keys/${key}`.includes(filter)) await writeKey(key, sequence);
}

/** Kills an `up` once the platform has created the last resource of a program, and before the answer comes. */
async function writeKilled(name: string, type: KindName, victim: Victim): Promise<void> {
  const program = programOf(type);
  await using stack = await stackOf(program);
  stack.faults.add({ operation: { action: casesOf[type].creates.operation.action }, nth: 1, delay: 60_000 });
  const run = stack.start(...up);
  // A fault that has hit is gone.
  await run.until(() => stack.faults.list().length === 0);
  await kill(run, victim);
  repairBackend(stack.stateFile);
  if (victim === "engine") await stack.ok("cancel", "--yes");
  await write(name, stack, program);
}

async function kill(run: Run, victim: Victim): Promise<void> {
  const providers = run.providers();
  if (victim === "engine") run.kill();
  else for (const pid of providers) process.kill(pid, "SIGKILL");
  await run.ended;
  while (providers.some(isRunning)) await sleep(50);
}

/** A program with a resource of each of these types, and of the types that they require. */
function programOf(...types: readonly KindName[]): Program {
  const program = new RandomProgram();
  for (const type of types) program.add(type, 0);
  return program.declarations;
}

/** A stack whose clock stands still, so that the same times are written again. */
async function stackOf(program: Program): Promise<Stack> {
  const stack = await Stack.create({ program: textOf(program) });
  stack.world.freeze(Date.UTC(2026, 0, 31, 12));
  stack.configure({ "container-platform:endpoint": `local:${stack.worldFile}` });
  return stack;
}

/** By the key of private state: updates that leave the key in the state of a new stack. They return the program. */
const sequences: Readonly<Record<string, (stack: Stack) => Promise<Program>>> = {
  /** A cluster leaves some inputs to the platform. */
  left: (stack) => deployed(stack, programOf("Cluster")),
  /** The name of a registry is a secret. Outputs of its repositories contain it. */
  hides: async (stack) => {
    const program = programOf("Repository");
    const text = textOf(program).replace('"registryName": "registry-1"', '"registryName": secret("registry-1")');
    stack.write(`import { secret } from "@pulumi/pulumi";\n${text}`);
    await stack.ok(...up);
    return program.map((one) => (one.type === "RegistryInstance" ? { ...one, args: { ...one.args, __veiled: ["registryName"] } } : one));
  },
  /** A refresh reads a subnet that somebody has added to a cluster, which cannot lose it again. */
  said: async (stack) => {
    const program = await deployed(stack, programOf("Subnet", "Subnet", "Cluster"));
    const resources = await Promise.all(["Cluster cluster-4", "Vpc vpc-1", "Subnet subnet-3"].map((name) => stack.resource(name)));
    const [clusterId = "", vpcId = "", subnetId = ""] = resources.map(({ id }) => id);
    await stack.cloud().call(addVpcCniSubnets, { clusterId, vpcId, subnetIds: [subnetId] });
    await stack.refresh();
    return program;
  },
  /** The user interrupts an update while a new cluster is not running yet. */
  unborn: async (stack) => {
    const program = programOf("Cluster");
    stack.write(textOf(program));
    stack.world.setTimeScale("realistic");
    const run = stack.start(...up);
    await run.until(() => stack.calls().filter(({ action, names }) => action === "DescribeClusters" && names.length > 0).length > 1);
    run.interrupt();
    await run.ended;
    stack.world.setTimeScale("instant");
    return program;
  },
  /** The account of an update may create a VPC, and may not look at one. */
  unseen: (stack) => failed(stack, programOf("Vpc"), "DescribeVpcs"),
  /** The account of an update may import a VPC, and may not change its tags. */
  unmarked: async (stack) => {
    const { vpc } = await stack.cloud().call(createVpc, { vpcName: "by-hand", cidrBlock: "10.1.0.0/16" });
    const program = programOf("Vpc").map((declaration) => ({ ...declaration, import: vpc.vpcId }));
    return failed(stack, program, "ModifyResourceTags");
  },
};

async function writeKey(key: string, sequence: (stack: Stack) => Promise<Program>): Promise<void> {
  await using stack = await stackOf([]);
  const program = await sequence(stack);
  if (!(await stack.exported()).includes(`"__${key}"`)) throw new Error(`__${key} is not in the state`);
  await write(`keys/${key}`, stack, program);
}

async function deployed(stack: Stack, program: Program): Promise<Program> {
  stack.write(textOf(program));
  await stack.ok(...up);
  return program;
}

/** @param action which the platform denies */
async function failed(stack: Stack, program: Program, action: string): Promise<Program> {
  stack.write(textOf(program));
  stack.faults.add({ operation: { action }, probability: 1, when: "before", code: denied });
  await stack.fails(...up);
  return program;
}

async function write(name: string, stack: Stack, program: Program): Promise<void> {
  stack.faults.clear();
  const { output } = await stack.ok("stack", "export", "--show-secrets");
  const state: unknown = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
  const world = await new LocalControl(stack.world).snapshot();
  const text = JSON.stringify({ program, state, world, journal: journalOf(stack, program) }, settled, 1);
  const file = fileURLToPath(new URL(`${name}.json`, golden));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${alwaysTheSame(text, stack)}\n`);
  console.log(name);
}

/** The files of the intent log: the keys that their names are made of, and their texts. */
function journalOf(stack: Stack, program: Program): readonly object[] {
  const folder = join(stack.folder, ".local", "state", "container-platform", "journal");
  const place = [`local:${stack.worldFile}`, "eu-frankfurt", "100000000001"];
  const urns = program.map((declaration) => urnOf(called(declaration)));
  const keys = urns.flatMap((urn) => [[], ["creating"], ["drawn"]].map((use) => [...place, urn, ...use]));
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = keys.flatMap((key) => {
    const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 32);
    return names.includes(name) ? [{ key, text: readFileSync(join(folder, name), "utf8") }] : [];
  });
  if (files.length < names.length) throw new Error(`the key of a file in ${folder} is not known`);
  return files;
}

/** A value of a state without positions in the program. The URNs that a resource depends on are in no fixed order. */
function settled(key: string, value: unknown): unknown {
  if (["sourcePosition", "stackTrace"].includes(key)) return undefined;
  return Array.isArray(value) && value.every((one) => String(one).startsWith("urn:")) ? value.toSorted() : value;
}

/** The same text each time: without random ids, the times at which Pulumi has written, this machine and its processes. */
function alwaysTheSame(text: string, stack: Stack): string {
  const ids = [...text.matchAll(/"id": "([\w-]+)",\s+"type": "pulumi:providers:/g)].map(([, id = ""]) => id);
  const here = encodeURIComponent(`${hostname()} ${readlinkSync("/proc/self/ns/pid")}`);
  const same = ids
    .reduce((before, id, index) => before.replaceAll(id, `00000000-0000-4000-8000-00000000000${index}`), text)
    .replaceAll(`local:${stack.worldFile}`, "local:<world>")
    .replaceAll(here, "<host>")
    .replaceAll(/(?<=\{\\"id\\":\\")\d+ \d+/g, `${noProcess} 1`)
    .replaceAll(/(?<="(created|modified|time)": ")20[^"]+Z/g, "2026-01-31T12:00:00Z")
    .replaceAll(/(?<="encryptedkey": ")[^"]+/g, Buffer.from(`vault:v1:${"A".repeat(43)}=`).toString("base64"));
  if (same.includes(stack.folder)) throw new Error(`the place of the stack is in its files:\n${same}`);
  return same;
}
