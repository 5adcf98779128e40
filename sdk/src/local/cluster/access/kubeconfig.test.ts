import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import * as cluster from "../../../catalogue/cluster.ts";
import { createSecurityGroupPolicies } from "../../../catalogue/vpc.ts";
import { complaintOf } from "../out-of-band.ts";
import { type Stage, codeOf, nodesStage, openStage, stage } from "../stage.fixture.ts";

const day = 24 * 60 * 60_000;

const kubeconfigOf = async ({ call }: Stage, clusterId: string, isExtranet?: boolean) =>
  (await call(cluster.describeClusterKubeconfig, { clusterId, isExtranet })).kubeconfig;

const one = <Item extends z.ZodType>(item: Item) => z.tuple([item]);
const form = z.object({
  clusters: one(z.object({ cluster: z.object({ "certificate-authority-data": z.string(), server: z.string() }) })),
  users: one(z.object({ user: z.object({ "client-certificate-data": z.string(), "client-key-data": z.string() }) })),
});

function partsOf(kubeconfig: string) {
  const { clusters, users } = form.parse(parse(kubeconfig));
  const [{ cluster: served }] = clusters;
  const [{ user }] = users;
  const decoded = (text: string) => Buffer.from(text, "base64").toString();
  return {
    server: served.server,
    authority: new X509Certificate(decoded(served["certificate-authority-data"])),
    certificate: new X509Certificate(decoded(user["client-certificate-data"])),
    key: createPrivateKey(decoded(user["client-key-data"])),
  };
}

/** A cluster with both endpoints. */
async function open() {
  const at = await openStage();
  await at.call(cluster.createClusterEndpoint, { clusterId: at.clusterId, isExtranet: false, subnetId: at.subnetId });
  at.world.advance(1500);
  return at;
}

test("a kubeconfig is YAML with the caller's certificate, which the cluster's authority signed", async () => {
  const { clusterId, ...at } = await open();
  const kubeconfig = await kubeconfigOf(at, clusterId);
  const fields = ["apiVersion", "clusters", "contexts", "current-context", "kind", "preferences", "users"];
  expect(kubeconfig.match(/^[a-z-]+(?=:)/gim)).toEqual(fields);
  const { authority, certificate, key, server } = partsOf(kubeconfig);
  expect(server).toBe(`https://${clusterId}.clusters.container-platform.internal`);
  expect(authority.toString()).toBe((await at.call(cluster.describeClusterEndpoints, { clusterId })).certificationAuthority);
  expect(certificate.verify(authority.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(certificate.subject).toBe("CN=100000000001");
  expect(certificate.validFromDate.getTime()).toBeLessThanOrEqual(at.world.now());
  expect(certificate.validToDate.getTime() - certificate.validFromDate.getTime()).toBe(365 * day);
});

test("a kubeconfig stays the same until it is rotated", async () => {
  const { clusterId, ...at } = await open();
  const { world, call } = at;
  const before = await kubeconfigOf(at, clusterId);
  world.advance(day);
  expect(await kubeconfigOf(at, clusterId)).toBe(before);
  expect(await call(cluster.updateClusterKubeconfig, { clusterId })).toMatchObject({ updatedSubAccounts: ["100000000001"] });
  const after = await kubeconfigOf(at, clusterId);
  expect(partsOf(after).certificate.serialNumber).not.toBe(partsOf(before).certificate.serialNumber);
  expect(partsOf(after).authority.toString()).toBe(partsOf(before).authority.toString());
  expect(await codeOf(call(cluster.updateClusterKubeconfig, { clusterId, subAccounts: ["42"] }))).toBe("InvalidParameter.Param");
});

test("a kubeconfig leads to the domain that its endpoint was given, and otherwise to the cluster's own", async () => {
  const { clusterId, ...at } = await nodesStage();
  const given = { clusterId, isExtranet: true, securityGroup: await at.group(), domain: "api.example.org" };
  await at.call(cluster.createClusterEndpoint, given);
  at.world.advance(1500);
  expect(partsOf(await kubeconfigOf(at, clusterId, true)).server).toBe("https://api.example.org");
  expect(partsOf(await kubeconfigOf(at, clusterId)).server).toBe(`https://${clusterId}.clusters.container-platform.internal`);
});

test("without an ACL, the first rule of the endpoint's security group that matches a client decides", async () => {
  const { clusterId, securityGroup, ...at } = await openStage();
  const { world, region } = at;
  const kubeconfig = await kubeconfigOf(at, clusterId, true);
  const client = (clientIp: string) => complaintOf(world, { region, kubeconfig, clientIp });
  const add = (policyIndex: number, rule: { protocol: string; action: string } & Record<string, string>) => {
    const securityGroupPolicySet = { ingress: [{ policyIndex, ...rule }] };
    return at.call(createSecurityGroupPolicies, { securityGroupId: securityGroup, securityGroupPolicySet });
  };
  await add(0, { protocol: "UDP", action: "ACCEPT", cidrBlock: "198.51.100.0/24" });
  await add(1, { protocol: "TCP", action: "ACCEPT", port: "80,6443", cidrBlock: "198.51.100.0/24" });
  expect(client("198.51.100.7")).toBe("timeout");
  await add(2, { protocol: "TCP", action: "ACCEPT", port: "80,400-500", cidrBlock: "198.51.100.0/24" });
  expect([client("198.51.100.7"), client("198.51.101.7"), client("2001:db8::7")]).toEqual([undefined, "timeout", "timeout"]);
  await add(3, { protocol: "ALL", action: "ACCEPT", ipv6CidrBlock: "2001:db8::/32" });
  expect(client("2001:db8::7")).toBeUndefined();
  await add(0, { protocol: "TCP", action: "DROP", port: "443", cidrBlock: "198.51.100.7/32" });
  expect([client("198.51.100.7"), client("198.51.100.8")]).toEqual(["timeout", undefined]);
  await at.call(cluster.modifyClusterEndpointSp, { clusterId, securityPolicies: ["198.51.100.7"] });
  expect([client("198.51.100.7"), client("198.51.100.8")]).toEqual([undefined, "timeout"]);
});

test("each cluster has its own authority, which is deleted with it", async () => {
  const at = await stage();
  const [one, other] = [await at.running(), await at.running("172.17.0.0/16")];
  const [a, b] = [partsOf(await kubeconfigOf(at, one)), partsOf(await kubeconfigOf(at, other))];
  expect(a.certificate.verify(b.authority.publicKey)).toBe(false);
  await at.drop(one);
  expect(await codeOf(kubeconfigOf(at, one))).toBe("ResourceUnavailable.ClusterState");
  at.world.advance(1500);
  expect(await codeOf(kubeconfigOf(at, one))).toBe("ResourceNotFound");
  const left = at.world.prepare("SELECT id FROM clientCertificates UNION SELECT id FROM authorities").all();
  expect(left.map(({ id }) => id)).toEqual([other, `${other}/100000000001`]);
});

test("a cluster that is being created has no kubeconfig yet", async () => {
  const at = await stage();
  const clusterId = await at.create();
  await expect(kubeconfigOf(at, clusterId)).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState", kind: "transient" });
  expect(await codeOf(at.call(cluster.updateClusterKubeconfig, { clusterId }))).toBe("ResourceUnavailable.ClusterState");
});
