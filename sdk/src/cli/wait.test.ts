import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { stage } from "../local/cluster/stage.fixture.ts";
import { endOf, expectTold, ownWorld, type Told, User } from "./user.fixture.ts";

/** A user whose world has a cluster that is being made, in a clock that stands still. */
async function creating() {
  const user = new User(ownWorld);
  const on = await stage({ file: user.at("world.db") });
  onTestFinished(() => on.world.close());
  return { user, ...on, clusterId: await on.create() };
}

test("each new state is told, and nothing is printed as data", async () => {
  const { user, world, clusterId } = await creating();
  const child = user.start("wait", "cluster", clusterId);
  const ended = endOf(child);
  await once(child.stderr, "data");
  await world.transaction(() => world.advance(3000));
  const { code, stdout, stderr } = await ended;
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toMatch(new RegExp(`^cpcli: cluster ${clusterId} is Creating\ncpcli: cluster ${clusterId} is Running, after \\S+ s\n$`));
});

test("a terminal has one line, which is written again and goes", async () => {
  const { user, world, clusterId } = await creating();
  const child = user.startAtTerminal("wait", "cluster", clusterId, "--interval", "0.1");
  const ended = endOf(child);
  let shown = "";
  child.stdout.on("data", (text: string) => (shown += text));
  while (!shown.includes(", 1 s")) await once(child.stdout, "data");
  await world.transaction(() => world.advance(3000));
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  const [line = "", ...others] = stdout.trimEnd().split("\n");
  expect(others).toEqual([]);
  const parts = line.split("\r").map((part) => part.replace("\u001B[K", ""));
  expect(parts.slice(1, -1).every((part) => part === "" || part.startsWith(`cluster ${clusterId}: Creating, `))).toBe(true);
  expect(parts.at(-1)).toMatch(new RegExp(`^cpcli: cluster ${clusterId} is Running, after `));
});

test.each(["start", "startAtTerminal"] as const)("Control-C ends it at once, and tells the state (%s)", async (way) => {
  const { user, clusterId } = await creating();
  const child = user[way]("wait", "cluster", clusterId);
  const ended = endOf(child);
  await once(way === "start" ? child.stderr : child.stdout, "data");
  if (way === "start") child.kill("SIGINT");
  else child.stdin.write("\u0003");
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(130);
  expect(stdout + stderr).toContain(`cpcli: interrupted: cluster ${clusterId} is Creating`);
});

test("a deletion can be waited for", async () => {
  const { user, world, clusterId } = await creating();
  const done = await user.run("cluster", "DeleteCluster", "--ClusterId", clusterId, "--InstanceDeleteMode", "terminate");
  expect(done.code).toBe(0);
  await world.transaction(() => world.advance(3000));
  expect(await user.run("wait", "cluster", clusterId, "--for", "gone")).toEqual({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(new RegExp(`^cpcli: cluster ${clusterId} is gone, after `)),
  });
});

test("an id that does not exist ends it after a short while, or after the time that was asked for", async () => {
  const { user } = await creating();
  const begun = performance.now();
  const { code, stderr } = await user.run("wait", "cluster", "cls-00000000", "--interval", "0.1", "--appears", "0.5");
  expect(performance.now() - begun).toBeLessThan(20_000);
  expect(code).toBe(255);
  expect(stderr).toMatch(
    /^cpcli: cluster cls-00000000 is not listed yet\ncpcli: there is no cluster cls-00000000 in eu-frankfurt: look at its id and its region\. If it was created just now, wait longer for it: --appears 60\n$/,
  );
});

test.each<Told>([
  ["--help", 0, /^Usage: cpcli wait <resource> <id> \[options\]\n[^]*Resources, and the form of their IDs:\n {2}cluster /],
  ["cluster", 252, /^cpcli: cpcli wait takes <id>\n/],
  ["clusters cls-1", 252, /^cpcli: cpcli wait does not know what a clusters is\nMaybe you meant cluster\.\n$/],
  ["disk disk-1", 252, /\nThere are cluster, node-pool, node, cluster-endpoint, registry, registry-endpoint\.\n$/],
  ["node-pool np-1", 252, /^cpcli: np-1 is no id of a node-pool: it looks like cls-3f8a0c1e\/np-3f8a0c1e\n$/],
  ["cluster vpc-1", 252, /^cpcli: vpc-1 is no id of a cluster: it looks like cls-3f8a0c1e\n$/],
  ["cluster cls-1 --for ever", 252, /^cpcli: --for is ever; it takes ready or gone\n$/],
  ["cluster cls-1 --appears 0", 252, /^cpcli: --appears is 0; it takes seconds, more than 0 and at most 86400\n$/],
  ["cluster cls-1 --within 0", 252, /^cpcli: --within is 0; it takes seconds, more than 0 and at most 86400\n$/],
  ["cluster cls-00000000 --within 0.1", 255, /gave up after 0\.1 s: cluster cls-00000000 is not listed yet\n$/],
])("cpcli wait %s", async (line, code, says) => {
  await expectTold((await creating()).user, `wait ${line}`, code, says);
});
