import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Cloud, connect } from "@container-platform/sdk";
import { describeClusterKubeconfig } from "@container-platform/sdk/cluster";
import { accessKeyOf } from "@container-platform/sdk/local";
import { describe, expect, onTestFinished, test } from "vitest";
import { canBuild, hasKubectl, Kubectl } from "./kubectl.ts";
import { processesWith } from "../support/processes.ts";
import { makeWorld } from "./stage.ts";

const program = join(import.meta.dirname, "..", "..", "sdk", "bin", "cpcli.cjs");

/** A world with a cluster, and servers of it in processes of their own. */
async function start() {
  const made = await makeWorld();
  const clusterId = await made.cluster();
  const serve = async () => {
    const args = ["serve", "--kubernetes", "--db", join(made.folder, "world.db")];
    const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text));
    const [line]: unknown[] = await once(child.stdout, "data");
    const transport = await connect(String(line).trim(), { credentials: accessKeyOf(made.world) });
    onTestFinished(() => transport.close());
    const cloud = new Cloud({ transport, region: made.region });
    const { kubeconfig } = await cloud.call(describeClusterKubeconfig, { clusterId, isExtranet: true });
    return { child, kubectl: new Kubectl(kubeconfig), told: () => told };
  };
  return { ...made, clusterId, serve, planes: () => processesWith(join(made.folder, "world.db-kubernetes")) };
}

describe.runIf(hasKubectl && canBuild)("processes of control planes", () => {
  test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("after %s of the server none is left, and the next has the data", async (signal) => {
    const { serve, planes, clusterId } = await start();
    const first = await serve();
    await first.kubectl.done("create", "configmap", "kept", "--from-literal=a=b");
    expect(first.told()).toContain(`cluster ${clusterId}: ready\n`);
    expect(await planes()).toHaveLength(1);
    const watch = first.kubectl.watch("get", "configmaps");
    await expect.poll(watch.heard).toContain("kept");
    const exited = once(first.child, "exit");
    const begun = performance.now();
    first.child.kill(signal);
    await exited;
    if (signal === "SIGKILL") await expect.poll(planes, { timeout: 5000 }).toEqual([]);
    else expect(await planes()).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(20_000);
    const second = await serve();
    expect(await second.kubectl.done("get", "configmap", "kept", "-o", "jsonpath={.data.a}")).toBe("b");
    expect(await planes()).toHaveLength(1);
    second.child.kill("SIGKILL");
    await expect.poll(planes, { timeout: 5000 }).toEqual([]);
  });

  test("one whose server is killed while it makes its data starts with the next server", async () => {
    const { serve, planes, folder, clusterId } = await start();
    const log = join(folder, "world.db-kubernetes", clusterId, "etcd", "member", "wal");
    const first = await serve();
    const asking = first.kubectl.outcome(["get", "namespaces"]);
    while (!existsSync(log)) await sleep(1);
    first.child.kill("SIGKILL");
    await asking;
    await expect.poll(planes, { timeout: 5000 }).toEqual([]);
    const second = await serve();
    expect(await second.kubectl.done("get", "namespaces", "-o", "name")).toContain("namespace/default");
    second.child.kill("SIGINT");
    await once(second.child, "exit");
    expect(await planes()).toEqual([]);
  });

  const nobody = { pid: NaN, command: "" };

  test("one that hangs when its server is killed is killed by the next server; one that is killed itself is begun again", async () => {
    const { serve, planes } = await start();
    const first = await serve();
    await first.kubectl.done("create", "configmap", "kept", "--from-literal=a=b");
    const [left = nobody] = await planes();
    process.kill(left.pid, "SIGSTOP");
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    expect(await planes()).toEqual([left]);
    const second = await serve();
    expect(await planes()).toEqual([]);
    await second.kubectl.done("get", "configmap", "kept");
    const [now = nobody] = await planes();
    process.kill(now.pid, "SIGKILL");
    await expect
      .poll(() => second.kubectl.outcome(["get", "configmap", "kept", "-o", "name"]).then(({ output }) => output))
      .toBe("configmap/kept");
    expect(second.told()).toMatch(
      /: its control plane was killed, as systems do when memory runs out: it takes about 320 MB; the next request/,
    );
    second.child.kill("SIGINT");
    await once(second.child, "exit");
    expect(await planes()).toEqual([]);
  });
});
