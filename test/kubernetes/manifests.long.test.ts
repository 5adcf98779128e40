import { expect, test } from "vitest";
import { clientWith, deploymentOf, type ServedCluster, servedCluster } from "./served-cluster.ts";

type Manifest = readonly [what: string, object: object, path: string, ends: string | RegExp];

const metadata = (name: string) => ({ name, namespace: "default" });
const pods = (name: string, spec: object = {}) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name, image: "nginx", resources: { requests: { cpu: "20m" } } }], ...spec },
});
const workload = (kind: string, name: string, more: object = {}, spec: object = {}) => ({
  apiVersion: kind === "Job" ? "batch/v1" : "apps/v1",
  kind,
  metadata: metadata(name),
  spec: { selector: { matchLabels: { app: name } }, template: pods(name, spec), ...more },
});
const service = (name: string, spec: object) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: metadata(name),
  spec: { selector: { app: "web" }, ports: [{ port: 80 }], ...spec },
});
const claim = (name: string, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: metadata(name),
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const never = { restartPolicy: "Never" };
const mounted = (volume: object) => ({
  volumes: [{ name: "data", ...volume }],
  containers: [{ name: "app", image: "nginx", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
});
const address = "{.status.loadBalancer.ingress[*].ip}";
const ipv4 = /^192\.0\.2\.\d+$/;
const ipv6 = /^3fff::[0-9a-f:]+$/;
const both = /^192\.0\.2\.\d+ 3fff::[0-9a-f:]+$/;

const manifests: readonly Manifest[] = [
  ["a Deployment", deploymentOf("web", { replicas: 2 }), "{.status.availableReplicas}", "2"],
  [
    "a StatefulSet with claims",
    workload("StatefulSet", "db", {
      serviceName: "db",
      replicas: 2,
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { ...(claim("x") as { spec: object }).spec } }],
    }),
    "{.status.availableReplicas}",
    "2",
  ],
  ["a DaemonSet", workload("DaemonSet", "agent"), "{.status.numberReady}", "2"],
  ["a Job", workload("Job", "once", { selector: undefined }, never), "{.status.succeeded}", "1"],
  [
    "a CronJob",
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: metadata("often"),
      spec: { schedule: "* * * * *", jobTemplate: { spec: { template: pods("often", never) } } },
    },
    "{.status.lastSuccessfulTime}",
    /^20\d\d-/,
  ],
  ["a Service of type ClusterIP", service("inside", { ipFamilyPolicy: "RequireDualStack" }), "{.spec.clusterIPs[*]}", /^\S+ fd\S+$/],
  ["a Service of type NodePort", service("ports", { type: "NodePort" }), "{.spec.ports[0].nodePort}", /^3\d{4}$/],
  [
    "a Service of type ExternalName",
    service("name", { type: "ExternalName", externalName: "example.com" }),
    "{.spec.type}",
    "ExternalName",
  ],
  ["a headless Service", service("db", { clusterIP: "None", selector: { app: "db" } }), "{.spec.clusterIP}", "None"],
  ["a Service of type LoadBalancer", service("public", { type: "LoadBalancer" }), address, ipv4],
  ["one of IPv6", service("public6", { type: "LoadBalancer", ipFamilies: ["IPv6"] }), address, ipv6],
  ["one of both families", service("dual", { type: "LoadBalancer", ipFamilyPolicy: "RequireDualStack" }), address, both],
  [
    "an Ingress",
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: metadata("site"),
      spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } },
    },
    address,
    both,
  ],
  [
    "a PodDisruptionBudget",
    {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: metadata("web"),
      spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
    },
    "{.status.currentHealthy} {.status.disruptionsAllowed}",
    "2 1",
  ],
  ["a claim", claim("alone"), "{.status.phase} {.status.capacity.storage}", "Bound 1Gi"],
  [
    "pods with a ConfigMap and a Secret",
    workload("Deployment", "settings", {}, mounted({ projected: { sources: [{ configMap: { name: "a" } }, { secret: { name: "b" } }] } })),
    "{.status.availableReplicas}",
    "1",
  ],
  [
    "pods with init containers",
    workload("Deployment", "prepared", {}, { initContainers: [{ name: "first", image: "busybox" }] }),
    "{.status.availableReplicas}",
    "1",
  ],
  [
    "pods with probes",
    workload("Deployment", "probed", {}, { containers: [{ name: "app", image: "nginx", readinessProbe: { httpGet: { port: 80 } } }] }),
    "{.status.availableReplicas}",
    "1",
  ],
  [
    "a HorizontalPodAutoscaler",
    {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: metadata("agent"),
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "scaled" },
        maxReplicas: 3,
        metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }],
      },
    },
    "{.status.currentMetrics[0].resource.current.averageUtilization} {.status.desiredReplicas}",
    "50 1",
  ],
  ["what it scales", workload("Deployment", "scaled"), "{.status.availableReplicas}", "1"],
  [
    "pods that wait for their consumer's claim",
    workload("Deployment", "consumer", {}, mounted({ persistentVolumeClaim: { claimName: "later" } })),
    "{.status.availableReplicas}",
    "1",
  ],
];

/** What the manifests name: a class whose claims wait for a pod, a claim of it, a ConfigMap and a Secret. */
const named = [
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "later" },
    provisioner: "disk.container-platform",
    volumeBindingMode: "WaitForFirstConsumer",
  },
  claim("later", { storageClassName: "later" }),
  { apiVersion: "v1", kind: "ConfigMap", metadata: metadata("a"), data: { key: "value" } },
  { apiVersion: "v1", kind: "Secret", metadata: metadata("b"), stringData: { key: "value" } },
];

const kindOf = (object: object): string => String(Reflect.get(object, "kind")).toLowerCase();
const nameOf = (object: object): string => (Reflect.get(object, "metadata") as { name: string }).name;

test("manifests of all usual kinds end ready", { timeout: 300_000 }, async () => {
  const at = await servedCluster();
  await at.apply(...named, ...manifests.map(([, object]) => object));
  for (const [what, object, path, ends] of manifests)
    await expect
      .poll(() => at.get(path, kindOf(object), nameOf(object)), { interval: 500, timeout: 90_000, message: what })
      .toMatch(typeof ends === "string" ? new RegExp(`^${ends}$`) : ends);
  expect(await at.get("{.status.phase}", "pvc", "later")).toBe("Bound");
  const given = (await at.get("{.items[*].status.loadBalancer.ingress[*].ip}", "services")).split(" ");
  given.push(...(await at.get(address, "ingress", "site")).split(" "));
  expect(new Set(given).size).toBe(6);
  expect(await at.kubectl("top", "pods")).toMatch(/web-\S+ +10m +16Mi/);
});

test("a load balancer keeps its addresses over a restart, and frees them with its Service; a volume goes with its claim", async () => {
  const at = await servedCluster();
  const balancer = (name: string) => service(name, { type: "LoadBalancer", ipFamilyPolicy: "RequireDualStack" });
  await at.apply(balancer("first"), balancer("second"), claim("data"));
  const addressesOf = (client: Pick<ServedCluster, "get">, name: string) => client.get(address, "service", name);
  await at.eventually(() => addressesOf(at, "first"), both);
  await at.eventually(() => addressesOf(at, "second"), both);
  await at.eventually(() => at.get("{.status.phase}", "pvc", "data"), "Bound");
  const [first, second] = [await addressesOf(at, "first"), await addressesOf(at, "second")];
  await at.server.close();
  const next = await at.start();
  const client = clientWith(await at.kubeconfigOf(at.clusterId));
  await client.eventually(() => addressesOf(client, "first"), first);
  await client.kubectl("delete", "service", "first");
  await client.kubectl("patch", "service", "second", "--patch", JSON.stringify({ spec: { type: "ClusterIP" } }));
  await client.apply(balancer("third"), balancer("fourth"));
  await client.eventually(() => addressesOf(client, "third"), both);
  await client.eventually(() => addressesOf(client, "fourth"), both);
  expect(new Set([await addressesOf(client, "third"), await addressesOf(client, "fourth")])).toEqual(new Set([first, second]));
  expect(await addressesOf(client, "second")).toBe("");
  await client.kubectl("delete", "pvc", "data");
  await client.eventually(() => client.kubectl("get", "pv"), /No resources found/);
  await next.close();
});

test("a cluster starts again if a webhook that does not answer refuses all changes of what the cluster has from the start", async () => {
  const at = await servedCluster();
  const resources = ["services", "endpointslices", "ingressclasses", "storageclasses", "csidrivers", "apiservices"];
  const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources }];
  const clientConfig = { service: { namespace: "default", name: "absent" } };
  const webhook = { name: "guard.example.com", sideEffects: "None", admissionReviewVersions: ["v1"], failurePolicy: "Fail" };
  await at.apply({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "guard" },
    webhooks: [{ ...webhook, clientConfig, rules }],
  });
  await at.eventually(() => at.kubectl("create", "service", "clusterip", "refused", "--tcp=80"), /failed calling webhook/);
  await at.server.close();
  const next = await at.start();
  const client = clientWith(await at.kubeconfigOf(at.clusterId));
  expect(await client.get("{.metadata.name}", "service", "metrics-server", "--namespace", "kube-system")).toBe("metrics-server");
  await next.close();
});
