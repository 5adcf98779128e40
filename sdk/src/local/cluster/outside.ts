import { X509Certificate } from "node:crypto";
import { parse } from "yaml";
import { z } from "zod";
import { addressFamily, contains } from "../../addresses.ts";
import { createNodePool } from "../../catalogue/cluster/node-pools.ts";
import { InputError } from "../../errors.ts";
import { Call } from "../behaviour.ts";
import { Faults } from "../faults.ts";
import type { World } from "../world.ts";
import { makePool } from "./node-pools.ts";
import { clusterRoles } from "./permission-tables.ts";
import { roleId } from "./permissions.ts";
import { endpointStateAt } from "./states.ts";
import { authorities, clusterEndpoints, clusters, unreachableAddresses } from "./tables.ts";

/** What happens to clusters outside of the interface: tests put it into the world, and look from where a Kubernetes client stands. */

interface NewPool {
  readonly region: string;
  readonly clusterId: string;
  readonly name?: string;
  /** Wished number of nodes; 0 unless given. */
  readonly replicas?: number;
  /** Subnets of its nodes; the cluster's own unless given. */
  readonly subnetIds?: readonly string[];
  readonly instanceType?: string;
}

/**
 * Puts a node pool of the older kind (2018-05-25) into a cluster, and answers its id.
 *
 * @throws InputError if there is no such cluster.
 */
export function putNodePool2018(world: World, { region, clusterId, ...given }: NewPool): Promise<string> {
  return world.transaction(() => {
    const call = outsideCall(world, region);
    const cluster = call.rows(clusters).get(clusterId);
    if (!cluster) throw new InputError(`there is no cluster ${clusterId} in ${region}`);
    const { replicas = 0, name = "outside", subnetIds = [cluster.subnetId], instanceType = "SA5.MEDIUM4" } = given;
    const pool = makePool(call, cluster, {
      generation: "2018",
      name,
      labels: [],
      taints: [],
      annotations: [],
      tags: [],
      deletionProtection: false,
      unschedulable: false,
      settings: {
        scaling: { minReplicas: 0, maxReplicas: Math.max(replicas, 1), createPolicy: "ZoneEquality" },
        replicas,
        enableAutoscaling: false,
        subnetIds: [...subnetIds],
        securityGroupIds: [],
        instanceTypes: [instanceType],
        instanceChargeType: "POSTPAID_BY_HOUR",
        systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
        dataDisks: [],
        keyIds: [],
        autoRepair: false,
        healthCheckPolicyName: "",
        hostNamePattern: "",
        kubeletArgs: [],
        runtimeRootDir: "/var/lib/containerd",
        machineType: "",
        customImage: "",
        automationService: true,
      },
      regular: {
        launchConfigurationId: world.newId("asc"),
        autoscalingGroupId: world.newId("asg"),
        instanceAdvancedSettings: {},
      },
    });
    return pool.id;
  });
}

/**
 * Puts a role into a cluster: a Role if it has a namespace, otherwise a ClusterRole.
 *
 * @throws InputError if there is no such cluster.
 */
export function putRole(
  world: World,
  { region, clusterId, name, namespace = "" }: { region: string; clusterId: string; name: string; namespace?: string },
): Promise<void> {
  return world.transaction(() => {
    if (!world.rows(clusters, region).get(clusterId)) throw new InputError(`there is no cluster ${clusterId} in ${region}`);
    const id = roleId({ clusterId, namespace, name });
    const rows = world.rows(clusterRoles, region);
    if (!rows.get(id)) rows.insert({ id, namespace, name }, clusterId);
  });
}

/** Makes an address, of an issuer or of its keys, out of reach for the clusters of a region, or reachable again. */
export function setReachable(
  world: World,
  { region, address, reachable }: { region: string; address: string; reachable: boolean },
): Promise<void> {
  return world.transaction(() => {
    const rows = world.rows(unreachableAddresses, region);
    rows.remove(address);
    if (!reachable) rows.insert({ id: address });
  });
}

function outsideCall(world: World, region: string): Call {
  return new Call({
    world,
    faults: new Faults(world),
    operation: createNodePool,
    region,
    account: world.account,
    uin: world.account,
    requestId: world.draw().toString("hex").slice(0, 32),
    now: world.now(),
  });
}

const kubeconfigForm = z.object({
  clusters: z.tuple([z.object({ name: z.string(), cluster: z.object({ "certificate-authority-data": z.base64(), server: z.string() }) })]),
  users: z.tuple([z.object({ user: z.object({ "client-certificate-data": z.base64(), "client-key-data": z.base64() }) })]),
});

/**
 * What a Kubernetes client meets that uses a kubeconfig: `undefined` if it gets through, otherwise its complaint. From outside of
 * the VPC (`clientIp`) it needs the public endpoint, and an ACL that lets it in; from inside, the internal one (specification, rule 5).
 */
export function complaintOf(
  world: World,
  { region, kubeconfig, clientIp }: { region: string; kubeconfig: string; clientIp?: string },
): string | undefined {
  const {
    clusters: [cluster],
    users: [user],
  } = kubeconfigForm.parse(parse(kubeconfig));
  const now = world.now();
  const endpoint = world.rows(clusterEndpoints, region).get(`${cluster.name}/${clientIp === undefined ? "internal" : "public"}`);
  if (!endpoint || endpointStateAt(endpoint.timeline, now) !== "Created") return "timeout";
  if (clientIp !== undefined && endpoint.acl.length > 0 && !endpoint.acl.some((range) => letsIn(range, clientIp))) return "timeout";
  const authority = world.rows(authorities, region).get(cluster.name);
  const certificate = new X509Certificate(Buffer.from(user.user["client-certificate-data"], "base64"));
  if (!authority || !certificate.verify(new X509Certificate(authority.certificate).publicKey)) return "Unauthorized";
  if (authority.revoked.includes(certificate.serialNumber)) return "Unauthorized";
  if (now < certificate.validFromDate.getTime() || certificate.validToDate.getTime() <= now) return "certificate expired";
  return undefined;
}

function letsIn(range: string, address: string): boolean {
  const whole = (text: string) => (text.includes("/") ? text : `${text}/${addressFamily(text) === 6 ? 128 : 32}`);
  return contains(whole(range), whole(address));
}
