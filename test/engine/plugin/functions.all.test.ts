import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as entryPoint from "@container-platform/pulumi";
import { putKeyPair } from "@container-platform/sdk/local";
import { describeSubnets } from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { z } from "zod";
import { Run } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** The plugin, as the engine starts it without a project. */
const executable = join(import.meta.dirname, "../../../plugin/pulumi-resource-container-platform");

/** Only the engine runs functions as programs call them: in a preview, with Outputs, in the place of a provider, and through the plugin. */

const functions = Object.keys(entryPoint).filter((name) => /^(get|lookUp)/.test(name));

const pages = join(import.meta.dirname, "../../../docs/reference/functions");
const examples = readdirSync(pages)
  .map((file) => /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(pages, file), "utf8"))?.[1] ?? `${file} has no example`)
  .map((text) =>
    text
      .replaceAll(/^export /gm, "")
      .replaceAll('"cls-3f8a0c1e"', "clusterId")
      .replaceAll('"vpc-3f8a0c1e"', "vpcId"),
  )
  .map((text) => `{\n${text.replaceAll('"tcr-3f8a0c1e"', "registryId")}}`)
  .join("\n");

const zonesOf = (region: string, ...numbers: number[]) => numbers.map((number) => `${region}-${number}`).join(" ");

/** Calls every function, as a promise and for Outputs, with ids that are known after the creation of the resources only. */
const program = `
import { cidrSubnet } from "@container-platform/sdk";
import * as platform from "@container-platform/pulumi";
import { Cluster, Namespace, NodePool, Provider, RegistryInstance, Repository, SecurityGroup, Subnet, Vpc } from "@container-platform/pulumi";
import { all, runtime } from "@pulumi/pulumi";

const { ${functions.join(", ")} } = platform;
const vpc = new Vpc("home", { cidrBlock: "10.0.0.0/16" });
const { vpcId } = vpc;
const { subnetId } = new Subnet("home", { vpcId, cidrBlock: "10.0.240.0/24", zone: "eu-frankfurt-1" });
const { clusterId } = new Cluster("home", { vpcId, subnetId, clusterCidr: "172.16.0.0/16" });
const systemDisk = { diskType: "CLOUD_PREMIUM", diskSize: 50 };
const pool = new NodePool("home", { clusterId, native: { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk, replicas: 1 } });
const { registryId } = new RegistryInstance("home", { registryName: "acme-images" });
const { namespaceName } = new Namespace("home", { registryId, namespaceName: "team", isPublic: false });
const { repositoryName } = new Repository("home", { registryId, namespaceName, repositoryName: "web" });

const moments = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
const ofCluster = { clusterId: pool.clusterId };
const ofRegistry = { registryId, namespaceName };
const args = {
  lookUpEvents: { ...moments, attributes: { EventName: "CreateVpc", ResourceName: vpcId } },
  getCluster: ofCluster,
  getClusterInstances: ofCluster,
  getClusterStatus: ofCluster,
  getClusterVersions: ofCluster,
  getClusters: {},
  getDiskTypes: { zone: "eu-frankfurt-1" },
  getImages: { ...ofRegistry, repositoryName },
  getInstanceTypes: { zone: "eu-frankfurt-3" },
  getKeyPairs: {},
  getKubeconfig: ofCluster,
  getNamespaces: { registryId },
  getNodePools: ofCluster,
  getOsImages: {},
  getRegions: {},
  getRegistries: {},
  getRepositories: ofRegistry,
  getSecurityGroups: {},
  getSubnets: { vpcId },
  getTasks: { ...ofCluster, taskType: "create_cluster" },
  getUserPermissions: { targetUin: "100000000002" },
  getVpcs: {},
  getZones: {},
};
// What has no ids is read after all resources, too.
const made = all([pool.nodePoolId, repositoryName]);
export const promises = Object.fromEntries(
  Object.entries(args).map(([name, given]) => [name, all([given, made]).apply(([known]) => platform[name](known))]),
);
export const outputs = Object.fromEntries(
  Object.entries(args).map(([name, given]) => [name, made.apply(() => platform[name + "Output"](given))]),
);

// As any language calls them, of the native plugin.
const token = (name) => "container-platform:index:" + name;
export const natives = Object.fromEntries(
  Object.entries(args).map(([name, given]) => [name, made.apply(() => runtime.invokeOutput(token(name), given))]),
);

const { clusterState } = platform.getClusterStatusOutput({ clusterId });
new SecurityGroup("after", { groupDescription: clusterState });
export const kubeconfig = platform.getKubeconfigOutput({ clusterId });

// The examples of the pages, with the ids that there are here, after all else.
const read = all([promises, outputs, natives, clusterId, vpcId, registryId]);
export const examples = read.apply(async ([, , , clusterId, vpcId, registryId]) => {
${examples}
  return ${examples.split("\n{").length};
});

const nowhere = { clusterId: "cls-00000000" };
const message = ({ message }) => message;
export const refusals = examples.apply(() =>
  Promise.all([platform.getCluster(nowhere).catch(message), runtime.invoke(token("getCluster"), nowhere).catch(message)]),
);

const singapore = new Provider("singapore", { endpoint: "local", region: "ap-singapore" });
const ashburn = new Provider("ashburn", { endpoint: "local", region: "na-ashburn" });
const late = new Provider("late", { endpoint: "local", region: vpcId.apply(() => "na-ashburn") });
const away = new Vpc("away", { cidrBlock: "10.0.0.0/16" }, { provider: singapore });
const names = (zones) => zones.map(({ zone }) => zone).join(" ");
export const zones = {
  home: platform.getZones().then(names),
  all: platform.getZones({ all: true }).then(names),
  provider: platform.getZones({}, { provider: singapore }).then(names),
  providerFirst: platform.getZones({}, { provider: ashburn, parent: away }).then(names),
  parent: platform.getZonesOutput({}, { parent: away }).apply(names),
  stack: platform.getZonesOutput({}, { parent: pool }).apply(names),
  lateOutput: platform.getZonesOutput({}, { provider: late }).apply(names),
  latePromise: platform.getZones({}, { provider: late }).then(names, ({ message }) => message),
};
`;

const records = z.record(z.string(), z.unknown());
const secret = z.object({ plaintext: z.string() }).transform(({ plaintext }) => String(JSON.parse(plaintext)));
const sentences = z.object({ plaintext: z.string() }).transform(({ plaintext }) => z.array(z.string()).parse(JSON.parse(plaintext)));
const resource = z.object({ urn: z.string(), dependencies: z.array(z.string()).optional(), outputs: records.optional() });
const state = z.object({ deployment: z.object({ resources: z.array(resource) }) });
const results = z.object({
  promises: records,
  outputs: z.looseObject({ getKubeconfig: secret }),
  // All that it answers is a secret.
  natives: z.looseObject({
    getKubeconfig: z.object({ plaintext: z.string() }).transform(({ plaintext }): unknown => JSON.parse(plaintext)),
  }),
  zones: z.record(z.string(), z.string()),
  kubeconfig: secret,
  refusals: sentences,
  // They come after what has secrets.
  examples: secret,
});

test("every function reads what its arguments say, as a promise and for Outputs, in the place that its options say", async () => {
  await using stack = await Stack.create({ program, plugin: true });
  await putKeyPair(stack.world, { region: "eu-frankfurt", name: "ops" });
  const preview = await stack.preview();
  const reads = () => stack.calls().map(({ action }) => action);
  // All other functions need ids that only the creation gives. The checks of new resources read what is offered, and what is there.
  const ofChecks = [
    "GetResources",
    "DescribeClusters",
    "CheckInstanceName",
    "DescribeDiskConfigQuota",
    "DescribeVpcs",
    "DescribeZoneInstanceConfigInfos",
  ];
  expect(new Set(reads())).toEqual(new Set(["DescribeZones", ...ofChecks]));
  const cannotYet = "getZones cannot read yet: the settings of its Provider are known after `pulumi up` only; use getZonesOutput";
  expect(preview.output).toContain(cannotYet);
  expect(preview.output).toMatch(/lateOutput *: (output<string>|\[unknown\])/);

  await stack.up();
  const { resources } = state.parse(JSON.parse((await stack.ok("stack", "export", "--show-secrets")).stdout)).deployment;
  const told = results.parse(resources.find(({ urn }) => urn.includes("pulumi:pulumi:Stack"))?.outputs);
  expect(told.zones).toEqual({
    home: zonesOf("eu-frankfurt", 1, 2, 3),
    all: zonesOf("eu-frankfurt", 1, 2, 3, 4),
    provider: zonesOf("ap-singapore", 1, 2, 3),
    providerFirst: zonesOf("na-ashburn", 1, 2, 3),
    parent: zonesOf("ap-singapore", 1, 2, 3),
    stack: zonesOf("eu-frankfurt", 1, 2, 3),
    lateOutput: zonesOf("na-ashburn", 1, 2, 3),
    latePromise: zonesOf("na-ashburn", 1, 2, 3),
  });
  expect(
    Object.keys(told.promises)
      .flatMap((name) => [name, `${name}Output`])
      .toSorted(),
  ).toEqual(functions.toSorted());
  expect(told.examples).toBe(String(functions.length / 2));
  expect(told.outputs).toEqual(told.promises);
  // A list or a text is a property of the answer there, called after the function.
  const natively = Object.entries(told.promises).map(([name, answer]) => {
    const called = name.replace(/^get|^lookUp/, "").replace(/^./, (first) => first.toLowerCase());
    return [name, typeof answer === "object" && !Array.isArray(answer) ? answer : { [called]: answer }];
  });
  expect(told.natives).toEqual(Object.fromEntries(natively));
  expect(told.promises).toMatchObject({
    getCluster: { clusterName: expect.stringMatching(/^home-/), clusterState: "Running" },
    getClusterInstances: [{ instanceState: "running" }],
    getClusterStatus: { clusterState: "Running" },
    getClusterVersions: [],
    getClusters: [{ clusterStatus: "Running" }],
    getDiskTypes: ["CLOUD_PREMIUM", "CLOUD_BSSD", "CLOUD_SSD", "CLOUD_HSSD"].map((diskType) => ({ diskType, diskUsage: "SYSTEM_DISK" })),
    getImages: [],
    getKeyPairs: [{ keyName: "ops" }],
    getNamespaces: [{ name: "team" }],
    getNodePools: [{ name: expect.stringMatching(/^home-/), native: { instanceTypes: ["SA5.MEDIUM4"] } }],
    getOsImages: [{ osName: "ubuntu22.04x86_64" }, { osName: "ubuntu24.04x86_64" }, { osName: "tlinux3.1x86_64" }],
    getRegions: [{ regionName: "eu-frankfurt" }, { regionName: "ap-singapore" }, { regionName: "na-ashburn" }],
    getRegistries: [{ registryName: "acme-images", status: "Running" }],
    getRepositories: [{ name: "team/web" }],
    getSubnets: [{ cidrBlock: "10.0.240.0/24" }],
    getTasks: [{ lifeState: "done" }],
    getUserPermissions: [],
    getVpcs: [{ cidrBlock: "10.0.0.0/16" }],
    getZones: [{}, {}, {}],
    lookUpEvents: [{ eventName: "CreateVpc" }],
  });
  const types = z.array(z.object({ instanceType: z.string(), zone: z.string() })).parse(told.promises["getInstanceTypes"]);
  expect(types.map(({ instanceType }) => instanceType)).toEqual(expect.arrayContaining(["S5.MEDIUM4", "SA5.MEDIUM4"]));
  expect(types.filter(({ instanceType }) => /^(SA2|GN7)/.test(instanceType))).toEqual([]);
  expect(new Set(types.map(({ instanceType }) => instanceType)).size).toBe(types.length);

  const refusal = "getCluster: there is no cluster cls-00000000 in eu-frankfurt [Provider.NotFound]";
  expect(told.refusals).toEqual([refusal, expect.stringContaining(refusal)]);
  // Each that asks for it, once: the promise, the Outputs, the plugin, and the example of the page.
  expect(reads().filter((action) => action === "DescribeClusterKubeconfig")).toHaveLength(5);
  expect(told.kubeconfig).toContain("apiVersion: v1");
  const after = resources.find(({ urn }) => urn.endsWith("SecurityGroup::after"));
  expect(after?.dependencies).toEqual([expect.stringMatching(/:Cluster::home$/)]);

  // Without a program and a state: what the engine lists is what there is.
  const place = ["--container-platform:endpoint", `local:${stack.worldFile}`, "--container-platform:region", "eu-frankfurt"];
  const env = { ...stack.environment, PULUMI_EXPERIMENTAL: "true" };
  const listing = ["do", "--package", executable, "container-platform:index:Subnet", "list", "--all", "--vpc-id"];
  const list = (vpcId: string) => new Run([...listing, vpcId, ...place], { folder: stack.folder, env, seconds: 120 }).ended;
  const [home] = z.tuple([z.looseObject({ vpcId: z.string() })]).parse(told.promises["getVpcs"]);
  const { subnetSet } = await stack.cloud().call(describeSubnets, { filters: [{ name: "vpc-id", values: [home.vpcId] }] });
  expect(JSON.parse((await list(home.vpcId)).stdout)).toEqual(
    subnetSet.map(({ subnetId: id, subnetName: name }) => ({ id, name })).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  );
  expect(JSON.parse((await list("vpc-00000000")).stdout)).toEqual([]);
});
