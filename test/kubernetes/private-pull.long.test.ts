import {
  createInstance,
  createInstanceToken,
  createInternalEndpointDns,
  createNamespace,
  createSecurityPolicy,
  describeInstances,
  describeInternalEndpoints,
  manageExternalEndpoint,
  manageInternalEndpoint,
} from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import { pushImage } from "../../sdk/src/served/registries/content.fixture.ts";
import { askerAt, basic } from "../../sdk/src/served/registries/stage.fixture.ts";
import { deploymentOf, servedCluster, type ServedCluster } from "./served-cluster.ts";

/**
 * What a private pull needs (specification, "What the service does", 6), each a step that can be left out, and done later: those that Kubernetes
 * has a part in. The others, and what is said without each: `sdk/src/kubernetes/nodes/pull/puller.test.ts`.
 */
const steps = ["connected", "secret", "referenced", "pushed"] as const;
type Step = (typeof steps)[number];

/** What the pod says while a step is left out. */
const messages: Readonly<Record<Step, RegExp>> = {
  connected: /access to registry connected \(\S+\) from vpc-\S+, where the node is, is not enabled: the registry is not connected to it/,
  secret: /there is no secret secret\/login, which imagePullSecrets names$/,
  referenced: /neither the pod nor its service account names a secret in imagePullSecrets/,
  pushed: /there is no manifest team\/web:v1$/,
};

/** A registry and a namespace of the cluster, with all steps done but one. Answers what does that one. */
async function allBut(at: ServedCluster, missing: Step): Promise<() => Promise<unknown>> {
  const { cloud, apply, vpcId, subnetId } = at;
  const { registryId, push, token, username } = await registryNamed(at, missing);
  const server = `${missing}-vpc.registry.container-platform.internal`;
  const connect = async () => {
    await cloud.call(manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
    const { accessVpcSet } = await cloud.call(describeInternalEndpoints, { registryId });
    await cloud.call(createInternalEndpointDns, { instanceId: registryId, vpcId, eniLbIp: accessVpcSet[0]?.accessIp ?? "" });
  };
  const putSecret = () => apply(secretOf(missing, server, { username, password: token }));
  const deploy = (secret: string) => apply(deploymentOf("web", { image: `${server}/team/web:v1`, namespace: missing, secret }));
  const doing = { connected: connect, secret: putSecret, referenced: () => deploy("login"), pushed: push };

  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: missing } });
  for (const step of ["connected", "secret", "pushed"] as const) if (missing !== step) await doing[step]();
  await deploy(missing === "referenced" ? "" : "login");
  return doing[missing];
}

async function registryNamed({ cloud }: ServedCluster, registryName: string) {
  const { registryId } = await cloud.call(createInstance, { registryName, registryType: "basic" });
  await cloud.call(createNamespace, { registryId, namespaceName: "team", isPublic: false });
  await cloud.call(manageExternalEndpoint, { registryId, operation: "Create" });
  await cloud.call(createSecurityPolicy, { registryId, cidrBlock: "127.0.0.1/32", description: "" });
  const { username, token } = await cloud.call(createInstanceToken, { registryId, tokenType: "longterm", desc: "" });
  const [record] = (await cloud.call(describeInstances, { registryIds: [registryId] })).registries;
  const push = () => pushImage(askerAt(record?.publicDomain ?? "", basic(username, token)), "team/web", "v1");
  return { registryId, username, token, push };
}

function secretOf(namespace: string, server: string, login: { username: string; password: string }): object {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "login", namespace },
    type: "kubernetes.io/dockerconfigjson",
    data: { ".dockerconfigjson": Buffer.from(JSON.stringify({ auths: { [server]: login } })).toString("base64") },
  };
}

test("a Deployment of a private image is Available when all steps are done; without any of them, its pod names it", async () => {
  const at = await servedCluster();
  const waiting = (what: "message" | "reason", namespace: Step) =>
    at.get(`{.items[*].status.containerStatuses[*].state.waiting.${what}}`, "pods", "--namespace", namespace);
  const available = (namespace: Step) => at.get("{.status.availableReplicas}", "deployment", "web", "--namespace", namespace);
  const todo = new Map<Step, () => Promise<unknown>>();
  for (const step of steps) todo.set(step, await allBut(at, step));
  for (const step of steps) {
    await at.eventually(() => waiting("message", step), messages[step]);
    expect(await available(step), step).toBe("");
    expect(await waiting("reason", step)).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
    const events = await at.get("{.items[*].message}", "events", "--namespace", step, "--field-selector", "reason=Failed");
    expect(events).toMatch(messages[step]);
  }
  for (const [step, does] of todo) {
    await does();
    await at.eventually(() => available(step), "1");
  }
  const [imageId] = (await at.get("{.items[*].status.containerStatuses[*].imageID}", "pods", "--namespace", "pushed")).split(" ");
  expect(imageId).toMatch(/^pushed-vpc\.registry\.container-platform\.internal\/team\/web@sha256:[0-9a-f]{64}$/);
});

test("the service account of a namespace gives its pods its secrets", async () => {
  const at = await servedCluster({ nodes: 1 });
  await allBut(at, "referenced");
  const account = JSON.stringify({ imagePullSecrets: [{ name: "login" }] });
  await at.eventually(() => at.get("{.metadata.name}", "serviceaccount", "default", "--namespace", "referenced"), "default");
  await at.kubectl("patch", "serviceaccount", "default", "--namespace", "referenced", "--patch", account);
  await at.kubectl("delete", "pods", "--all", "--namespace", "referenced");
  await at.eventually(() => at.get("{.status.availableReplicas}", "deployment", "web", "--namespace", "referenced"), "1");
});
