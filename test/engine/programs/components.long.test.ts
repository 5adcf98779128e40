import { execFile } from "node:child_process";
import { createServer, request, type Server } from "node:http";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import * as vpc from "@container-platform/sdk/vpc";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { type Outcome, operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const root = dirname(dirname(dirname(import.meta.dirname)));
const pack = join(root, "provider", "policy-pack", "start");
const reviewer = join(root, "provider", "bin", "container-platform-review.cjs");

const reportSchema = z.object({
  reasons: z.array(z.object({ called: z.string(), verdict: z.string(), sentence: z.string() })),
  changes: z.array(z.object({ called: z.string(), source: z.object({ file: z.string(), line: z.number() }).optional() })),
});

/** What the reviewer says to the output of a preview. */
function reviewed(preview: string, folder: string): Promise<z.output<typeof reportSchema>> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [reviewer, "-", "--format", "json", "--exit-zero"], { cwd: folder }, (error, text) => {
      if (error) reject(new Error("the review failed", { cause: error }));
      else resolve(reportSchema.parse(JSON.parse(text)));
    });
    child.stdin?.end(preview);
  });
}

/** The policies that a run breaks, or cannot decide. */
function broken({ output }: Outcome): string[] {
  return [...output.matchAll(/\[(?:advisory|mandatory)\].*?(CP-\w+-\d+)/g)].map(([, rule = ""]) => rule);
}

describe("the example", () => {
  test("is reviewed, deployed under our policies, given another zone, and destroyed", async () => {
    await using stack = await Stack.ofExample("components", { pace: "fast", programs: "language-host" });
    const config = { "platform:zones": "2", "platform:registryName": "components" };
    stack.configure(config);
    const { reasons } = await reviewed((await stack.preview("--json")).stdout, stack.folder);
    expect(reasons.map(({ called, sentence }) => `${called} ${sentence}`)).toEqual([
      "ClusterEndpoint prod-internet opens the cluster's API on the internet, to 203.0.113.0/24",
    ]);

    const made = await stack.up("--policy-pack", pack);
    expect(made.output).toMatch(/\+ 21 created/);
    expect(broken(made)).toEqual(["CP-END-001"]);
    expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});

    stack.configure({ ...config, "platform:zones": "3", "platform:deletionProtection": "false" });
    const another = {
      "Subnet prod-nodes-eu-frankfurt-3": ["create"],
      "Subnet prod-pods-eu-frankfurt-3": ["create"],
      "Cluster prod": ["update"],
      "NodePool prod-system": ["update"],
      "NodePool prod-apps": ["update"],
      "RegistryInstance prod": ["update"],
    };
    expect(operationsOf(await stack.preview())).toEqual(another);
    expect(operationsOf(await stack.up())).toEqual(another);
    await stack.destroy();
    // The registry's bucket, with the images in it, stays.
    expect(stack.leftovers()).toEqual({ buckets: 1 });
  });

  test("without access from the internet, it passes every policy, and nothing in it needs approval", async () => {
    await using stack = await Stack.ofExample("components", { config: { "platform:allowedCidrBlocks": "[]" } });
    const { reasons, changes } = await reviewed((await stack.preview("--json")).stdout, stack.folder);
    expect(reasons).toEqual([]);
    // The engine cannot tell where subnets are declared: they are made once the zones are known.
    const places = changes.map(({ called, source }) => (called.startsWith("Subnet ") ? "later" : source?.file));
    expect(new Set(places)).toEqual(new Set(["components/index.ts", "later"]));
    expect(broken(await stack.up("--policy-pack", pack))).toEqual([]);
  });
});

const imports = `import * as cp from "@container-platform/pulumi";\n`;

/** A stack of plain resources, with automatic names. */
const plain = `${imports}
const vpc = new cp.Vpc("platform", { cidrBlock: "10.0.0.0/16" });
const ipv6 = new cp.Ipv6Block("platform", { vpcId: vpc.vpcId });
const [first, second] = [1, 2].map((number) => new cp.Subnet("nodes-" + number, {
  vpcId: vpc.vpcId,
  zone: "eu-frankfurt-" + number,
  cidrBlock: cp.carve("10.0.0.0/16", 20, number - 1),
  ipv6SubnetCidrBlock: ipv6.subnetCidrBlock(number - 1),
}));
const subnetIds = [first.subnetId, second.subnetId];
const group = new cp.SecurityGroup("platform", { ingress: [{ protocol: "ALL", self: true, action: "ACCEPT" }] });
const place = { vpcId: vpc.vpcId, subnetId: first.subnetId };
const cluster = new cp.Cluster("platform", { ...place, eniSubnetIds: subnetIds, networkType: "VPC-CNI", isDualStack: true });
const pool = new cp.NodePool("workers", {
  clusterId: cluster.clusterId,
  native: {
    subnetIds,
    instanceTypes: ["SA5.MEDIUM4"],
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    securityGroupIds: [group.securityGroupId],
    scaling: { minReplicas: 2, maxReplicas: 3 },
    autoRepair: true,
  },
});
const access = { clusterId: cluster.clusterId, isExtranet: false, subnetId: first.subnetId, nodePoolIds: [pool.nodePoolId] };
new cp.ClusterEndpoint("internal", access);
const registry = new cp.RegistryInstance("platform", { registryName: "moved-images", internalAccess: [place], deleteBucket: true });
new cp.Namespace("team", { registryId: registry.registryId, namespaceName: "team", isPublic: false });
const token = new cp.Token("pull", { registryId: registry.registryId, desc: "nodes" });
new cp.UserPermission("auditor", { targetUin: "100000000003", clusterId: cluster.clusterId, roleName: "svc:ro", roleType: "cluster" });
export const secret = cp.pullSecret({ registry, token, via: { vpcId: vpc.vpcId } });
`;

/** The same in components, with what differs from their defaults. */
const moved = (adopts: string) => `${imports}
const platform = new cp.Platform("prod", {
  network: { zones: ["eu-frankfurt-1", "eu-frankfurt-2"] },
  nodePools: { workers: { instanceTypes: ["SA5.MEDIUM4"] } },
  registry: { name: "moved-images", namespaces: ["team"], login: "token" },
  permissions: { "100000000003": "svc:ro" },
  deletionProtection: false,
  transform: {
    securityGroup: () => ({ ingress: [{ protocol: "ALL", self: true, action: "ACCEPT" }] }),
    cluster: (args) => { args.upgradeNodes = false; },
    registry: (args) => { args.deleteBucket = true; },
    namespace: ({ registryId, namespaceName }) => ({ registryId, namespaceName, isPublic: false }),
    token: (args) => { args.desc = "nodes"; },
  },
  ${adopts}
});
export const secret = platform.pullSecret;
`;

const adopts = `adopts: {
  vpc: "platform",
  ipv6: "platform",
  subnet: { "prod-nodes-eu-frankfurt-1": "nodes-1", "prod-nodes-eu-frankfurt-2": "nodes-2" },
  securityGroup: "platform",
  cluster: "platform",
  nodePool: { "prod-workers": "workers" },
  endpoint: { "prod-internal": "internal" },
  registry: "platform",
  namespace: "team",
  token: "pull",
  permission: "auditor",
},`;

const nameInputs = ["vpcName", "subnetName", "groupName", "clusterName", "name"];

/** The names that resources have on the platform. */
async function namesIn(stack: Stack): Promise<string[]> {
  return (await stack.resources()).flatMap(({ inputs = {} }) => nameInputs.flatMap((key) => inputs[key] ?? []).map(String)).toSorted();
}

if (isLong)
  test("a stack of plain resources moves into components without a call that writes, and stays without the aliases", async () => {
    await using stack = await Stack.create({ program: plain });
    await stack.up();
    const names = await namesIn(stack);
    const before = stack.calls().length;

    stack.write(moved(adopts));
    // What remembers the zones is in Pulumi's state alone, as components are.
    const components = { "Platform prod": ["create"], "Network prod": ["create"], "Stash prod-zones": ["create"] };
    const preview = await stack.preview();
    expect(operationsOf(preview)).toEqual(components);
    expect(preview.output).toMatch(/\+ 3 to create\n\s+13 unchanged/);
    const done = await stack.up();
    expect(operationsOf(done)).toEqual(components);
    expect(done.output).toMatch(/\+ 3 created\n\s+13 unchanged/);
    expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});

    stack.write(moved(""));
    expect(operationsOf(await stack.up("--expect-no-changes"))).toEqual({});
    expect(await namesIn(stack)).toEqual(names);
    expect(stack.writesSince(before)).toEqual([]);

    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
  });

const answerSchema = z.looseObject({
  Response: z.looseObject({ ZoneSet: z.array(z.looseObject({ Zone: z.string(), ZoneState: z.string() })) }),
});

/** Passes calls on to a platform, and answers that other zones are available than it says. */
async function withZones(platform: string, available: () => readonly string[]): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((call, answer) => {
    const { method, headers, url = "/" } = call;
    const passed = request(new URL(url, platform), { method, headers }, (response) => {
      void buffer(response).then((body) => {
        const asked = answerSchema.safeParse(body.includes('"ZoneSet"') ? JSON.parse(body.toString()) : undefined);
        if (!asked.success) return answer.writeHead(response.statusCode ?? 500, response.headers).end(body);
        for (const zone of asked.data.Response.ZoneSet) zone.ZoneState = available().includes(zone.Zone) ? "AVAILABLE" : "UNAVAILABLE";
        return answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(asked.data));
      });
    });
    call.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${address.port}`, server };
}

if (isLong)
  test("zones that are counted stay the same when others become available, and another one is taken from the rest", async () => {
    const program = (zones: number) => `${imports}
const network = new cp.Network("main", { zones: ${zones}, subnets: { nodes: { prefix: 20 }, pods: { prefix: 20 } } });
export const zones = network.zones;`;
    let available = ["eu-frankfurt-3", "eu-frankfurt-2"];
    await using stack = await Stack.create({ program: program(2), served: true });
    const { url, server } = await withZones(stack.url, () => available);
    try {
      stack.configure({ "container-platform:endpoint": url });
      await stack.up();
      expect(await zonesOf(stack)).toEqual(["eu-frankfurt-2", "eu-frankfurt-3"]);

      available = ["eu-frankfurt-1", "eu-frankfurt-3", "eu-frankfurt-4"];
      const later = await stack.up("--refresh", "--expect-no-changes");
      expect(later.output).toContain(
        "zones: eu-frankfurt-2 cannot be used at present: what stands there stays, and what is new there is refused",
      );
      expect(await zonesOf(stack)).toEqual(["eu-frankfurt-2", "eu-frankfurt-3"]);

      stack.write(program(3));
      expect(operationsOf(await stack.up())).toEqual({
        "Subnet main-nodes-eu-frankfurt-1": ["create"],
        "Subnet main-pods-eu-frankfurt-1": ["create"],
      });
      stack.write(program(1));
      expect(Object.values(operationsOf(await stack.up()))).toEqual([["delete"], ["delete"], ["delete"], ["delete"]]);
      expect(await zonesOf(stack)).toEqual(["eu-frankfurt-2"]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

/** The zones of the network's subnets. */
async function zonesOf(stack: Stack): Promise<string[]> {
  const { subnetSet } = await stack.cloud().call(vpc.describeSubnets, {});
  return [...new Set(subnetSet.map(({ zone }) => zone))].toSorted();
}

if (isLong)
  test("a provider, protection, tags, transforms and Pulumi's own transforms reach the children", async () => {
    const program = (protect: boolean) => `${imports}
const singapore = new cp.Provider("singapore", { endpoint: "local", region: "ap-singapore" });
const network = new cp.Network("shared", { zones: 2, tags: { team: "network" } }, {
  provider: singapore,
  protect: ${protect},
  transforms: [({ type, props, opts }) => type.endsWith(":Subnet") ? { props: { ...props, tags: { ...props.tags, seen: "yes" } }, opts } : undefined],
});
const platform = new cp.Platform("prod", {
  network,
  version: "1.32.2",
  deletionProtection: false,
  nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], native: { autoRepair: false }, labels: { pool: "apps" } } },
  access: { internal: false, internet: ["203.0.113.7/32", "2001:db8:1::/48"] },
  tags: { team: "platform" },
  transform: {
    cluster: (args, opts, name) => { args.clusterDescription = "made as " + name; },
    nodePool: (args) => ({ ...args, unschedulable: true }),
  },
}, { providers: [singapore], dependsOn: network });
export const url = platform.kubeconfig;
export const none = (() => { try { return platform.pullSecret; } catch (error) { return error.message; } })();
export const subnet = network.subnets.nodes.apply((zones) => zones["ap-singapore-2"].subnetId);
`;
    await using stack = await Stack.create({ program: program(true) });
    const { output } = await stack.up();
    expect(output).toContain("the platform prod has no registry to pull from: give `registry`");
    const cloud = stack.cloud("ap-singapore");
    const subnets = (await cloud.call(vpc.describeSubnets, {})).subnetSet.toSorted((one, other) => one.zone.localeCompare(other.zone));
    const tags = subnets.map(({ zone, tagSet }) => [
      zone,
      ...tagSet.flatMap(({ key, value }) => (key.startsWith("container-platform/") ? [] : [`${key}=${value}`])).toSorted(),
    ]);
    expect(tags).toEqual([
      ["ap-singapore-1", "seen=yes", "team=network"],
      ["ap-singapore-2", "seen=yes", "team=network"],
    ]);
    const { inputs: cluster } = await stack.resource("Cluster prod");
    expect(cluster).toMatchObject({ clusterDescription: "made as prod", clusterVersion: "1.32.2", tags: { team: "platform" } });
    const { inputs: pool } = await stack.resource("NodePool prod-apps");
    expect(pool).toMatchObject({ unschedulable: true, labels: { pool: "apps" }, native: { autoRepair: false } });
    expect((await stack.fails("destroy", "--yes", "--skip-preview")).output).toContain("protect");

    stack.write(program(false));
    await stack.up();
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
  });

if (isLong)
  test("a version that is left out is the newest at creation, and one that is given upgrades", async () => {
    const program = (version: string) => `${imports}
new cp.Platform("prod", { network: { zones: 2 }, nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"] } }, ${version} });`;
    await using stack = await Stack.create({ program: program('version: "1.32.2"') });
    await stack.up();
    stack.write(program(""));
    expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
    stack.write(program('version: "1.34.1"'));
    expect(operationsOf(await stack.up())).toEqual({ "Cluster prod": ["update"] });
    stack.write(program(""));
    expect(operationsOf(await stack.up("--expect-no-changes"))).toEqual({});
  });
