import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { stage } from "../../local/cluster/stage.fixture.ts";
import { World } from "../../local/store/world.ts";
import { User } from "../user.fixture.ts";
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
  const folder = mkdtempSync(join(tmpdir(), "cpcli-waiter-"));
  const world = World.open(join(folder, "world.db"), { pace: "realistic" });
  onTestFinished(() => {
    world.close();
    rmSync(folder, { recursive: true });
  });
  const cpcli = (...args: string[]): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } => {
    const place = ["--endpoint", `local:${join(folder, "world.db")}`, "--region", "eu-frankfurt"];
    return spawn(process.execPath, [join(import.meta.dirname, "..", "main.ts"), "registry", ...args, ...place], {
      stdio: ["ignore", "pipe", "pipe"],
    });
  };
  const ended = async (child: ReturnType<typeof cpcli>): Promise<unknown[]> =>
    Promise.all([once(child, "exit").then(([code]: unknown[]) => code), text(child.stdout), text(child.stderr)]);
  const waiting = (condition: object): ReturnType<typeof cpcli> =>
    cpcli("DescribeInstances", "--filter", "Registries[0].Status", "--output", "text", "--waiter", JSON.stringify(condition));

  const name = ["--RegistryName", "images", "--RegistryType", "basic"];
  expect(await ended(cpcli("CreateInstance", ...name, "--filter", "type(RegistryId)"))).toEqual([0, '"string"\n', ""]);
  const expr = "Registries[0].Status";
  const says = "cpcli: Request timeout, wait `Registries[0].Status` to `Running` timeout, last request is Pending\n";
  expect(await ended(waiting({ expr, to: "Running", timeout: 0 }))).toEqual([255, "", says]);

  const child = waiting({ expr, to: "Running", timeout: 600, interval: 0.05 });
  const [said] = (await once(child.stderr, "data")) as [Buffer];
  expect(said.toString()).toBe("cpcli: Inquiry result is Pending.\n");
  await world.transaction(() => {
    world.advance(3_600_000);
  });
  expect(await ended(child)).toEqual([0, "Running\n", ""]);
});

test("what is secret is not told", async () => {
  const user = new User({ CONTAINER_PLATFORM_REGION: "eu-frankfurt" });
  const { world, running } = await stage({ file: user.at("world.db") });
  onTestFinished(() => world.close());
  const clusterId = await running();
  const secret = JSON.stringify({ expr: "[RequestId, Kubeconfig]", to: "", timeout: 0 });
  const place = ["--endpoint", `local:${user.at("world.db")}`, "--ClusterId", clusterId];
  const { code, stderr } = await user.run("cluster", "DescribeClusterKubeconfig", ...place, "--waiter", secret);
  expect([code, stderr]).toEqual([255, expect.stringMatching(/ timeout, last request is a secret\n$/)]);
});

test("a call that has its effect each time is not made again and again", async () => {
  const refused = await new User().run(
    "vpc",
    "CreateVpc",
    "--VpcName",
    "a",
    "--CidrBlock",
    "10.0.0.0/16",
    "--waiter",
    "{'expr':'A','to':1}",
  );
  expect(refused).toEqual({
    code: 252,
    stdout: "",
    stderr:
      "cpcli: --waiter makes a call again and again, and CreateVpc has its effect each time\n" +
      "Wait with an action that reads, or with `cpcli wait`.\n",
  });
});
