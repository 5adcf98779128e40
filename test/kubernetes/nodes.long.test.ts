import { expect, test } from "vitest";
import { deleteClusterInstances, modifyNodePool, scaleNodePool } from "@container-platform/sdk/cluster";
import { LocalControl } from "@container-platform/sdk/local";
import { contains } from "../../sdk/src/formats/addresses.ts";
import { deploymentOf, servedCluster } from "./served-cluster.ts";

/** Whether a node is ready, as `get nodes` shows it. */
const ready = '{.items[*].status.conditions[?(@.type=="Ready")].status}';

test("nodes follow the platform: scaling, cordon, labels and taints, failure, removal", async () => {
  const at = await servedCluster();
  const { cloud, clusterId, nodePoolId, get, kubectl, eventually } = at;
  const names = async () => (await get("{.items[*].metadata.name}", "nodes")).split(" ").filter((name) => name !== "");
  expect((await names()).sort()).toEqual((await at.nodesOf()).map(({ lanIp }) => lanIp).sort());
  expect(await get(ready, "nodes")).toBe("True True");
  expect(await get("{.items[0].metadata.labels}", "nodes")).toContain(nodePoolId);

  await cloud.call(scaleNodePool, { clusterId, nodePoolId, replicas: 3 });
  await eventually(async () => String((await names()).length), "3");
  await cloud.call(modifyNodePool, {
    clusterId,
    nodePoolId,
    unschedulable: true,
    labels: [{ name: "tier", value: "web" }],
    taints: [{ key: "dedicated", value: "web", effect: "NoExecute" }],
  });
  await eventually(() => get("{.items[*].spec.unschedulable}", "nodes"), "true true true");
  await eventually(() => get("{.items[*].metadata.name}", "nodes", "--selector", "tier=web"), /^\S+ \S+ \S+$/);
  await eventually(() => get('{.items[*].spec.taints[?(@.key=="dedicated")].value}', "nodes"), "web web web");
  await kubectl("label", "nodes", "--all", "mine=yes");
  await cloud.call(modifyNodePool, { clusterId, nodePoolId, unschedulable: false, labels: [], taints: [] });
  await eventually(() => get("{.items[*].spec.taints}", "nodes"), "");
  expect(await get("{.items[*].metadata.labels.tier}", "nodes")).toBe("");
  expect(await get("{.items[*].metadata.labels.mine}", "nodes")).toBe("yes yes yes");

  const [{ instanceId } = { instanceId: "" }] = await at.nodesOf();
  await cloud.call(deleteClusterInstances, { clusterId, instanceIds: [instanceId], instanceDeleteMode: "terminate" });
  await eventually(() => get("{.items[*].metadata.name}", "nodes", "--selector", `container-platform/instance-id=${instanceId}`), "");

  await new LocalControl(at.world).addFault({ resourceType: "node", endState: "failed", reason: "out of stock" });
  await at.pool(clusterId, 1);
  await eventually(() => get(ready, "nodes"), /False/);
  expect(await get('{.items[*].status.conditions[?(@.status=="False")].message}', "nodes")).toMatch(/is failed: out of stock/);
});

test("in a dual-stack cluster, nodes, pods, Services and their endpoints have addresses of both families, of the platform's ranges", async () => {
  const at = await servedCluster();
  const { get, apply, eventually } = at;
  await apply(deploymentOf("web", { replicas: 3 }), {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "default" },
    spec: { selector: { app: "web" }, ports: [{ port: 80 }], ipFamilyPolicy: "RequireDualStack" },
  });
  await eventually(() => get("{.status.availableReplicas}", "deployment", "web"), "3");
  const inside = (range: string, address: string) => contains(range, `${address}/${address.includes(":") ? 128 : 32}`);
  const listOf = async (path: string, ...args: string[]) => (await get(path, ...args)).split(" ");
  for (const address of await listOf('{.items[*].status.addresses[?(@.type=="InternalIP")].address}', "nodes"))
    expect(inside(address.includes(":") ? at.subnetIpv6 : "10.0.0.0/24", address), address).toBe(true);
  const pods = await listOf("{.items[*].status.podIPs[*].ip}", "pods");
  expect(new Set(pods).size).toBe(6);
  for (const address of pods) expect(inside(address.includes(":") ? at.podIpv6 : "10.0.1.0/24", address), address).toBe(true);
  expect(await listOf("{.items[*].spec.podCIDRs[*]}", "nodes")).toEqual(["10.0.1.0/24", at.podIpv6, "10.0.1.0/24", at.podIpv6]);
  const [ipv4 = "", ipv6 = ""] = await listOf("{.spec.clusterIPs[*]}", "service", "web");
  expect(inside("172.20.0.0/20", ipv4), ipv4).toBe(true);
  expect(inside("fd00::/8", ipv6), ipv6).toBe(true);
  const slices = (path: string) => listOf(path, "endpointslices", "--selector", "kubernetes.io/service-name=web");
  await eventually(async () => (await slices("{.items[*].endpoints[*].addresses[*]}")).sort().join(" "), pods.sort().join(" "));
  expect((await slices("{.items[*].addressType}")).sort()).toEqual(["IPv4", "IPv6"]);
});

test("in a cluster with a range of its own, each node has a part of it, and its pods one address there", async () => {
  const at = await servedCluster({ dualStack: false });
  const { get, apply, eventually } = at;
  expect((await get("{.items[*].spec.podCIDR}", "nodes")).split(" ").sort()).toEqual(["172.16.0.0/26", "172.16.0.64/26"]);
  await apply(deploymentOf("web", { replicas: 4 }));
  await eventually(() => get("{.status.availableReplicas}", "deployment", "web"), "4");
  const placed = (await get('{range .items[*]}{.spec.nodeName}={.status.podIPs[*].ip}{"\\n"}{end}', "pods")).split("\n");
  for (const line of placed) {
    const [node = "", address = ""] = line.split("=");
    const range = await get("{.spec.podCIDR}", "node", node);
    expect(contains(range, `${address}/32`), line).toBe(true);
  }
  expect(new Set(placed.map((line) => line.split("=")[1])).size).toBe(4);
});

test("pods move from a node that is removed, Jobs complete, pods are deleted, and logs and commands are refused with a sentence", async () => {
  const at = await servedCluster();
  const { get, apply, kubectl, eventually, cloud, clusterId, nodePoolId } = at;
  await apply(deploymentOf("web", { replicas: 2 }));
  await eventually(() => get("{.status.availableReplicas}", "deployment", "web"), "2");
  const [pod = ""] = (await get("{.items[*].metadata.name}", "pods")).split(" ");
  expect(await kubectl("logs", pod)).toMatch(/there are no logs: pods of a local platform are stand-ins in which nothing runs/);
  expect(await kubectl("exec", pod, "--", "ls")).toMatch(/nothing runs in the pods of a local platform, .*: there is no command to run/);

  await apply({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "once", namespace: "default" },
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "once", image: "busybox" }] } } },
  });
  await eventually(() => get("{.status.succeeded}", "job", "once"), "1");
  await kubectl("delete", "job", "once");

  await cloud.call(scaleNodePool, { clusterId, nodePoolId, replicas: 1 });
  await eventually(async () => (await get("{.items[*].spec.nodeName}", "pods")).split(" ").sort().join(" "), /^(\S+) \1$/);
  await eventually(() => get("{.status.availableReplicas}", "deployment", "web"), "2");
  await kubectl("delete", "deployment", "web");
  await eventually(() => get("{.items[*].metadata.name}", "pods"), "");
});
