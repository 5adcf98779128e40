import { once } from "node:events";
import { connect } from "node:net";
import {
  createClusterEndpoint,
  deleteCluster,
  deleteClusterEndpoint,
  describeClusters,
  modifyClusterEndpointSp,
  updateClusterKubeconfig,
  updateClusterVersion,
} from "@container-platform/sdk/cluster";
import { describe, expect, test } from "vitest";
import { canBuild, hasKubectl, Kubectl } from "./kubectl.ts";
import { processesWith } from "../support/processes.ts";
import { serveWorld } from "./stage.ts";

const day = 24 * 60 * 60_000;
const closed = /EOF|connection reset/;
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { a: "b" } });

/** How a connection ends that says nothing but what it is told to. */
async function endOf(address: string): Promise<string> {
  const [host = "", port = ""] = address.split(":");
  const socket = connect(Number(port), host).on("error", () => undefined);
  socket.write("hello\n");
  let heard = "";
  socket.on("data", (part) => (heard += String(part)));
  await once(socket, "close");
  return heard;
}

describe.runIf(hasKubectl && canBuild)("clusters that are served", () => {
  test("kubectl reaches a cluster at its kubeconfig: objects, tokens; a token of nobody and no certificate are 401", async () => {
    const { cluster, as, kubeconfigOf, cloud, lines } = await serveWorld();
    const clusterId = await cluster();
    const main = await as(clusterId);
    expect(await main.done("auth", "whoami", "-o", "jsonpath={.status.userInfo.username} {.status.userInfo.groups}")).toBe(
      '100000000001 ["system:authenticated"]',
    );
    expect(await main.apply(configMap("one"))).toBe("configmap/one created");
    expect(await main.done("get", "configmap", "one", "-o", "jsonpath={.data.a}")).toBe("b");
    const [record] = (await cloud.call(describeClusters, { clusterIds: [clusterId] })).clusters;
    const kubeconfig = await kubeconfigOf(clusterId);
    expect(kubeconfig).toContain(`server: https://${record?.clusterExternalEndpoint}\n`);
    expect(kubeconfig).toContain(`tls-server-name: ${record?.domain}\n`);
    // Service accounts come by the same front.
    const token = await main.done("create", "token", "default");
    const nobody = kubeconfig.replace(/client-certificate-data: .*\n/, "").replace(/client-key-data: .*\n/, "token: TOKEN\n");
    const robot = new Kubectl(nobody.replace("TOKEN", token));
    expect(await robot.done("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")).toBe("system:serviceaccount:default:default");
    expect((await robot.outcome(["get", "configmaps"])).output).toContain("cannot list resource");
    for (const stranger of [nobody.replace("TOKEN", "wrong"), nobody.replace(/ *token: TOKEN\n/, "")])
      expect((await new Kubectl(stranger).outcome(["get", "configmaps"])).output).toMatch(/You must be logged in|Username/);
    expect(lines).toEqual(expect.arrayContaining([`cluster ${clusterId}: starting Kubernetes 1.34.1`, `cluster ${clusterId}: ready`]));
  });

  test("a rotated certificate is 401 at once, and what it was watching ends; so is an expired one by the world's clock", async () => {
    const { cluster, as, kubeconfigOf, cloud, world, subAccount } = await serveWorld();
    const clusterId = await cluster();
    const main = await as(clusterId);
    const other = await as(clusterId, await subAccount("other"));
    const watch = main.watch("get", "configmaps");
    await expect.poll(watch.heard).toContain("kube-root-ca.crt");
    await cloud.call(updateClusterKubeconfig, { clusterId });
    const refused = await main.outcome(["get", "configmaps"]);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("You must be logged in to the server (Unauthorized)") });
    await watch.ended;
    // Another user's certificate is another's.
    expect((await other.outcome(["get", "configmaps"])).output).toContain("forbidden");
    main.use(await kubeconfigOf(clusterId));
    expect(await main.done("get", "configmaps")).toContain("kube-root-ca.crt");
    world.advance(366 * day);
    expect((await main.outcome(["get", "configmaps"])).output).toContain("You must be logged in to the server (certificate expired)");
    await cloud.call(updateClusterKubeconfig, { clusterId });
    main.use(await kubeconfigOf(clusterId));
    // The front judges by the world's clock, in which this certificate has just been made.
    expect(await main.done("get", "configmaps")).toContain("kube-root-ca.crt");
  });

  test("a closed endpoint and an access rule for others end connections, from the internet and from the VPC each for itself", async () => {
    const { cluster, as, kubeconfigOf, cloud, vpcId, subnetId, server } = await serveWorld();
    const clusterId = await cluster();
    const outside = await as(clusterId);
    const inside = new Kubectl(await kubeconfigOf(clusterId, { isExtranet: false }));
    expect(await outside.done("get", "namespaces")).toContain("default");
    expect(await inside.done("get", "namespaces")).toContain("default");
    const watch = outside.watch("get", "configmaps");
    await expect.poll(watch.heard).toContain("kube-root-ca.crt");
    await cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: ["192.0.2.0/24"] });
    expect(await watch.ended).not.toBe(undefined);
    expect((await outside.outcome(["get", "namespaces"])).output).toMatch(closed);
    await cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: ["127.0.0.1/32"] });
    expect(await outside.done("get", "namespaces")).toContain("default");
    await cloud.call(deleteClusterEndpoint, { clusterId, isExtranet: true });
    expect((await outside.outcome(["get", "namespaces"])).output).toMatch(closed);
    expect(await inside.done("get", "namespaces")).toContain("default");
    await cloud.call(deleteClusterEndpoint, { clusterId, isExtranet: false });
    expect((await inside.outcome(["get", "namespaces"])).output).toMatch(closed);
    await cloud.call(createClusterEndpoint, { clusterId, isExtranet: false, subnetId });
    expect(await inside.done("get", "namespaces")).toContain("default");
    const standpoints = server.kubernetes?.ports.all() ?? [];
    expect(standpoints.map(({ standpoint }) => standpoint)).toEqual(["internet", vpcId]);
    // What is no TLS is told nothing.
    for (const { address } of standpoints) expect(await endOf(address)).toBe("");
  });

  test("two clusters have data of their own, each behaves as its version, and what cannot be emulated is told", async () => {
    const { cluster, as, cloud, lines, folder } = await serveWorld();
    const second = await cluster({ version: "1.32.2", clusterCidr: "172.17.0.0/16" });
    const old = await cluster({ version: "1.28.3", clusterCidr: "172.18.0.0/16" });
    const [one, two, three] = [await as(await cluster()), await as(second), await as(old)];
    await Promise.all([one.apply(configMap("one")), two.apply(configMap("two"))]);
    expect((await one.outcome(["get", "configmap", "two"])).output).toContain('configmaps "two" not found');
    expect(await two.done("get", "configmap", "two", "-o", "name")).toBe("configmap/two");
    expect(await one.done("version")).toContain("Server Version: v1.34.1");
    expect(await two.done("version")).toContain("Server Version: v1.32.2");
    // An API of 1.34, which 1.32 did not have.
    expect(await one.done("api-resources", "--api-group=resource.k8s.io")).toContain("resource.k8s.io/v1 ");
    expect(await two.done("api-resources", "--api-group=resource.k8s.io")).not.toContain("resource.k8s.io/v1 ");
    expect((await three.outcome(["get", "namespaces"])).output).toContain(
      "a cluster of version 1.28.3 cannot be served: Kubernetes 1.34.4 can behave as versions 1.31 to 1.34",
    );
    expect(await processesWith(folder)).toHaveLength(2);
    await cloud.call(deleteCluster, { clusterId: second, instanceDeleteMode: "terminate" });
    await expect.poll(() => processesWith(folder), { timeout: 30_000 }).toHaveLength(1);
    expect((await two.outcome(["get", "configmaps"])).output).toMatch(closed);
    expect(lines.filter((line) => line.endsWith(": ready"))).toHaveLength(2);
  });

  test("a cluster that is upgraded while it is used goes on as the new version, with its data, also for clients that stay connected", async () => {
    const { cluster, as, cloud, lines } = await serveWorld();
    const clusterId = await cluster({ version: "1.32.2" });
    const main = await as(clusterId);
    await main.apply(configMap("kept"));
    expect(await main.done("version")).toContain("Server Version: v1.32.2");
    const watch = main.watch("get", "configmaps");
    await expect.poll(watch.heard).toContain("kept");
    await cloud.call(updateClusterVersion, { clusterId, dstVersion: "1.34.1" });
    await watch.ended;
    await expect.poll(() => main.outcome(["version"]).then(({ output }) => output)).toContain("Server Version: v1.34.1");
    expect(await main.done("get", "configmap", "kept", "-o", "name")).toBe("configmap/kept");
    expect(lines.filter((line) => line.includes("starting"))).toEqual([
      `cluster ${clusterId}: starting Kubernetes 1.32.2`,
      `cluster ${clusterId}: starting Kubernetes 1.34.1`,
    ]);
  });

  test("a control plane that nobody uses is stopped, and begun again with its data", async () => {
    const { cluster, as, folder, lines, server, start } = await serveWorld({ idle: 3000 });
    const clusterId = await cluster();
    const main = await as(clusterId);
    await main.apply(configMap("one"));
    const watch = main.watch("get", "configmaps");
    await expect.poll(watch.heard).toContain("one");
    await new Promise((resolve) => setTimeout(resolve, 5000));
    // Somebody watches.
    expect(await processesWith(folder)).toHaveLength(1);
    watch.stop();
    await expect.poll(() => processesWith(folder), { timeout: 30_000 }).toEqual([]);
    expect(await main.done("get", "configmap", "one", "-o", "name")).toBe("configmap/one");
    expect(lines.filter((line) => line === `cluster ${clusterId}: ready`)).toHaveLength(2);
    const ports = server.kubernetes?.ports.all();
    await server.close();
    expect(await processesWith(folder)).toEqual([]);
    await using again = await start();
    expect(again.kubernetes?.ports.all()).toEqual(ports);
    expect(await main.done("get", "configmap", "one", "-o", "name")).toBe("configmap/one");
  });
});
