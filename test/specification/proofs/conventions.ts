import * as audit from "@container-platform/sdk/audit";
import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { loginComplaintOf, putImage, transferComplaintOf } from "@container-platform/sdk/local";
import { catalogue, fieldsIn } from "@container-platform/sdk/reference";
import { expect } from "vitest";
import { inSection, type Proof } from "../proof.ts";
import { overheard } from "../overheard.ts";
import {
  clusterIn,
  clusterWithNodes,
  groupIn,
  nativeBody,
  networkIn,
  newCluster,
  openCluster,
  refuses,
  registryIn,
  type Stage,
} from "../proof-stage.ts";

const conventions = inSection("Conventions");
const service = inSection("What the service does");
const clusterOperations = inSection("Endpoints / Cluster service operations (cluster)");
const versioning = inSection("Versioning");

/** A registry that a VPC is connected to, with the server by which it is pulled from there. */
async function connectedRegistry(stage: Stage) {
  const { cloud, region } = stage;
  const network = await networkIn(stage);
  const registryId = await registryIn(stage);
  await putImage(stage.world, { region, registryId, namespace: "team", repository: "web", version: "1.0.0" });
  await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", ...network });
  stage.pass(0.8);
  const connected = await cloud.call(registry.describeInternalEndpoints, { registryId });
  const [address = ""] = connected.internalEndpoint;
  await cloud.call(registry.createInternalEndpointDns, { instanceId: registryId, vpcId: network.vpcId, eniLbIp: address });
  stage.pass(0.3);
  const [record] = (await cloud.call(registry.describeInstances, { registryIds: [registryId] })).registries;
  const publicDomain = record?.publicDomain ?? "";
  const { username, token } = await cloud.call(registry.createInstanceToken, { registryId, tokenType: "temp" });
  return {
    registryId,
    connected,
    record,
    address,
    server: publicDomain.replace("acme-images.", "acme-images-vpc."),
    publicDomain,
    user: { username, password: token },
    from: { region, vpcId: network.vpcId },
    image: { namespace: "team", repository: "web", version: "1.0.0", doing: "pull" as const },
  };
}

export const conventionProofs: readonly Proof[] = [
  {
    title: "the products are cluster, registry, vpc, compute and audit, and three more of the public API",
    shows: conventions("point 2"),
    run: async ({ cloud }) => {
      expect(new Set(catalogue.map(({ product }) => product))).toEqual(
        new Set(["cluster", "registry", "vpc", "compute", "audit", "disk", "tag", "identity"]),
      );
      expect(
        catalogue.filter(({ product, source }) => ["disk", "tag", "identity"].includes(product) && source === "specification"),
      ).toEqual([]);
      const window = { startTime: 0, endTime: Math.floor(cloud.now() / 1000) };
      const answers = [
        await cloud.call(cluster.describeClusters, {}),
        await cloud.call(registry.describeInstances, {}),
        await cloud.call(vpc.describeVpcs, {}),
        await cloud.call(compute.describeZones, {}),
        await cloud.call(audit.lookUpEvents, window),
      ];
      expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(answers.length);
      for (const { requestId } of answers) expect(requestId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  },
  {
    title: "provider names are neutral: svc: roles, reg: actions, UseServiceDefault, AccessMgmtNoAuth",
    shows: conventions("point 3"),
    run: async (stage) => {
      const { clusterId } = await clusterIn(stage);
      const { ServiceAccounts } = await stage.send("cluster", "DescribeClusterAuthenticationOptions", { ClusterId: clusterId });
      expect(ServiceAccounts).toMatchObject({ UseServiceDefault: true });
      expect(Object.keys(cluster.presetRoles).every((name) => name.startsWith("svc:"))).toBe(true);
      expect(registry.registryActions.every((name) => name.startsWith("reg:"))).toBe(true);
      stage.faults.add({ operation: vpc.describeVpcs, when: "before", code: "UnauthorizedOperation.AccessMgmtNoAuth" });
      await expect(stage.cloud.call(vpc.describeVpcs, {})).rejects.toMatchObject({ kind: "unauthorized" });
    },
  },
  {
    title: "the body of every response has its own RequestId, after success and after an error",
    shows: [
      ...conventions("point 5"),
      ...clusterOperations("DescribeClusterKubeconfig", "CreateNodePool (version 2022-05-01)"),
      ...inSection("Endpoints / Registry service operations (registry)")("CreateNamespace"),
      ...inSection("Endpoints / Network, zone and audit operations")("CreateSecurityGroupPolicies (vpc)"),
    ],
    run: async (stage) => {
      const { clusterId, subnetId } = await clusterIn(stage);
      const registryId = await registryIn(stage);
      const SecurityGroupId = await groupIn(stage);
      await using wire = await overheard(stage);
      const ids: string[] = [];
      for (const operation of catalogue) ids.push((await wire.answerTo(operation)).RequestId);
      const pool = { ClusterId: clusterId, Name: "workers", Type: "Native", Native: nativeBody(subnetId) };
      const rule = { Protocol: "ALL", Port: "ALL", CidrBlock: "10.0.0.0/8", Action: "ACCEPT" };
      for (const [operation, body, told] of [
        [cluster.describeClusterKubeconfig, { ClusterId: clusterId }, ["Kubeconfig"]],
        [cluster.createNodePool, pool, ["NodePoolId"]],
        [registry.createNamespace, { RegistryId: registryId, NamespaceName: "shop", IsPublic: false }, []],
        [vpc.createSecurityGroupPolicies, { SecurityGroupId, SecurityGroupPolicySet: { Ingress: [rule] } }, []],
      ] as const) {
        const answer = await wire.answerTo(operation, body);
        expect(Object.keys(answer).toSorted()).toEqual([...told, "RequestId"]);
        ids.push(answer.RequestId);
      }
      expect(new Set(ids).size).toBe(catalogue.length + 4);
    },
  },
  {
    title: "a cluster requires a VPC and a subnet",
    shows: service("rule 3"),
    run: async (stage) => {
      const { vpcId } = await networkIn(stage);
      const ranges = { ClusterCIDRSettings: { ClusterCIDR: "172.16.0.0/16" } };
      await refuses(stage.send("cluster", "CreateCluster", ranges), "MissingParameter", "VpcId is required");
      await refuses(stage.send("cluster", "CreateCluster", { ...ranges, VpcId: vpcId }), "MissingParameter", "SubnetId is required");
    },
  },
  {
    title: "the API does not have operations for Kubernetes resources and image transfers",
    shows: service("rule 5"),
    run: async (stage) => {
      for (const action of ["CreateDeployment", "ListPods", "ApplyManifest", "PushImage", "PullImage"])
        expect(catalogue.some((operation) => operation.action === action)).toBe(false);
      await refuses(stage.send("cluster", "ListPods", {}, "2018-05-25"), "InvalidAction");
      await refuses(stage.send("registry", "PushImage", {}, "2019-09-24"), "InvalidAction");
    },
  },
  {
    title: "a cluster pulls over the VPC with a temporary token, from the dedicated domain of a connected registry",
    shows: service("rule 6", "rule 6.1", "rule 6.2", "rule 6.3", "rule 6.5"),
    run: async (stage) => {
      const { connected, record, address, server, publicDomain, user, from, image } = await connectedRegistry(stage);
      expect(record?.status).toBe("Running");
      expect(connected.totalCount).toBe(1);
      expect(record?.internalEndpoint).toBe(address);
      const pull = (name: string, credentials = user) =>
        transferComplaintOf(stage.world, { server: name, user: credentials, from, ...image });
      expect(pull(server)).toBeUndefined();
      // The internal address only proves the connection, and the public domain leads outside.
      expect(pull(address)).toBe("timeout");
      expect(pull(publicDomain)).toBe("timeout");
      expect(pull(server, { ...user, password: "wrong" })).toBe("unauthorized");
    },
  },
  {
    title: "clients outside of the VPC pull from PublicDomain with an allowed address, and cannot pull from the servers of the VPC",
    shows: service("rule 6.5"),
    run: async (stage) => {
      const { cloud } = stage;
      const { registryId, server, address, publicDomain, user, image } = await connectedRegistry(stage);
      await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
      stage.pass(0.8);
      await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.7/32", description: "office" });
      const pull = (name: string, clientIp: string) =>
        transferComplaintOf(stage.world, { server: name, user, from: { clientIp }, ...image });
      expect([publicDomain, server, address].map((name) => pull(name, "203.0.113.7"))).toEqual([undefined, "timeout", "timeout"]);
      expect(pull(publicDomain, "203.0.113.8")).toBe("403");
    },
  },
  {
    title: "a new registry is not connected to a VPC, and a VPC without a connection cannot reach it",
    shows: [...service("rule 6.1"), ...inSection("Authentication")("rule 9")],
    run: async (stage) => {
      const { vpcId } = await networkIn(stage);
      const registryId = await registryIn(stage);
      expect(await stage.cloud.call(registry.describeInternalEndpoints, { registryId })).toMatchObject({
        totalCount: 0,
        internalEndpoint: [],
      });
      const { username, token: password } = await stage.cloud.call(registry.createInstanceToken, { registryId });
      const from = { region: stage.region, vpcId };
      const server = "acme-images-vpc.registry.container-platform.internal";
      expect(loginComplaintOf(stage.world, { server, username, password, from })).toBe("timeout");
    },
  },
  {
    title: "the cluster service has the version 2018-05-25, and its newer actions the version 2022-05-01",
    shows: versioning("rule 1", "rule 2"),
    run: async (stage) => {
      const { clusterId, subnetId } = await clusterIn(stage);
      const body = { ClusterId: clusterId };
      await stage.send("cluster", "RotateClusterToken", body, "2018-05-25");
      await refuses(stage.send("cluster", "RotateClusterToken", body, "2022-05-01"), "NoSuchVersion");
      const pool = { ...body, Name: "workers", Type: "Native", Native: nativeBody(subnetId) };
      await refuses(stage.send("cluster", "CreateNodePool", pool, "2018-05-25"), "NoSuchVersion");
      expect(await stage.send("cluster", "CreateNodePool", pool, "2022-05-01")).toMatchObject({
        NodePoolId: expect.stringMatching(/^np-/),
      });
      const drivers = await stage.send("cluster", "DescribeGPUInfo", { InstanceType: "GN7.2XLARGE32" }, "2022-05-01");
      expect(drivers).toMatchObject({ GPUParams: [{ Driver: "570.158.01", CUDA: "12.8.1", CUDNN: "9.8.0" }, { Driver: "535.216.01" }] });
      const none = stage.send("cluster", "DescribeGPUInfo", { InstanceType: "SA5.MEDIUM4" }, "2022-05-01");
      await refuses(none, "InvalidParameter.Param");
    },
  },
  {
    title: "the requested version determines the parameters and responses of an action",
    shows: versioning("rule 3"),
    run: async (stage) => {
      const { clusterId } = await clusterWithNodes(stage);
      const body = { ClusterId: clusterId, InstanceRole: "WORKER" };
      expect(await stage.send("cluster", "DescribeClusterInstances", body, "2018-05-25")).toMatchObject({
        InstanceSet: [{ DrainStatus: "", InstanceAdvancedSettings: {} }],
      });
      await refuses(stage.send("cluster", "DescribeClusterInstances", body, "2022-05-01"), "InvalidParameter");
      const newer = await stage.send("cluster", "DescribeClusterInstances", { ClusterId: clusterId }, "2022-05-01");
      expect(newer).toMatchObject({ InstanceSet: [{ NodeType: "Native" }] });
      expect(JSON.stringify(newer)).not.toContain("DrainStatus");
    },
  },
  {
    title: "registry, network, compute and audit actions have one version each",
    shows: versioning("rule 4"),
    run: async (stage) => {
      const versions = new Map(
        ["registry", "vpc", "compute", "audit"].map((product) => [
          product,
          [...new Set(catalogue.filter((operation) => operation.product === product).map(({ version }) => version))],
        ]),
      );
      expect(Object.fromEntries(versions)).toEqual({
        registry: ["2019-09-24"],
        vpc: ["2017-03-12"],
        compute: ["2017-03-12"],
        audit: ["2019-03-19"],
      });
      await refuses(stage.send("vpc", "DescribeVpcs", {}, "2018-05-25"), "NoSuchVersion");
    },
  },
  {
    title: "a node of a cluster is listed with its state, whether it is drained, and its settings",
    shows: [
      ...inSection("Resources and their fields / Node (cluster instance)")("paragraph 1"),
      ...clusterOperations("DescribeClusterInstances"),
    ],
    run: async (stage) => {
      const { clusterId, vpcId, subnetId, instanceIds } = await clusterWithNodes(stage, 2);
      const list = async () => (await stage.send("cluster", "DescribeClusterInstances", { ClusterId: clusterId }))["InstanceSet"];
      const runs = { InstanceState: "running", DrainStatus: "", InstanceAdvancedSettings: { Unschedulable: 0 } };
      const [one = "", two = ""] = instanceIds;
      expect(await list()).toMatchObject([
        { InstanceId: one, ...runs },
        { InstanceId: two, ...runs },
      ]);
      const other = await newCluster(stage, { vpcId, subnetId }, { name: "two", cidr: "172.17.0.0/16" });
      expect(await stage.send("cluster", "DescribeClusterInstances", { ClusterId: other })).toMatchObject({ InstanceSet: [] });
      const removed = { ClusterId: clusterId, InstanceIds: [one], InstanceDeleteMode: "terminate" };
      await stage.send("cluster", "DeleteClusterInstances", removed);
      expect(await list()).toMatchObject([
        { InstanceId: one, DrainStatus: "draining" },
        { InstanceId: two, ...runs },
      ]);
    },
  },
  {
    title: "fields that the specification does not show have the names of the public API and a description",
    shows: inSection("Resources and their fields / Task")("paragraph 1"),
    run: async (stage) => {
      const { clusterId } = await openCluster(stage);
      const filter = [
        { name: "ClusterId", values: [clusterId] },
        { name: "TaskType", values: ["create_cluster"] },
      ];
      const { tasks } = await stage.cloud.call(cluster.describeTasks, { filter });
      expect(tasks).toMatchObject([{ taskType: "create_cluster", lifeState: "done", clusterId, lastError: "" }]);
      const paths = fieldsIn(cluster.describeTasks.output).map(({ path }) => path);
      expect(paths).toEqual([
        "Tasks",
        ...["LifeState", "TargetObj", "Param", "TaskType", "LastError", "ClusterID", "CreatedAt", "UpdatedAt", "TaskID"].map(
          (name) => `Tasks[].${name}`,
        ),
      ]);
    },
  },
];
