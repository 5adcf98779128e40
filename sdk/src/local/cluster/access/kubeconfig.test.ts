import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import {
  createClusterEndpoint,
  deleteCluster,
  describeClusterEndpoints,
  describeClusterKubeconfig,
  modifyClusterEndpointSp,
  updateClusterKubeconfig,
} from "../../../catalogue/cluster.ts";
import { createSecurityGroupPolicies } from "../../../catalogue/vpc.ts";
import { complaintOf, setReachable } from "../out-of-band.ts";
import { stage } from "../stage.fixture.ts";

type Stage = Awaited<ReturnType<typeof stage>>;

const day = 24 * 60 * 60_000;

const kubeconfigOf = async ({ cloud }: Stage, clusterId: string, isExtranet?: boolean) =>
  (await cloud.call(describeClusterKubeconfig, { clusterId, isExtranet })).kubeconfig;

const one = <Item extends z.ZodType>(item: Item) => z.tuple([item]);
const form = z.object({
  clusters: one(z.object({ cluster: z.object({ "certificate-authority-data": z.string(), server: z.string() }) })),
  users: one(z.object({ user: z.object({ "client-certificate-data": z.string(), "client-key-data": z.string() }) })),
});

function partsOf(kubeconfig: string) {
  const {
    clusters: [{ cluster }],
    users: [{ user }],
  } = form.parse(parse(kubeconfig));
  const decoded = (text: string) => Buffer.from(text, "base64").toString();
  return {
    server: cluster.server,
    authority: new X509Certificate(decoded(cluster["certificate-authority-data"])),
    certificate: new X509Certificate(decoded(user["client-certificate-data"])),
    key: createPrivateKey(decoded(user["client-key-data"])),
  };
}

async function open(at: Stage) {
  const { clusterId } = await at.withNodes(1);
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: await at.group() });
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: false, subnetId: at.subnetId });
  at.world.advance(1500);
  return clusterId;
}

test("a kubeconfig is YAML with the caller's certificate, which the cluster's authority signed", async () => {
  const at = await stage();
  const clusterId = await open(at);
  const kubeconfig = await kubeconfigOf(at, clusterId);
  expect(kubeconfig.match(/^[a-z-]+(?=:)/gim)).toEqual([
    "apiVersion",
    "clusters",
    "contexts",
    "current-context",
    "kind",
    "preferences",
    "users",
  ]);
  const { authority, certificate, key, server } = partsOf(kubeconfig);
  expect(server).toBe(`https://${clusterId}.clusters.container-platform.internal`);
  expect(authority.toString()).toBe((await at.cloud.call(describeClusterEndpoints, { clusterId })).certificationAuthority);
  expect(certificate.verify(authority.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(certificate.subject).toBe("CN=100000000001");
  expect(certificate.validFromDate.getTime()).toBeLessThanOrEqual(at.world.now());
  expect(certificate.validToDate.getTime() - certificate.validFromDate.getTime()).toBe(365 * day);
});

test("a kubeconfig stays the same until it is rotated; then the older one stops working", async () => {
  const at = await stage();
  const { world, region, cloud } = at;
  const clusterId = await open(at);
  const before = await kubeconfigOf(at, clusterId);
  world.advance(day);
  expect(await kubeconfigOf(at, clusterId)).toBe(before);
  expect(complaintOf(world, { region, kubeconfig: before })).toBeUndefined();
  expect(await cloud.call(updateClusterKubeconfig, { clusterId })).toMatchObject({ updatedSubAccounts: ["100000000001"] });
  const after = await kubeconfigOf(at, clusterId);
  expect(partsOf(after).certificate.serialNumber).not.toBe(partsOf(before).certificate.serialNumber);
  expect(partsOf(after).authority.toString()).toBe(partsOf(before).authority.toString());
  expect(complaintOf(world, { region, kubeconfig: before })).toBe("Unauthorized");
  expect(complaintOf(world, { region, kubeconfig: after })).toBeUndefined();
  await expect(cloud.call(updateClusterKubeconfig, { clusterId, subAccounts: ["42"] })).rejects.toMatchObject({
    code: "InvalidParameter.Param",
  });
});

test("a kubeconfig expires by the world's clock, and stays the same until it is rotated", async () => {
  const at = await stage();
  const { world, region } = at;
  const clusterId = await open(at);
  const kubeconfig = await kubeconfigOf(at, clusterId);
  world.advance(365 * day - 1);
  expect(complaintOf(world, { region, kubeconfig })).toBeUndefined();
  world.advance(1);
  expect(complaintOf(world, { region, kubeconfig })).toBe("certificate expired");
  expect(await kubeconfigOf(at, clusterId)).toBe(kubeconfig);
  await at.cloud.call(updateClusterKubeconfig, { clusterId });
  expect(complaintOf(world, { region, kubeconfig: await kubeconfigOf(at, clusterId) })).toBeUndefined();
});

test("its server has to be the endpoint's address, or a domain of it that resolves", async () => {
  const at = await stage();
  const { world, region } = at;
  const clusterId = await open(at);
  const kubeconfig = await kubeconfigOf(at, clusterId);
  const { domain, clusterIntranetEndpoint } = await at.cloud.call(describeClusterEndpoints, { clusterId });
  const client = (server: string) => complaintOf(world, { region, kubeconfig: kubeconfig.replace(`https://${domain}`, server) });
  const servers = [`https://${domain}`, `https://${clusterIntranetEndpoint}:443`, "https://10.0.255.254", "https://api.example.org"];
  expect(servers.map(client)).toEqual([undefined, undefined, "timeout", "timeout"]);
  await setReachable(world, { region, address: domain, reachable: false });
  expect(servers.slice(0, 2).map(client)).toEqual(["no such host", undefined]);
  await setReachable(world, { region, address: domain, reachable: true });
  expect(client(`https://${domain}`)).toBeUndefined();
});

test("it is answered without an endpoint, but only works through one that lets the client in", async () => {
  const at = await stage();
  const { world, region } = at;
  const clusterId = await at.running();
  const clientIp = "198.51.100.7";
  const kubeconfig = await kubeconfigOf(at, clusterId, true);
  expect(complaintOf(world, { region, kubeconfig })).toBe("timeout");
  await at.pool(clusterId, 1);
  world.advance(2500);
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: false, subnetId: at.subnetId });
  world.advance(1500);
  expect(complaintOf(world, { region, kubeconfig })).toBeUndefined();
  expect(complaintOf(world, { region, kubeconfig, clientIp })).toBe("timeout");
  const securityGroup = await at.group();
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup, domain: "api.example.org" });
  world.advance(1500);
  expect(complaintOf(world, { region, kubeconfig, clientIp })).toBe("timeout");
  await at.cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: ["198.51.100.8"] });
  expect(complaintOf(world, { region, kubeconfig, clientIp })).toBe("timeout");
  await at.cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: ["198.51.100.0/24"] });
  expect(complaintOf(world, { region, kubeconfig, clientIp })).toBeUndefined();
  expect(partsOf(await kubeconfigOf(at, clusterId, true)).server).toBe("https://api.example.org");
  expect(partsOf(await kubeconfigOf(at, clusterId)).server).toBe(`https://${clusterId}.clusters.container-platform.internal`);
});

test("without an ACL, the first rule of the endpoint's security group that matches a client decides", async () => {
  const at = await stage();
  const { world, region } = at;
  const { clusterId } = await at.withNodes(1);
  const securityGroup = await at.group();
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  world.advance(1500);
  const kubeconfig = await kubeconfigOf(at, clusterId, true);
  const client = (clientIp: string) => complaintOf(world, { region, kubeconfig, clientIp });
  const add = (
    policyIndex: number,
    rule: { protocol: string; action: string; port?: string; cidrBlock?: string; ipv6CidrBlock?: string },
  ) =>
    at.cloud.call(createSecurityGroupPolicies, {
      securityGroupId: securityGroup,
      securityGroupPolicySet: { ingress: [{ policyIndex, ...rule }] },
    });
  await add(0, { protocol: "UDP", action: "ACCEPT", cidrBlock: "198.51.100.0/24" });
  await add(1, { protocol: "TCP", action: "ACCEPT", port: "80,6443", cidrBlock: "198.51.100.0/24" });
  expect(client("198.51.100.7")).toBe("timeout");
  await add(2, { protocol: "TCP", action: "ACCEPT", port: "80,400-500", cidrBlock: "198.51.100.0/24" });
  expect([client("198.51.100.7"), client("198.51.101.7"), client("2001:db8::7")]).toEqual([undefined, "timeout", "timeout"]);
  await add(3, { protocol: "ALL", action: "ACCEPT", ipv6CidrBlock: "2001:db8::/32" });
  expect(client("2001:db8::7")).toBeUndefined();
  await add(0, { protocol: "TCP", action: "DROP", port: "443", cidrBlock: "198.51.100.7/32" });
  expect([client("198.51.100.7"), client("198.51.100.8")]).toEqual(["timeout", undefined]);
  await at.cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: ["198.51.100.7"] });
  expect([client("198.51.100.7"), client("198.51.100.8")]).toEqual([undefined, "timeout"]);
});

test("each cluster has its own authority, which is deleted with it", async () => {
  const at = await stage();
  const { world, cloud } = at;
  const [one, other] = [await at.running(), await at.running("172.17.0.0/16")];
  const [a, b] = [partsOf(await kubeconfigOf(at, one)), partsOf(await kubeconfigOf(at, other))];
  expect(a.certificate.verify(b.authority.publicKey)).toBe(false);
  await cloud.call(deleteCluster, { clusterId: one, instanceDeleteMode: "terminate" });
  await expect(kubeconfigOf(at, one)).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState" });
  world.advance(1500);
  await expect(kubeconfigOf(at, one)).rejects.toMatchObject({ code: "ResourceNotFound" });
  const left = world.prepare("SELECT id FROM clientCertificates UNION SELECT id FROM authorities").all();
  expect(left.map(({ id }) => id)).toEqual([other, `${other}/100000000001`]);
});

test("a cluster that is being created has no kubeconfig yet", async () => {
  const at = await stage();
  const clusterId = await at.create();
  await expect(kubeconfigOf(at, clusterId)).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState", kind: "transient" });
  await expect(at.cloud.call(updateClusterKubeconfig, { clusterId })).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState" });
});
