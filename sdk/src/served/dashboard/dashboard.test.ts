import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCluster, createNodePool } from "../../catalogue/cluster.ts";
import { createVpc, describeVpcs } from "../../catalogue/vpc.ts";
import { makeEverything } from "../../cli/everything.fixture.ts";
import { Cloud } from "../../client/client.ts";
import { putAccount } from "../../local/accounts/accounts.ts";
import { stage } from "../../local/cluster/stage.fixture.ts";
import { Faults } from "../../local/faults/faults.ts";
import { LocalPlatform } from "../../local/platform.ts";
import { vpcs } from "../../local/vpc/tables.ts";
import { World } from "../../local/store/world.ts";
import { scratch } from "../../scratch.fixture.ts";
import { shownOf } from "./dashboard.ts";

const ready = (name: string) => ({ name, meaning: "ready", reason: undefined });
const region = "eu-frankfurt";

/** A world that is closed when the test has finished, and a client of each of its accounts. */
function opened(file = ":memory:") {
  const world = World.open(file, { timeScale: "instant", seed: "dashboard" });
  onTestFinished(() => world.close());
  const cloudOf = (uin = world.account, at = region) =>
    new Cloud({ transport: new LocalPlatform(world, { uin }), region: at, retries: { attempts: 1, pause: 0, longest: 0 } });
  const makeVpc = (vpcName: string, cloud = cloudOf()) => cloud.call(createVpc, { vpcName, cidrBlock: "10.0.0.0/16" });
  return { world, cloudOf, makeVpc };
}

test("an empty world has a clock, and nothing else", async () => {
  const { world } = opened();
  await world.transaction(() => world.freeze(1000));
  expect(await shownOf(world)).toEqual({ clock: { time: 1000, isFrozen: true, timeScale: "instant" }, places: [], calls: [] });
});

test("a world is told with its networks, clusters and registries", async () => {
  const file = join(scratch(), "world.db");
  const place = await makeEverything(file);
  const { world } = opened(file);
  const ports = [
    { registryId: place.registryId, standpoint: "internet", address: "127.0.0.1:41001" },
    { registryId: place.otherRegistryId, standpoint: "internet", address: "127.0.0.1:41002" },
  ];
  const { places, calls } = await shownOf(world, ports);
  expect(places.map(({ account, region }) => [account, region])).toEqual([[world.account, "eu-frankfurt"]]);
  const [{ networks, clusters, registries } = { networks: undefined, clusters: undefined, registries: undefined }] = places;
  expect(networks?.items.map(({ name, cidrBlock, subnets }) => [name, cidrBlock, subnets.items.length])).toEqual([
    ["net", "10.0.0.0/16", 3],
    ["net", "10.1.0.0/16", 0],
    ["net", "10.2.0.0/16", 0],
  ]);
  expect(networks?.items[0]?.subnets.items[1]).toEqual({
    id: place.podSubnetId,
    name: "part",
    zone: "eu-frankfurt-1",
    cidrBlock: "10.0.1.0/24",
    ipv6CidrBlock: place.ipv6SubnetCidrBlock,
  });
  const cluster = clusters?.items.find(({ id }) => id === place.clusterId);
  expect(cluster).toMatchObject({ name: "one", version: "1.32.2", vpcId: place.vpcId, isDualStack: false, state: ready("Running") });
  expect(cluster?.pools.items.map(({ name, replicas }) => [name, replicas])).toEqual([
    ["workers", 2],
    ["outside", 1],
  ]);
  expect(cluster?.nodes.items.find(({ id }) => id === place.nodeId)).toEqual({
    id: place.nodeId,
    name: expect.stringContaining(place.nodePoolId),
    poolId: place.nodePoolId,
    subnetId: place.subnetId,
    zone: "eu-frankfurt-1",
    address: expect.stringMatching(/^10\.0\.0\.\d+$/),
    instanceType: "SA5.MEDIUM4",
    state: ready("running"),
  });
  expect(cluster?.endpoints.items).toEqual([
    { from: "internet", address: expect.stringMatching(/^(203\.0\.113|198\.51\.100|192\.0\.2)\./), state: ready("Created") },
  ]);
  const registry = registries?.items.find(({ id }) => id === place.registryId);
  expect(registry).toMatchObject({
    name: "acme-images",
    type: "premium",
    state: ready("Running"),
    publicAccess: ready("Opened"),
    ports: [{ standpoint: "internet", address: "127.0.0.1:41001" }],
    connections: { items: [{ vpcId: place.vpcId, address: place.address, state: ready("Running") }] },
    namespaces: {
      items: [
        { name: "team", isPublic: false },
        { name: "spare", isPublic: false },
      ],
    },
  });
  expect(registry?.repositories.items).toEqual([
    { namespace: "team", name: "web", images: { items: [expect.objectContaining({ tag: "1.0.0" })], more: 0 } },
    { namespace: "team", name: "empty", images: { items: [], more: 0 } },
  ]);
  expect(calls.find(({ isWrite }) => isWrite)).toMatchObject({ user: expect.any(String), product: "vpc", code: "" });
});

test("states are told with what they mean, and why; they move with the world's clock", async () => {
  const { world, cloud, vpcId, subnetId, settings } = await stage();
  onTestFinished(() => world.close());
  const { clusterId } = await cloud.call(createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" } });
  const cluster = async () => (await shownOf(world)).places[0]?.clusters.items[0];
  expect((await cluster())?.state).toEqual({ name: "Creating", meaning: "pending", reason: undefined });
  world.advance(3000);
  expect((await cluster())?.state).toEqual(ready("Running"));
  new Faults(world).add({ resourceType: "node", endState: "failed", reason: "out of stock" });
  await cloud.call(createNodePool, { clusterId, name: "p", type: "Native", native: { ...settings, replicas: 2 } });
  expect((await cluster())?.nodes.items.map(({ state }) => state.name)).toEqual(["initializing", "initializing"]);
  world.advance(10_000);
  expect((await cluster())?.nodes.items.map(({ state }) => state)).toEqual([
    { name: "failed", meaning: "failed", reason: "out of stock" },
    ready("running"),
  ]);
});

test("each account has its own places, and what was refused is told with its code", async () => {
  const { world, cloudOf, makeVpc } = opened();
  const other = await putAccount(world, { name: "other" });
  await makeVpc("ours", cloudOf(world.account, "na-ashburn"));
  await makeVpc("theirs", cloudOf(other, "ap-singapore"));
  await expect(makeVpc("again", cloudOf(other, "ap-singapore"))).rejects.toThrow();
  const { places, calls } = await shownOf(world);
  expect(places.map(({ account, region, networks }) => [account, region, networks.items[0]?.name])).toEqual([
    [world.account, "na-ashburn", "ours"],
    [other, "ap-singapore", "theirs"],
  ]);
  expect(calls.map(({ user, region, action, names, code }) => [user, region, action, names[0], code])).toEqual([
    ["other", "ap-singapore", "CreateVpc", "again", "InvalidParameter.VpcCidrConflict"],
    ["other", "ap-singapore", "CreateVpc", "theirs", ""],
    [expect.any(String), "na-ashburn", "CreateVpc", "ours", ""],
  ]);
});

test("many reads do not hide the writes before them, and looking is no call", async () => {
  const { world, cloudOf, makeVpc } = opened();
  await makeVpc("a");
  for (let read = 0; read < 120; read++) await cloudOf().transport.send({ ...describeVpcs, region, body: {} });
  const count = () => world.prepare("SELECT count(*) AS count FROM audit").get();
  const before = count();
  const { calls } = await shownOf(world);
  expect(calls.map(({ action }) => action)).toEqual([...Array.from({ length: 50 }, () => "DescribeVpcs"), "CreateVpc"]);
  expect(count()).toEqual(before);
});

test("names of products do not break in the list of calls", () => {
  const style = readFileSync(join(import.meta.dirname, "page", "style.css"), "utf8");
  expect(style).toMatch(/^\.action \.kind \{[^}]*white-space: nowrap;/m);
});

test("a very large world is told in part, quickly, with how much is left out", async () => {
  const { world, makeVpc } = opened();
  const { vpc } = await makeVpc("a");
  await world.transaction(() => {
    const rows = world.rows(vpcs, region);
    const row = rows.get(vpc.vpcId);
    if (row) for (let number = 0; number < 20_000; number++) rows.insert({ ...row, id: `vpc-${number}` });
  });
  const shown = await shownOf(world);
  const networks = shown.places[0]?.networks;
  expect([networks?.items.length, networks?.more]).toEqual([100, 19_901]);
  expect(JSON.stringify(shown).length).toBeLessThan(100_000);
});
