import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { stage } from "../../local/cluster/stage.fixture.ts";
import { World } from "../../local/store/world.ts";
import { endOf, ownWorld, User } from "../user.fixture.ts";
import { waiterFrom, conditionFrom } from "./waiter.ts";

test.each([
  [`{'expr':'Set[0].State','to':'RUNNING'}`, "Set[0].State", "RUNNING", 180, 5],
  [`{"expr": "Set[0].State", "to": "RUNNING", "timeout": 10, "interval": 0.5}`, "Set[0].State", "RUNNING", 10, 0.5],
  [`{'expr': "Set[?Id=='a'].Up | [0]", 'to': True, 'timeout': 3}`, "Set[?Id=='a'].Up | [0]", true, 3, 3],
  [`{'expr': 'Set[?Id==\\'a\\']', 'to': None}`, "Set[?Id=='a']", null, 180, 5],
  [`{'expr': 'True', 'to': 2}`, "True", 2, 180, 5],
  [`{'expr': '"a\\\\nb"', 'to': []}`, '"a\\nb"', [], 180, 5],
])("--waiter %s", (given, expression, to, timeoutSeconds, intervalSeconds) => {
  expect(conditionFrom(given)).toMatchObject({ expression, to, timeoutSeconds, intervalSeconds });
});

test.each([
  ["", /^--waiter takes \{"expr": .*\}, not $/],
  ["Set[0]", /^--waiter takes \{"expr": .*\}, not Set\[0\]$/],
  ["['expr']", /^--waiter takes/],
  ["__import__('os').system('touch evaluated')", /^--waiter takes/],
  ["{'expr': str(1), 'to': 2}", /^--waiter takes/],
  ["{'to': 'RUNNING'}", /^`expr` in `--waiter` must be defined$/],
  ["{'expr': 'State'}", /^`to` in `--waiter` must be defined$/],
  ["{'expr': 'State', 'to': 1, 'timeout': '5'}", /^`timeout` in `--waiter` is a number of seconds, not 5$/],
  ["{'expr': 'State', 'to': 1, 'interval': -1}", /^`interval` in `--waiter` is a number of seconds, not -1$/],
  ["{'expr': 'State', 'to': 1, 'delay': 1}", /, and no delay$/],
  ["{'expr': 'State[', 'to': 1}", /^Invalid jmespath expression: Incomplete expression:\n"State\["\n {7}\^$/],
])("--waiter %s is refused", (given, says) => {
  expect(() => waiterFrom(given)).toThrow(says);
});

test("a call is made again until its answer has the value", async () => {
  const user = new User(ownWorld);
  const world = World.open(user.at("world.db"), { timeScale: "realistic" });
  onTestFinished(() => world.close());
  const expr = "Registries[0].Status";
  const waiting = (condition: object) =>
    user.start("registry", "DescribeInstances", "--filter", expr, "--output", "text", "--waiter", JSON.stringify({ expr, ...condition }));
  const made = ["registry", "CreateInstance", "--RegistryName", "images", "--RegistryType", "basic", "--filter", "type(RegistryId)"];
  expect(await user.run(...made)).toEqual({ code: 0, stdout: '"string"\n', stderr: "" });
  const stderr = "cpcli: Request timeout, wait `Registries[0].Status` to `Running` timeout, last request is Pending\n";
  expect(await endOf(waiting({ to: "Running", timeout: 0 }))).toEqual({ code: 255, stdout: "", stderr });

  const child = waiting({ to: "Running", timeout: 600, interval: 0.05 });
  const [said] = (await once(child.stderr, "data")) as [Buffer];
  expect(said.toString()).toBe("cpcli: Inquiry result is Pending.\n");
  await world.transaction(() => world.advance(3_600_000));
  expect(await endOf(child)).toEqual({ code: 0, stdout: "Running\n", stderr: "" });
});

test("what is secret is not told", async () => {
  const user = new User(ownWorld);
  const { world, running } = await stage({ file: user.at("world.db") });
  onTestFinished(() => world.close());
  const clusterId = await running();
  const secret = JSON.stringify({ expr: "[RequestId, Kubeconfig]", to: "", timeout: 0 });
  const { code, stderr } = await user.run("cluster", "DescribeClusterKubeconfig", "--ClusterId", clusterId, "--waiter", secret);
  expect([code, stderr]).toEqual([255, expect.stringMatching(/ timeout, last request is a secret\n$/)]);
});

test("a call that has its effect each time is not made again and again", async () => {
  const creation = ["vpc", "CreateVpc", "--VpcName", "a", "--CidrBlock", "10.0.0.0/16"];
  expect(await new User().run(...creation, "--waiter", "{'expr':'A','to':1}")).toEqual({
    code: 252,
    stdout: "",
    stderr:
      "cpcli: --waiter makes a call again and again, and CreateVpc has its effect each time\n" +
      "Wait with an action that reads, or with `cpcli wait`.\n",
  });
});
