import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import * as vpc from "@container-platform/sdk/vpc";
import { afterAll, expect, test } from "vitest";
import { markOfProvider, newOwnershipTags } from "../../provider/src/ownership/tags.ts";
import { endOf, type Ended } from "../../sdk/src/cli/user.fixture.ts";
import { scratchOfFile } from "../../sdk/src/scratch.fixture.ts";
import { root } from "../support/compiler.ts";

/** The command lists and deletes the orphans of a stack, which a program in the place of `pulumi` describes. */

const folder = scratchOfFile();
const file = join(folder, "world.db");
const world = World.open(file, { timeScale: "instant", seed: "orphans" });
const cloud = new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt" });
afterAll(() => {
  world.close();
});

const token = "container-platform:index:Vpc";
const urnOf = (name: string, stack = "dev") => `urn:pulumi:${stack}::shop::pulumi-nodejs:dynamic/container-platform:Vpc::${name}`;
const provider = "urn:pulumi:dev::shop::pulumi:providers:container-platform::default::p1";
const [mark, foreign] = [markOfProvider("p1"), markOfProvider("p2")];
const creating = (name: string) => ({ type: "creating", resource: { urn: urnOf(name), type: token, provider } });
const exported = (...names: readonly string[]) => ({ deployment: { resources: [], pending_operations: names.map(creating) } });

const answers = join(folder, "answers");
mkdirSync(answers);
/** What the program in the place of `pulumi` prints for a command. */
function answer(command: string, value: unknown): void {
  writeFileSync(join(answers, command), typeof value === "string" ? value : JSON.stringify(value));
}
const stacks = (...others: readonly object[]) => [{ name: "organization/shop/dev" }, ...others];
function answerAll(): void {
  answer("export", exported("proven"));
  answer("name", "organization/shop/dev\n");
  answer("config", { "container-platform:endpoint": { value: `local:${file}` }, "container-platform:region": { value: "eu-frankfurt" } });
  answer("whoami", { url: `file://${folder}` });
  for (const list of ["ls", "all"]) answer(list, stacks({ name: "organization/shop/prod" }));
}

const bin = join(folder, "bin");
mkdirSync(bin);
const script = `#!/bin/sh
cd ${answers}
case "$*" in
  *"stack export"*) cat export; [ ! -e next ] || cp next export ;;
  *--show-name*) cat name ;;
  *"stack ls --all"*) cat all ;;
  *"stack ls"*) cat ls ;;
  *config*) cat config ;;
  *whoami*) cat whoami ;;
esac
`;
writeFileSync(join(bin, "pulumi"), script, { mode: 0o755 });

function ran(...args: readonly string[]): Promise<Ended> {
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: folder };
  const command = join(root, "provider", "bin", "container-platform-import.cjs");
  return endOf(spawn(process.execPath, [command, "--orphans", ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] }));
}

/** A VPC with the ownership tags of a resource, which Pulumi has not saved. */
async function pending(index: number, urn: string, of: string | undefined): Promise<string> {
  const tags = Object.entries(newOwnershipTags(urn, of)).map(([key, value]) => ({ key, value: String(value) }));
  return (await cloud.call(vpc.createVpc, { vpcName: `net-${index}`, cidrBlock: `10.${index}.0.0/16`, tags })).vpc.vpcId;
}
const exists = async (id: string) => (await cloud.call(vpc.describeVpcs, {})).vpcSet.some(({ vpcId }) => vpcId === id);

test("orphans are listed, deleted if the state proves them or they are named, and the exit code says whether some remain", async () => {
  answerAll();
  const own = await pending(1, urnOf("own"), mark);
  const proven = await pending(2, urnOf("proven"), mark);
  const others = await pending(3, urnOf("foreign"), foreign);
  const prod = await pending(4, urnOf("other", "prod"), mark);
  const [listed, missing, refused] = await Promise.all([
    ran(),
    ran("--delete", "--id", `vpc-00000000,${own}`),
    ran("--delete", "--id", prod),
  ]);
  expect(listed.code).toBe(1);
  expect(listed.stdout.trim().split("\n").toSorted()).toEqual([own, proven].map((id) => `${id} (Vpc)`).toSorted());
  for (const id of [own, others, prod]) expect(listed.stderr).toContain(`${id} (Vpc)`);
  expect(listed.stderr).not.toContain(proven);

  expect(missing).toMatchObject({ code: 252, stdout: "" });
  expect(missing.stderr).toContain("--id: vpc-00000000 is not among the orphans");
  expect([refused.code, refused.stderr]).toEqual([252, expect.stringContaining(`--id: ${prod} has the ownership tags of stack prod of`)]);
  // A stack that does not exist manages nothing.
  answer("all", stacks());
  expect((await ran("--delete", "--id", prod)).stdout).toMatch(new RegExp(`^deleted ${prod} \\(Vpc\\)\n`));

  expect(await ran("--delete")).toMatchObject({ code: 1, stdout: `deleted ${proven} (Vpc)\n${own} (Vpc)\n` });
  expect([await exists(proven), await exists(own), await exists(others)]).toEqual([false, true, true]);
  expect(await ran("--delete", "--id", own)).toMatchObject({ code: 1, stdout: `deleted ${own} (Vpc)\n` });
  expect(await ran("--delete", "--id", others)).toMatchObject({ code: 0, stdout: `deleted ${others} (Vpc)\n` });
  const none = await ran();
  expect(none).toMatchObject({ code: 0, stdout: "" });
  expect(none.stderr).toContain(`there are no orphans in eu-frankfurt of local:${file} (from the configuration of the stack)`);
});

test("nothing is deleted while an update of the stack runs, or after one has changed the state", async () => {
  answerAll();
  const id = await pending(5, urnOf("proven"), mark);
  const locks = join(folder, ".pulumi", "locks", "organization", "shop", "dev");
  const says = "--delete: the stack dev is locked";
  mkdirSync(locks, { recursive: true });
  writeFileSync(join(locks, "notes.txt"), "no lock");
  const old = join(folder, ".pulumi", "locks", "dev");
  mkdirSync(old);
  // The backend in the home folder, and in the current one with the layout of older versions: both are the same folder here.
  for (const [url, place] of [
    ["file://~", locks],
    ["file://.", old],
  ] as const) {
    answer("whoami", { url });
    writeFileSync(join(place, "one.json"), JSON.stringify({ pid: 7, username: "ann", hostname: "build" }));
    expect((await ran("--delete")).stderr).toContain(
      `${says} by process 7 of ann on build: another update may be creating these resources`,
    );
    rmSync(join(place, "one.json"));
  }
  answer("ls", stacks({ name: "organization/shop/dev", updateInProgress: true }));
  expect(await ran("--delete")).toMatchObject({ code: 252, stderr: expect.stringContaining(`${says}: another`) as string });
  // Another stack, or project, is no matter.
  answer("ls", stacks({ name: "organization/other/dev", updateInProgress: true }));
  answer("next", exported("proven", "more"));
  const changed = await ran("--delete");
  expect([changed.code, changed.stderr]).toEqual([252, expect.stringContaining("another update has changed the state since it was read")]);
  expect(await exists(id)).toBe(true);
  rmSync(join(answers, "next"));
  expect(await ran("--delete")).toMatchObject({ code: 0, stdout: `deleted ${id} (Vpc)\n` });
});
