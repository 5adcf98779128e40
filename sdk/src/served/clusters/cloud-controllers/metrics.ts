import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { ApiClient } from "../control-plane/api-client.ts";
import { serverInCluster } from "../control-plane/egress.ts";
import { ensure, metadata, timestamp } from "../control-plane/watched.ts";
import type { Keeping } from "./keeping.ts";

/** What a container uses, unless annotations of its pod say otherwise: nothing runs in it. */
const usual = { cpu: "10m", memory: "16Mi" } as const;
const annotationOf = { cpu: "container-platform/cpu-usage", memory: "container-platform/memory-usage" } as const;

const api = "metrics.k8s.io/v1beta1";
const [namespace, name, port] = ["kube-system", "metrics-server", 443];

/** The paths of metrics, which are those of the pods or nodes themselves. */
const metricsPath = new RegExp(`^/apis/${api}/(?<path>(?:namespaces/[^/]+/(?=pods))?(?<kind>pods|nodes)(?:/[^/]+)?)$`);

const service = z.object({ spec: z.object({ clusterIP: z.string() }) });
const list = z.object({ items: z.array(z.unknown()) });
const pod = z.object({
  metadata,
  spec: z.object({ containers: z.array(z.object({ name: z.string() })) }),
  status: z.object({ phase: z.string().default("") }).prefault({}),
});
const node = z.object({ metadata });

/** Serves the usage of pods and nodes to `kubectl top` and to HorizontalPodAutoscalers. */
export async function serveMetrics({ controlPlane }: Keeping): Promise<void> {
  const server = await serverInCluster(name, (request, response) => void answer(controlPlane.api, request, response));
  const address = await addressIn(controlPlane.api);
  controlPlane.egress.takers.push((target, connection) => {
    return target.host === address && target.port === port && server.emit("connection", connection);
  });
  const group = { group: "metrics.k8s.io", version: "v1beta1", groupPriorityMinimum: 100, versionPriority: 100 };
  await ensure(controlPlane.api, "/apis/apiregistration.k8s.io/v1/apiservices", {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: "v1beta1.metrics.k8s.io" },
    spec: { ...group, service: { namespace, name, port }, insecureSkipTLSVerify: true },
  });
}

/** The address of the Service that stands for the server. The API server asks for an endpoint, and connects to neither. */
async function addressIn(client: ApiClient): Promise<string> {
  const services = `/api/v1/namespaces/${namespace}/services`;
  const ports = [{ name: "https", port, protocol: "TCP" }];
  await ensure(client, services, { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { ports } });
  await ensure(client, `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.1"], conditions: { ready: true } }],
    ports,
  });
  return service.parse(await client.expect("GET", `${services}/${name}`)).spec.clusterIP;
}

async function answer(client: ApiClient, { url = "" }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await metricsAt(client, url).catch((error: unknown) => ({ status: 500, body: { message: String(error) } }));
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** The metrics of the pods or nodes at a path, which the API server finds: its selectors are those of pods and nodes. */
async function metricsAt(client: ApiClient, url: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const { pathname, searchParams } = new URL(url, "https://metrics");
  if (pathname === `/apis/${api}`) return { status: 200, body: resources };
  const { path, kind } = metricsPath.exec(pathname)?.groups ?? {};
  if (path === undefined) return { status: 404, body: { kind: "Status", apiVersion: "v1", status: "Failure", code: 404 } };
  const selector = new URLSearchParams({ labelSelector: searchParams.get("labelSelector") ?? "" });
  const found = await client.ask("GET", `/api/v1/${path}?${selector.toString()}`);
  if (found.status !== 200) return found;
  const isOfPods = kind === "pods";
  const metricsOf = (object: unknown) => (isOfPods ? podMetrics(pod.parse(object)) : nodeMetrics(node.parse(object)));
  const many = list.safeParse(found.body);
  if (!many.success) return { status: 200, body: metricsOf(found.body) };
  const items = many.data.items.flatMap((item) => (isOfPods && pod.parse(item).status.phase !== "Running" ? [] : [metricsOf(item)]));
  return { status: 200, body: { kind: isOfPods ? "PodMetricsList" : "NodeMetricsList", apiVersion: api, metadata: {}, items } };
}

const resources = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: api,
  resources: [
    { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs: ["get", "list"] },
    { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs: ["get", "list"] },
  ],
};

function podMetrics({ metadata: { name, namespace, labels, annotations }, spec }: z.output<typeof pod>): object {
  const usage = {
    cpu: annotations[annotationOf.cpu] ?? usual.cpu,
    memory: annotations[annotationOf.memory] ?? usual.memory,
  };
  const containers = spec.containers.map((container) => ({ name: container.name, usage }));
  return { kind: "PodMetrics", apiVersion: api, metadata: { name, namespace, labels }, ...window(), containers };
}

function nodeMetrics({ metadata: { name, labels } }: z.output<typeof node>): object {
  return { kind: "NodeMetrics", apiVersion: api, metadata: { name, labels }, ...window(), usage: usual };
}

function window(): object {
  return { timestamp: timestamp(), window: "15s" };
}
