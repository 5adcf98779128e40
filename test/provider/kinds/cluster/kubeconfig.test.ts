import { updateClusterKubeconfig } from "@container-platform/sdk/cluster";
import { complaintOf } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import type { Deployment } from "../../../support/deployment.ts";
import { severities } from "../../../support/host.ts";
import type { Props } from "../../../support/structs.ts";
import { makeGroup, makeNetwork, makePool } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";
import { region } from "../../stage/stage.ts";

/** Whether a Kubernetes client can use the kubeconfig of an endpoint. */

const stage = await sharedStage();

const day = 86_400_000;
const { vpcId, subnetId } = await makeNetwork(stage);
const groupId = await makeGroup(stage);
const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16", credentialsVersion: "1" };
const owner = stage.deployment("Cluster", "owner");
await stage.before(
  () => owner.up(gr),
  () => owner.destroy(),
);
const clusterId = owner.id;
await makePool(stage, clusterId, subnetId);

const outside = { clusterId, isExtranet: true, securityGroup: groupId };
const office = { ...outside, allowedCidrBlocks: ["203.0.113.0/24"] };
const inside = { clusterId, isExtranet: false, subnetId };

function outputOf(endpoint: Deployment, name: string): string {
  return String(endpoint.state?.outputs[name]);
}

function complaint(endpoint: Deployment, clientIp?: string): string | undefined {
  const kubeconfig = outputOf(endpoint, "kubeconfig");
  return complaintOf(stage.world, { region, kubeconfig, ...(clientIp !== undefined && { clientIp }) });
}

function serverOf(endpoint: Deployment): string | undefined {
  return /server: (\S+)/.exec(outputOf(endpoint, "kubeconfig"))?.[1];
}

const sides: readonly (readonly [side: string, args: Props])[] = [
  ["outside", office],
  ["inside", inside],
];

test.each(sides)("the server in the kubeconfig is the address of its direction: %s", async (_, args) => {
  await using endpoint = await stage.deployed("ClusterEndpoint", args);
  expect(serverOf(endpoint)).toBe(`https://${outputOf(endpoint, "address")}`);
  expect(outputOf(endpoint, "domain")).toContain(clusterId);
  expect(outputOf(endpoint, "certificateAuthority")).toContain("BEGIN CERTIFICATE");
  expect(complaint(endpoint, args === office ? "203.0.113.7" : undefined)).toBeUndefined();
});

test("with a domain in the program, the server in the kubeconfig is that domain", async () => {
  await using endpoint = await stage.deployed("ClusterEndpoint", { ...outside, domain: "api.example" });
  expect(outputOf(endpoint, "domain")).toBe("api.example");
  expect(serverOf(endpoint)).toContain("api.example");
});

test("after a rotation of the cluster's credentials, an endpoint with the new credentialsVersion has new ones", async () => {
  await using endpoint = await stage.deployed("ClusterEndpoint", { ...inside, credentialsVersion: "1" });
  expect(await stage.writes(() => owner.up({ ...gr, credentialsVersion: "2" }))).toEqual(["UpdateClusterKubeconfig"]);
  expect(complaint(endpoint)).toBe("Unauthorized");
  expect(await endpoint.preview({ ...inside, credentialsVersion: "2" })).toBe("update");
  const calls = await stage.calls(() => endpoint.up({ ...inside, credentialsVersion: "2" }));
  expect(calls.filter(({ action }) => action === "DescribeClusterKubeconfig")).toHaveLength(1);
  expect(complaint(endpoint)).toBeUndefined();
});

test("a refresh replaces a kubeconfig that a rotation by another client has ended, and no other one", async () => {
  await using endpoint = await stage.deployed("ClusterEndpoint", inside);
  const before = outputOf(endpoint, "kubeconfig");
  await endpoint.refresh();
  expect(outputOf(endpoint, "kubeconfig")).toBe(before);
  await stage.cloud.call(updateClusterKubeconfig, { clusterId });
  await stage.host.restart();
  expect(complaint(endpoint)).toBe("Unauthorized");
  await endpoint.refresh();
  expect(complaint(endpoint)).toBeUndefined();
  expect(await endpoint.preview(inside)).toBe("nothing");
});

test("a renewal that is due is in the preview with its reason, and up makes it once for both endpoints", async () => {
  await using one = await stage.deployed("ClusterEndpoint", office, "one");
  await using other = await stage.deployed("ClusterEndpoint", inside, "other");
  const before = outputOf(one, "kubeconfigExpiresAt");

  stage.world.advance(Date.parse(before) - stage.world.now() - 31 * day);
  await stage.host.restart();
  expect(await one.preview(office)).toBe("nothing");
  expect(await one.preview({ ...office, renewBefore: "840h" })).toBe("update");

  stage.world.advance(2 * day);
  await stage.host.restart();
  expect(await one.preview(office)).toBe("update");
  await expect
    .poll(() =>
      stage.host.lines.filter(({ severity, ephemeral }) => severity === severities.info && !ephemeral).map(({ message }) => message),
    )
    .toContainEqual(`the kubeconfig's certificate ends on ${before}, and \`up\` renews it`);

  expect(await stage.writes(() => one.up(office))).toEqual(["UpdateClusterKubeconfig"]);
  expect(await stage.writes(() => other.up(inside))).toEqual([]);
  for (const endpoint of [one, other]) {
    expect(Date.parse(outputOf(endpoint, "kubeconfigExpiresAt"))).toBeGreaterThan(Date.parse(before));
    expect(await endpoint.preview(endpoint === one ? office : inside)).toBe("nothing");
  }
  expect(complaint(one, "203.0.113.7")).toBeUndefined();
  expect(complaint(other)).toBeUndefined();
});

test("a kubeconfig that has expired is renewed, too", async () => {
  await using endpoint = await stage.deployed("ClusterEndpoint", inside);
  stage.world.advance(366 * day);
  await stage.host.restart();
  await endpoint.refresh();
  expect(await endpoint.preview(inside)).toBe("update");
  await endpoint.up(inside);
  expect(complaint(endpoint)).toBeUndefined();
  expect(await endpoint.preview(inside)).toBe("nothing");
});
