import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { lookUpEvents } from "@container-platform/sdk/audit";
import { Faults, LocalPlatform, World } from "@container-platform/sdk/local";
import { afterAll, beforeAll, expect, test } from "vitest";
import { usersInLog } from "../../provider/src/resources/cluster/permissions/permission-events.ts";
import { findResources } from "../../provider/src/import/find-resources.ts";
import { scratchOfFile } from "../../sdk/src/scratch.fixture.ts";
import { endOf, type Ended } from "../../sdk/src/cli/user.fixture.ts";
import { root } from "../support/compiler.ts";
import { declared, makeSite, programFor, type SiteResource } from "./sites.ts";

const folder = scratchOfFile();
const file = join(folder, "world.db");
const world = World.open(file, { timeScale: "instant", seed: "import" });
const cloud = new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt" });
let sites: readonly (readonly SiteResource[])[];
/** The program for all that is there. */
let written = "";

beforeAll(async () => {
  sites = [await makeSite({ cloud, world }, 0), await makeSite({ cloud, world }, 1)];
  const all = await findResources(cloud, await usersInLog(cloud), (why) => {
    throw new Error(why);
  });
  written = programFor(all);
});

afterAll(() => {
  world.close();
});

/** Runs the command. */
function ran(...args: string[]) {
  return ranIn({ CONTAINER_PLATFORM_ENDPOINT: `local:${file}`, CONTAINER_PLATFORM_REGION: "eu-frankfurt" }, root, ...args);
}

/** Runs the command in a folder, with nothing but this in its environment. */
function ranIn(variables: NodeJS.ProcessEnv, cwd: string, ...args: string[]): Promise<Ended> {
  const bin = join(root, "provider", "bin", "container-platform-import.cjs");
  const env = { PATH: process.env["PATH"], HOME: folder, ...variables };
  return endOf(spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
}

test("the command writes a new file only, and its errors say what is wrong", async () => {
  const [fresh, kept] = [join(folder, "fresh.ts"), join(folder, "kept.ts")];
  writeFileSync(kept, "mine");
  const [done, refused, none] = await Promise.all([ran("--out", fresh), ran("--out", kept), ran("--region", "na-ashburn")]);
  new Faults(world).add({ operation: lookUpEvents, when: "before", code: "UnauthorizedOperation.AccessMgmtNoAuth" });
  const blind = await ran("--user", "100000000003");
  const count = sites.flat().length;
  const place = `local:${file} (from CONTAINER_PLATFORM_ENDPOINT)`;
  const said = `${count} of ${count} resources in eu-frankfurt of ${place} are declared in ${fresh}`;
  expect(done).toEqual({ code: 0, stdout: "", stderr: `container-platform-import: ${said}\n` });
  expect(readFileSync(fresh, "utf8")).toBe(written);
  expect(refused).toMatchObject({ code: 252, stdout: "" });
  expect(refused.stderr).toBe(
    `container-platform-import: --out: ${kept} is there already, and is not overwritten\nRemove it, or name another file.\n`,
  );
  expect(readFileSync(kept, "utf8")).toBe("mine");
  expect(blind.stderr).toContain(
    "the audit log cannot be read (UnauthorizedOperation.AccessMgmtNoAuth): only the permissions of the users of --user are declared\n",
  );
  const permissions = (program: string) => declared(program).filter((one) => one.startsWith("UserPermission"));
  const ofOneUser = permissions(written).filter((one) => one.includes("100000000003"));
  expect(ofOneUser).toHaveLength(sites.length);
  expect(permissions(blind.stdout)).toEqual(ofOneUser);
  expect(none).toEqual({ code: 252, stdout: "", stderr: `container-platform-import: there is nothing in na-ashburn of ${place}\n` });
});

test("the command reads where the configuration of the stack says; options and the environment override it", async () => {
  const project = mkdtempSync(join(folder, "project-"));
  const state = { PULUMI_BACKEND_URL: `file://${project}`, PULUMI_CONFIG_PASSPHRASE: "test", PULUMI_HOME: join(project, "home") };
  writeFileSync(join(project, "Pulumi.yaml"), "name: mine\nruntime: nodejs\n");
  const config = { "container-platform:endpoint": `local:${file}`, "container-platform:region": "eu-frankfurt" };
  const env = { ...process.env, ...state };
  execFileSync("pulumi", ["stack", "init", "dev"], { cwd: project, env, stdio: "ignore" });
  const settings = readFileSync(join(project, "Pulumi.dev.yaml"), "utf8");
  writeFileSync(join(project, "Pulumi.dev.yaml"), `${settings}config: ${JSON.stringify(config)}\n`);
  const inProject = (variables: NodeJS.ProcessEnv, ...args: string[]) => ranIn({ ...state, ...variables }, project, ...args);

  const [all, elsewhere, other, unread] = await Promise.all([
    inProject({}),
    inProject({}, "--region", "na-ashburn"),
    inProject({ CONTAINER_PLATFORM_ENDPOINT: `local:${join(project, "other.db")}` }),
    inProject({ PULUMI_BACKEND_URL: "file:///nowhere/at/all" }),
  ]);
  const place = `local:${file} (from the configuration of the stack)`;
  expect(all.stderr).toMatch(new RegExp(`resources in eu-frankfurt of ${place.replaceAll(/[()]/g, "\\$&")} are declared\n$`));
  expect(elsewhere.stderr).toContain(`there is nothing in na-ashburn of ${place}\n`);
  expect(other.stderr).toContain("other.db (from CONTAINER_PLATFORM_ENDPOINT)");
  expect(unread.stderr).toMatch(/the configuration of a stack is not used: .*\n(.*\n)*.*no endpoint is configured: give --endpoint/);
});

test.each([
  [["--orphans", "--adopted"], "--adopted is about a program, and --orphans writes none"],
  [["--orphans", "--vpc", "vpc-1", "--out", "x.ts"], "--vpc and --out are about a program, and --orphans writes none"],
  [["--delete"], "--delete belongs to --orphans"],
  [["--out", "no/such/index.ts"], "--out: no/such/index.ts cannot be written: there is no folder "],
] as const)("%j: %s", async (args, says) => {
  const { code, stdout, stderr } = await ran(...args);
  expect([code, stdout, stderr]).toEqual([252, "", expect.stringContaining(`container-platform-import: ${says}`)]);
});

test("a world that is not there is not made", async () => {
  const missing = join(folder, "missing.db");
  const stderr = `container-platform-import: the database ${missing} (from --endpoint) does not exist\n`;
  expect(await ran("--endpoint", `local:${missing}`)).toEqual({ code: 253, stdout: "", stderr });
  expect(existsSync(missing)).toBe(false);
});

test("the exit codes of the help and of the page are those of the command", async () => {
  const help = (await ran("--help")).stdout.replaceAll(/\s+/g, " ");
  const page = readFileSync(join(root, "docs", "reference", "cli", "import.md"), "utf8");
  const wrong = [
    [["--nonsense"], 252],
    [["--profile", "none"], 253],
    [["--region", "moon"], 254],
  ] as const;
  const endings = await Promise.all(wrong.map(async ([args, expected]) => ({ ...(await ran(...args)), expected })));
  for (const { code, expected } of endings) {
    expect(code).toBe(expected);
    expect(help).toMatch(new RegExp(`Exit codes: .*\\b${expected} `));
    expect(page).toMatch(new RegExp(`^\\| ${expected} `, "m"));
  }
  expect(endings[2]?.stderr).toMatch(
    /there is no region moon.*\nCheck --region, CONTAINER_PLATFORM_REGION, container-platform:region of the stack, /,
  );
});
