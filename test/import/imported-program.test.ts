import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Cloud, type Transport } from "@container-platform/sdk";
import { lookUpEvents } from "@container-platform/sdk/audit";
import { Faults, LocalPlatform, World } from "@container-platform/sdk/local";
import { createInstance, deleteInstance } from "@container-platform/sdk/registry";
import { describeSubnets, describeVpcs } from "@container-platform/sdk/vpc";
import { format } from "prettier";
import { afterAll, beforeAll, expect, test } from "vitest";
import { usersInLog } from "../../provider/src/resources/cluster/permissions/permission-events.ts";
import { findResources, type FoundResource } from "../../provider/src/import/find-resources.ts";
import { programOf } from "../../provider/src/import/program.ts";
import { referencesTo } from "../../provider/src/import/references.ts";
import { type Selection, selectResources } from "../../provider/src/import/selection.ts";
import { complaints, root } from "../support/compiler.ts";
import { makeSite, type SiteResource } from "./sites.ts";

const folder = mkdtempSync(join(tmpdir(), "container-platform-import-"));
const file = join(folder, "world.db");
const world = World.open(file, { pace: "instant", seed: "import" });
const platform = new LocalPlatform(world);
const cloud = new Cloud({ transport: platform, region: "eu-frankfurt" });
let sites: readonly (readonly SiteResource[])[];
let all: FoundResource[];

beforeAll(async () => {
  sites = [await makeSite({ cloud, world }, 0), await makeSite({ cloud, world }, 1)];
  all = await findResources(cloud, await usersInLog(cloud), unexpected);
});

afterAll(() => {
  world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** How many the sites have of a kind. */
function countOf(kind: SiteResource["kind"]): number {
  return sites.flat().filter((one) => one.kind === kind).length;
}

function unexpected(why: string): never {
  throw new Error(why);
}

/** Runs the command. */
function ran(...args: string[]) {
  return ranIn({ CONTAINER_PLATFORM_ENDPOINT: `local:${file}`, CONTAINER_PLATFORM_REGION: "eu-frankfurt" }, root, ...args);
}

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in a folder, with nothing but this in its environment. */
async function ranIn(variables: NodeJS.ProcessEnv, cwd: string, ...args: string[]): Promise<Ended> {
  const bin = join(root, "provider", "bin", "container-platform-import.cjs");
  const env = { PATH: process.env["PATH"], HOME: folder, ...variables };
  const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status: Number(status), stdout, stderr };
}

/** The program for what is chosen. */
function written(choice: Partial<Selection> = {}, withImport = true): string {
  const resources = selectResources(all, { vpcs: [], ids: [], tag: undefined, ...choice }, referencesTo(all), "eu-frankfurt");
  const { text: program, problems } = programOf(resources, { region: "eu-frankfurt", withImport });
  expect(problems).toEqual([]);
  return program;
}

/** The resources that a program declares: `Vpc site-0`. */
function declared(program: string): string[] {
  return [...program.matchAll(/new (\w+)\(\s*"([^"]+)"/g)].map(([, type = "", name = ""]) => `${type} ${name}`);
}

test("a whole region is one program, which compiles under strict flags and is formatted", async () => {
  const program = written();
  const made = sites.flat();
  expect(all.map(({ kind, id }) => `${kind.type} ${id}`).toSorted()).toEqual(made.map(({ kind, id }) => `${kind} ${id}`).toSorted());
  expect(
    declared(program)
      .map((one) => one.split(" ")[0])
      .toSorted(),
  ).toEqual(made.map(({ kind }) => kind).toSorted());
  expect(new Set(declared(program)).size).toBe(made.length);
  expect(complaints("examples/imported.ts", program, { noUnusedLocals: true })).toEqual([]);
  for (const text of [program, written({}, false)]) expect(await format(text, { parser: "typescript" })).toBe(text);
});

test("what the platform chooses everywhere is left out, and what somebody has chosen is there", () => {
  const program = written();
  expect(program).not.toMatch(/ipvs|maxNodePodNum|maxClusterServiceNum|192\.0\.2\.53/);
  expect(program).toContain('dnsServers: ["10.0.0.2", "10.0.0.3"]');
  // These depend on the day or on the region.
  expect(program).toMatch(/clusterVersion: "1\.30\.0"/);
  expect(program).toMatch(/clusterOs: "/);
});

test("resources refer to each other rather than to ids, and import what exists", () => {
  const program = written();
  expect(program).toContain('    subnetId: site1Zone1Subnet.subnetId,\n    networkType: "VPC-CNI",');
  expect(program).toContain("ipv6SubnetCidrBlock: site0Ipv6Block.subnetCidrBlock(1)");
  expect(program).toContain("nodePoolIds: [site1WorkersNodePool.nodePoolId]");
  expect(program).toContain(`{
    sourceRegistryId: site1ImagesRegistryInstance.registryId,
    ruleName: "to archive",
    destinationRegistryId: site1ArchiveRegistryInstance.registryId,
    destNamespace: site1ArchiveCopiesNamespace.namespaceName,
    filters: [{ type: "name", value: "team/**" }, { type: "tag" }],
  }`);
  // Both sites have a namespace of this name.
  expect(program).toContain('    namespaceName: site1ImagesTeamNamespace.namespaceName,\n    repositoryName: "tools/web",');
  expect(program).toContain("resource: site1ImagesTeamNamespace.namespaceName,");
  for (const referring of ["new ServiceAccount(", "new ReplicationRule("])
    expect(program.lastIndexOf("new Namespace(")).toBeLessThan(program.indexOf(referring));
  // Of two groups that let each other in, only one can be declared before the other.
  const ids = [...program.replace(/import: "[^"]*"/g, "").matchAll(/"((?:vpc|subnet|sg|cls|np|tcr)-[0-9a-f]{8})"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(sites.length);
  expect(ids.every((id) => id?.startsWith("sg-"))).toBe(true);
  const adopted = written({}, false);
  expect(adopted).not.toContain("import:");
  expect(declared(adopted)).toEqual(declared(program));
});

test("the program has no secrets, and comments name the inputs that the platform does not answer", () => {
  const program = written();
  expect(program).toMatch(/\/\/ native\.password: not returned by the platform\..+\nconst \w+NodePool = new NodePool\(/);
  expect(program).toMatch(/\/\/ token: returned only at creation\..+\nnew Token\(/);
  expect(program).toMatch(/\/\/ password: returned only at creation\..+\nnew ServiceAccount\(/);
  expect(program).not.toMatch(/passwordVersion|kubeconfig|BEGIN|certificate/i);
});

test("a selected VPC brings all that is in it, and the security groups that this uses", async () => {
  const { vpcSet } = await cloud.call(describeVpcs, { filters: [{ name: "vpc-name", values: ["site 1"] }] });
  const program = written({ vpcs: vpcSet.map(({ vpcId }) => vpcId) });
  expect(declared(program)).toHaveLength(sites[1]?.length ?? 0);
  expect(declared(program)).toContain("SecurityGroup nodes-1");
  expect(program).not.toMatch(/site-0|nodes-0/);
});

test("a selected tag brings all that has it, and what belongs to that but takes no tags", () => {
  const network = ["Vpc site-1", "Ipv6Block site-1", "Subnet zone-1", "Subnet zone-2", "Subnet zone-3"];
  expect(declared(written({ tag: "site=1" }))).toEqual(network);
  expect(declared(written({ tag: "site" }))).toHaveLength(network.length * sites.length);
  expect(declared(written({ tag: "acme.example/team=platform" }))).toHaveLength(network.length * sites.length);
});

test("single resources are chosen, which name what is not with them by id", async () => {
  const { subnetSet } = await cloud.call(describeSubnets, { filters: [{ name: "subnet-name", values: ["zone-2"] }] });
  const [subnet] = subnetSet;
  const program = written({ ids: [subnet?.subnetId ?? ""] });
  expect(declared(program)).toEqual(["Subnet zone-2"]);
  expect(program).toContain(`vpcId: "${subnet?.vpcId}"`);
  expect(() => written({ ids: ["vpc-none"] })).toThrow("there is no vpc-none in eu-frankfurt");
});

test("a region is read with few calls, however much is in it", async () => {
  const sent: string[] = [];
  const transport: Transport = {
    send: (request) => {
      sent.push(request.action);
      return platform.send(request);
    },
    whoAmI: () => platform.whoAmI(),
    close: () => platform.close(),
  };
  const counting = new Cloud({ transport, region: "eu-frankfurt" });
  await findResources(counting, [], unexpected);
  const [clusters, registries] = (["Cluster", "RegistryInstance"] as const).map((kind) => countOf(kind));
  const times = (action: string) => sent.filter((one) => one === action).length;
  expect([times("DescribeVpcs"), times("DescribeSubnets"), times("DescribeClusters"), times("DescribeInstances")]).toEqual([2, 2, 2, 2]);
  expect([times("DescribeNodePools"), times("DescribeNamespaces"), times("DescribeInstanceToken")]).toEqual([
    clusters,
    registries,
    registries,
  ]);
  // Each registry is listed as a whole, the images then read in the one namespace that has any.
  expect(times("DescribeRepositories")).toBe(3 * sites.length);
  for (const action of ["DescribeReplicationPolicies", "DescribeServiceAccounts"]) expect(times(action), action).toBe(registries);
});

test("the command writes a new file only, and its errors say what is wrong", async () => {
  const [fresh, kept] = [join(folder, "fresh.ts"), join(folder, "kept.ts")];
  writeFileSync(kept, "mine");
  const [done, refused, none] = await Promise.all([ran("--out", fresh), ran("--out", kept), ran("--region", "na-ashburn")]);
  new Faults(world).add({ operation: lookUpEvents, when: "before", code: "UnauthorizedOperation.AccessMgmtNoAuth" });
  const blind = await ran("--user", "100000000003");
  const count = sites.flat().length;
  const place = `local:${file} (from CONTAINER_PLATFORM_ENDPOINT)`;
  const said = `${count} of ${count} resources in eu-frankfurt of ${place} are declared in ${fresh}`;
  expect(done).toEqual({ status: 0, stdout: "", stderr: `container-platform-import: ${said}\n` });
  expect(readFileSync(fresh, "utf8")).toBe(written());
  expect(refused).toMatchObject({ status: 252, stdout: "" });
  expect(refused.stderr).toBe(
    `container-platform-import: --out: ${kept} is there already, and is not overwritten\nRemove it, or name another file.\n`,
  );
  expect(readFileSync(kept, "utf8")).toBe("mine");
  expect(blind.stderr).toContain(
    "the audit log cannot be read (UnauthorizedOperation.AccessMgmtNoAuth): only the permissions of the users of --user are declared\n",
  );
  const permissions = (program: string) => declared(program).filter((one) => one.startsWith("UserPermission"));
  const ofOneUser = permissions(written()).filter((one) => one.includes("100000000003"));
  expect(ofOneUser).toHaveLength(sites.length);
  expect(permissions(blind.stdout)).toEqual(ofOneUser);
  expect(none).toEqual({ status: 252, stdout: "", stderr: `container-platform-import: there is nothing in na-ashburn of ${place}\n` });
});

test("where it reads, the stack's configuration says, as for what killed runs have left; options and the environment go before it", async () => {
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
  [["--leftovers", "--adopted"], "--adopted is about a program, and --leftovers writes none"],
  [["--leftovers", "--vpc", "vpc-1", "--out", "x.ts"], "--vpc and --out are about a program, and --leftovers writes none"],
  [["--delete"], "--delete belongs to --leftovers"],
  [["--out", "no/such/index.ts"], "--out: no/such/index.ts cannot be written: there is no folder "],
] as const)("%j: %s", async (args, says) => {
  const { status, stdout, stderr } = await ran(...args);
  expect([status, stdout, stderr]).toEqual([252, "", expect.stringContaining(`container-platform-import: ${says}`)]);
});

test("a world that is not there is not made", async () => {
  const missing = join(folder, "missing.db");
  const stderr = `container-platform-import: there is no world ${missing} (from --endpoint)\n`;
  expect(await ran("--endpoint", `local:${missing}`)).toEqual({ status: 253, stdout: "", stderr });
  expect(existsSync(missing)).toBe(false);
});

test("the exit codes of the help and of the page are those of the command", async () => {
  const help = (await ran("--help")).stdout.replaceAll(/\s+/g, " ");
  const page = readFileSync(join(root, "docs", "importing.md"), "utf8");
  const wrong = [
    [["--nonsense"], 252],
    [["--profile", "none"], 253],
    [["--region", "moon"], 254],
  ] as const;
  const endings = await Promise.all(wrong.map(async ([args, code]) => ({ ...(await ran(...args)), code })));
  for (const { status, code } of endings) {
    expect(status).toBe(code);
    expect(help).toMatch(new RegExp(`Exit codes: .*\\b${code} `));
    expect(page).toMatch(new RegExp(`^\\| ${code} `, "m"));
  }
  expect(endings[2]?.stderr).toMatch(
    /there is no region moon.*\nCheck --region, CONTAINER_PLATFORM_REGION, container-platform:region of the stack, /,
  );
});

test("what is being made or deleted is left out, and the command says so", async () => {
  world.setPace("realistic");
  const registryId = all.find(({ live }) => live["registryName"] === "site-0-images")?.id ?? "";
  await cloud.call(deleteInstance, { registryId });
  const made = (await cloud.call(createInstance, { registryName: "new-images", registryType: "basic" })).registryId;
  const said: string[] = [];
  const now = await findResources(cloud, [], (why) => said.push(why));
  expect(said.toSorted()).toEqual(
    [`RegistryInstance ${registryId} is Deleting, and left out`, `RegistryInstance ${made} is Pending, and left out`].toSorted(),
  );
  const inIt = sites.flat().filter(({ id }) => id.startsWith(registryId));
  expect(inIt.length).toBeLessThan(sites.flat().length);
  expect(all.filter(({ id }) => id.startsWith(registryId))).toHaveLength(inIt.length);
  expect(now.filter(({ id }) => id.startsWith(registryId))).toEqual([]);
});
