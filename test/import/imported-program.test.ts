import { Cloud, type Transport } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { createInstance, deleteInstance } from "@container-platform/sdk/registry";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import structs, { type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";
import { format } from "prettier";
import { afterAll, beforeAll, expect, test } from "vitest";
import { usersInLog } from "../../provider/src/resources/cluster/permissions/permission-events.ts";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { findResources, type FoundResource } from "../../provider/src/import/find-resources.ts";
import { kinds } from "../../provider/src/resources/kinds.ts";
import { unknown } from "../../provider/src/schema/values.ts";
import type { Selection } from "../../provider/src/import/selection.ts";
import { complaints } from "../support/compiler.ts";
import { pluginHere } from "../support/provider-here.ts";
import { declared, makeSite, programFor, type SiteResource } from "./sites.ts";

const world = World.open(":memory:", { timeScale: "instant", seed: "import" });
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
});

function countOf(kind: SiteResource["kind"]): number {
  return sites.flat().filter((one) => one.kind === kind).length;
}

function unexpected(why: string): never {
  throw new Error(why);
}

function written(choice?: Partial<Selection>, withImport?: boolean): string {
  return programFor(all, choice, withImport);
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

// What Pulumi's engine puts into a state when it imports a resource is what the plugin tells of it, inputs unchecked.
test("of each kind, the first refresh after an import by the plugin finds it as the import has left it", async () => {
  for (const { kind, id } of sites[0] ?? []) {
    const request = () => new messages.ReadRequest().setUrn(`urn:pulumi:test::project::${nativeToken(kind)}::found`).setId(id);
    const imported = await pluginHere(world, "eu-frankfurt").read(request());
    const again = request().setInputs(imported.getInputs()).setProperties(imported.getProperties());
    const refreshed = await pluginHere(world, "eu-frankfurt").read(again);
    expect(refreshed.getInputs()?.toJavaScript(), `${kind} ${id}`).toEqual(imported.getInputs()?.toJavaScript());
    expect(refreshed.getProperties()?.toJavaScript(), `${kind} ${id}`).toEqual(imported.getProperties()?.toJavaScript());
  }
});

/** The ids that the plugin lists, page by page. */
async function listed(token: string, query: Readonly<Record<string, JavaScriptValue>> = {}, pageSize = 0): Promise<string[]> {
  const ids: string[] = [];
  for (let place: string | undefined = ""; place !== undefined;) {
    const request = new messages.ListRequest().setToken(token).setQuery(structs.Struct.fromJavaScript(query)).setContinuationToken(place);
    const responses = await pluginHere(world, "eu-frankfurt").list(request.setPageSize(pageSize));
    const page = responses.flatMap((response) => response.getResult()?.getId() ?? []);
    expect(page.length).toBeLessThanOrEqual(pageSize || 100);
    ids.push(...page);
    place = responses.at(-1)?.getContinuation()?.getContinuationToken();
  }
  return ids;
}

test("of each kind, the plugin lists what the importer finds, in pages of any size", async () => {
  for (const type of Object.keys(kinds)) {
    const found = all.flatMap(({ kind, id }) => (kind.type === type ? [id] : []));
    expect(found.length, type).toBeGreaterThan(1);
    expect(await listed(nativeToken(type)), type).toEqual(found.toSorted());
    expect(await listed(nativeToken(type), {}, 1), type).toEqual(found.toSorted());
  }
});

test("the plugin lists a resource by its own name, not by the name of what it is in", async () => {
  const nameOf = async (type: string) => {
    const [first] = await pluginHere(world, "eu-frankfurt").list(new messages.ListRequest().setToken(nativeToken(type)));
    return first?.getResult()?.getName();
  };
  expect(await nameOf("Vpc")).toMatch(/^site \d$/);
  expect(await nameOf("SecurityGroup")).toMatch(/^(access|office|nodes-\d)$/);
  expect(await nameOf("RegistryInstance")).toMatch(/^site-\d-/);
  expect(await nameOf("ReplicationRule")).toBe("to archive");
  expect(await nameOf("Repository")).toBe("tools/web");
  expect(await nameOf("UserPermission")).toMatch(/^100000000002\//);
});

test("the plugin lists by parent and by tag, answers an unknown query as unknown, and refuses one that it does not know", async () => {
  const subnets = all.filter(({ kind }) => kind.type === "Subnet");
  const vpcId = String(subnets[0]?.live["vpcId"]);
  const inVpc = subnets.filter(({ live }) => live["vpcId"] === vpcId).map(({ id }) => id);
  expect(inVpc.length).toBeLessThan(subnets.length);
  expect(await listed(nativeToken("Subnet"), { vpcId })).toEqual(inVpc.toSorted());
  const tagged = all.find(({ kind, live }) => kind.type === "Vpc" && Object.keys(live["tags"] ?? {}).length > 0);
  expect(await listed(nativeToken("Vpc"), { tags: tagged?.live["tags"] as JavaScriptValue })).toContain(tagged?.id);
  expect(await listed(nativeToken("Vpc"), { tags: { "no such": "tag" } })).toEqual([]);
  const unknownQuery = new messages.ListRequest()
    .setToken(nativeToken("Subnet"))
    .setQuery(structs.Struct.fromJavaScript({ vpcId: unknown }));
  const [told] = await pluginHere(world, "eu-frankfurt").list(unknownQuery);
  expect(told?.hasComputed()).toBe(true);
  await expect(listed(nativeToken("Subnet"), { zone: "eu-frankfurt-1" })).rejects.toThrow(
    "Subnet is not listed by zone; it is listed by vpcId, routeTableId, tags",
  );
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

test("a selected tag brings all that has it, and what belongs to that but takes no tags", () => {
  const network = ["Vpc site-1", "Ipv6Block site-1", "Subnet zone-1", "Subnet zone-2", "Subnet zone-3"];
  expect(declared(written({ tag: "site=1" }))).toEqual(network);
  expect(declared(written({ tag: "site" }))).toHaveLength(network.length * sites.length);
  expect(declared(written({ tag: "acme.example/team=platform=one" }))).toHaveLength(network.length * sites.length);
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

test("what is being made or deleted is left out, and the command says so", async () => {
  world.setTimeScale("realistic");
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
