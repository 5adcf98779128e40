import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { Cloud, connect, contains } from "@container-platform/sdk";
import { lookUpEvents } from "@container-platform/sdk/audit";
import { describeClusters, describeClusterStatus } from "@container-platform/sdk/cluster";
import { putImage, transferComplaintOf, World } from "@container-platform/sdk/local";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { scratch } from "../../sdk/src/scratch.fixture.ts";
import { endOf, type Ended } from "../../sdk/src/cli/user.fixture.ts";
import { root } from "../support/compiler.ts";
import { ServerProcess } from "../support/server-process.ts";

/** The scripts of `examples/cli`, as a user runs them: in a shell of their own, with `cpcli` on the path. */

const region = "eu-frankfurt";

interface Place {
  readonly world: World;
  readonly cloud: Cloud;
  run(script: string, ...args: string[]): Promise<Ended>;
}

type Reaching = (file: string, environment: NodeJS.ProcessEnv) => Promise<NodeJS.ProcessEnv>;

const inFile: Reaching = (file) => Promise.resolve({ CONTAINER_PLATFORM_ENDPOINT: `local:${file}` });

const overHttp: Reaching = async (file, env) => {
  const server = await ServerProcess.start([join(root, "sdk/bin/cpcli.cjs"), "serve", "--db", file], { env });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    CONTAINER_PLATFORM_ENDPOINT: server.address,
    CONTAINER_PLATFORM_CREDENTIAL_PROCESS: `cpcli credentials --db "${file}"`,
  };
};

/** Operations take time there. */
async function placeFor(reaching: Reaching): Promise<Place> {
  const folder = scratch();
  const file = join(folder, "world.db");
  const world = World.open(file, { timeScale: "fast", seed: "scripts" });
  const transport = await connect(`local:${file}`);
  onTestFinished(async () => {
    await transport.close();
    world.close();
  });
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const bare = { PATH: path, HOME: folder, CONTAINER_PLATFORM_REGION: region };
  const env = { ...bare, ...(await reaching(file, bare)) };
  return {
    world,
    cloud: new Cloud({ transport, region }),
    run: (script, ...args) => endOf(spawn(join(root, "examples/cli", script), args, { env, stdio: ["ignore", "pipe", "pipe"] })),
  };
}

/** The writing calls of the scripts, in order. */
async function writes({ cloud, world }: Place, since = 0): Promise<string[]> {
  const lookupAttributes = [{ attributeKey: "ReadOnly", attributeValue: "false" }];
  const { events } = await cloud.call(lookUpEvents, { startTime: 0, endTime: Math.ceil(world.now() / 1000) + 1, lookupAttributes });
  return events
    .map(({ eventName }) => eventName)
    .reverse()
    .slice(since);
}

async function networkIn({ cloud }: Place): Promise<{ vpcId: string; subnetId: string }> {
  const { vpcId } = (await cloud.call(vpc.createVpc, { vpcName: "platform", cidrBlock: "10.0.0.0/16" })).vpc;
  const asked = { vpcId, subnetName: "nodes", cidrBlock: "10.0.0.0/20", zone: `${region}-1` };
  return { vpcId, subnetId: (await cloud.call(vpc.createSubnet, asked)).subnet.subnetId };
}

/** A registry. Where operations take time, it is not Running yet. */
async function registryIn({ cloud }: Place): Promise<string> {
  return (await cloud.call(registry.createInstance, { registryName: "acme-images", registryType: "basic" })).registryId;
}

const secretForm = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Secret"),
  metadata: z.strictObject({ name: z.string() }),
  type: z.literal("kubernetes.io/dockerconfigjson"),
  stringData: z.strictObject({ ".dockerconfigjson": z.string() }),
});
const configForm = z.strictObject({ auths: z.record(z.string(), z.strictObject({ username: z.string(), password: z.string() })) });
const deploymentForm = z.object({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("Deployment"),
  spec: z.object({
    template: z.object({
      spec: z.object({
        imagePullSecrets: z.tuple([z.object({ name: z.string() })]),
        containers: z.tuple([z.object({ image: z.string() })]),
      }),
    }),
  }),
});

/** The image in the printed manifests, its server, and the user that logs in there. */
function manifestsIn(printed: string) {
  const [secret, deployment, ...others] = parseAllDocuments(printed).map((document) => z.unknown().parse(document.toJS()));
  expect(others).toEqual([]);
  const { metadata, stringData } = secretForm.parse(secret);
  const { imagePullSecrets, containers } = deploymentForm.parse(deployment).spec.template.spec;
  expect(imagePullSecrets).toEqual([metadata]);
  const logins = Object.entries(configForm.parse(JSON.parse(stringData[".dockerconfigjson"])).auths);
  const [[server, user]] = z.tuple([z.tuple([z.string(), z.object({ username: z.string(), password: z.string() })])]).parse(logins);
  return { image: containers[0].image, server, user };
}

test("dual-stack.sh makes a dual-stack cluster in the order of the specification", async () => {
  const place = await placeFor(inFile);
  const { cloud } = place;
  const { code, stdout, stderr } = await place.run("dual-stack.sh", "blue");
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("rror")]);

  const [net] = (await cloud.call(vpc.describeVpcs, {})).vpcSet;
  const [subnet] = (await cloud.call(vpc.describeSubnets, {})).subnetSet;
  const [cluster] = (await cloud.call(describeClusters, {})).clusters;
  expect(net).toMatchObject({ vpcName: "blue", ipv6CidrBlock: expect.stringMatching(/\/56$/) });
  expect(subnet).toMatchObject({ vpcId: net?.vpcId, ipv6SubnetCidrBlock: expect.stringMatching(/\/64$/) });
  expect(contains(net?.ipv6CidrBlock ?? "", subnet?.ipv6SubnetCidrBlock ?? "")).toBe(true);
  expect(cluster).toMatchObject({
    clusterName: "blue",
    clusterNetworkSettings: { vpcId: net?.vpcId, subnetId: subnet?.subnetId, isDualStack: true, subnets: [subnet?.subnetId] },
  });
  expect(stdout).toBe(`${cluster?.clusterId ?? ""}\n`);
  const [state] = (await cloud.call(describeClusterStatus, {})).clusterStatusSet;
  expect(state).toMatchObject({ clusterState: "Running" });
  expect(await writes(place)).toEqual(["CreateVpc", "AssignIpv6CidrBlock", "CreateSubnet", "AssignIpv6SubnetCidrBlock", "CreateCluster"]);
});

test("pull-images.sh lets a cluster pull inside of its VPC, the first time and again, over HTTP", async () => {
  const place = await placeFor(overHttp);
  const { world, cloud } = place;
  const { vpcId, subnetId } = await networkIn(place);
  const registryId = await registryIn(place);
  const before = (await writes(place)).length;
  const first = await place.run("pull-images.sh", registryId, "team/web:1.0", vpcId, subnetId);
  expect([first.code, first.stderr]).toEqual([0, expect.not.stringContaining("rror")]);
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "team", isPublic: false });
  await putImage(world, { region, registryId, namespace: "team", repository: "web", version: "1.0" });
  const again = await place.run("pull-images.sh", registryId, "team/web:1.0", vpcId, subnetId);

  const { internalEndpoint, totalCount } = await cloud.call(registry.describeInternalEndpoints, { registryId });
  const [record] = (await cloud.call(registry.describeInstances, { registryIds: [registryId] })).registries;
  for (const { stdout, stderr } of [first, again]) {
    const { image, server, user } = manifestsIn(stdout);
    expect(image).toBe(`${server}/team/web:1.0`);
    expect([record?.publicDomain, ...internalEndpoint]).not.toContain(server);
    expect(stderr).not.toContain(user.password);
    const desired = { server, user, doing: "pull", namespace: "team", repository: "web", version: "1.0" } as const;
    expect(transferComplaintOf(world, { ...desired, from: { region, vpcId } })).toBeUndefined();
    expect(transferComplaintOf(world, { ...desired, from: { clientIp: "203.0.113.7" } })).toBe("timeout");
  }
  expect(totalCount).toBe(1);
  const [connected, named, token] = ["ManageInternalEndpoint", "CreateInternalEndpointDns", "CreateInstanceToken"];
  expect(await writes(place, before)).toEqual([connected, named, token, "CreateNamespace", named, token]);
});

test("pull-images.sh lets a cluster pull over the internet where that is open", async () => {
  const place = await placeFor(inFile);
  const { world, cloud } = place;
  const registryId = await registryIn(place);
  const closed = await place.run("pull-images.sh", registryId, "team/web:1.0");
  expect(closed).toMatchObject({ code: 1, stdout: "" });
  expect(closed.stderr).toContain(`the public endpoint of ${registryId} is Closed: open it`);
  expect(await writes(place)).toEqual(["CreateInstance"]);

  await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  await world.transaction(() => {
    world.advance(60_000);
  });
  await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.7/32", description: "office" });
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "team", isPublic: false });
  await putImage(world, { region, registryId, namespace: "team", repository: "web", version: "1.0" });
  const { code, stdout, stderr } = await place.run("pull-images.sh", registryId, "team/web:1.0");
  expect([code, stderr]).toEqual([0, expect.stringContaining("costs a fee for the traffic")]);
  const { image, server, user } = manifestsIn(stdout);
  const [record] = (await cloud.call(registry.describeInstances, { registryIds: [registryId] })).registries;
  expect([image, server]).toEqual([`${record?.publicDomain ?? ""}/team/web:1.0`, record?.publicDomain]);
  const desired = { server, user, doing: "pull", namespace: "team", repository: "web", version: "1.0" } as const;
  expect(transferComplaintOf(world, { ...desired, from: { clientIp: "203.0.113.7" } })).toBeUndefined();
});

test("a script ends at the first call that is refused", async () => {
  const place = await placeFor(inFile);
  await networkIn(place);
  const refused = await place.run("dual-stack.sh");
  expect(refused).toMatchObject({ code: 254, stdout: "" });
  expect(refused.stderr).toContain("code:InvalidParameter.VpcCidrConflict");
  expect(await writes(place)).toEqual(["CreateVpc", "CreateSubnet", "CreateVpc"]);
  const missing = await place.run("pull-images.sh", "tcr-00000000", "team/web:1.0");
  expect(missing).toMatchObject({ code: 255, stdout: "", stderr: expect.stringContaining("tcr-00000000") });
});
