import { X509Certificate } from "node:crypto";
import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import * as vpc from "@container-platform/sdk/vpc";
import { withServer } from "@container-platform/sdk";
import { complaintOf, putEdgeModule, putExternalNode, putInstance, putRole, setReachable } from "@container-platform/sdk/local";
import { catalogue, fieldsIn } from "@container-platform/sdk/reference";
import { expect } from "vitest";
import { parse } from "yaml";
import { inSection, type Proof } from "../proof.ts";
import {
  type Body,
  clusterIn,
  clusterWithNodes,
  codeOf,
  groupIn,
  nativeBody,
  nativeSettings,
  networkIn,
  newCluster,
  openCluster,
  refusalOf,
  refuses,
  type Stage,
  subnetIn,
} from "../proof-stage.ts";

const resources = "Resources and their fields";
const record = inSection(`${resources} / Cluster`);
const permission = inSection(`${resources} / Permission (RBAC grant to a sub-account)`);
const states = inSection("States and transitions / State values");
const transitions = inSection("States and transitions / Transitions");
const operations = inSection("Endpoints / Cluster service operations (cluster)");
const authentication = inSection("Authentication");
const errors = inSection("Errors");
const service = inSection("What the service does");
const limits = inSection("Limits");

const manyOperations =
  "CreateCluster, AddExistedInstances, CreateClusterNodePool, CreateExternalNodePool, ScaleOutClusterMaster, CreateECMInstances";

const uin = "100000000002";
const otherUin = "100000000003";
const nobody = "cls-00000000";
const outsideIp = "203.0.113.7";

async function stateOf({ cloud }: Stage, clusterId: string) {
  return (await cloud.call(cluster.describeClusterStatus, { clusterIds: [clusterId] })).clusterStatusSet[0];
}

async function kubeconfigOf({ cloud }: Stage, clusterId: string, isExtranet = true): Promise<string> {
  return (await cloud.call(cluster.describeClusterKubeconfig, { clusterId, isExtranet })).kubeconfig;
}

/** What a Kubernetes client meets: outside of the VPC with an address, inside without. */
function complaint({ world, region }: Stage, kubeconfig: string, clientIp?: string): string | undefined {
  return complaintOf(world, { region, kubeconfig, ...(clientIp !== undefined && { clientIp }) });
}

function tasksOf(stage: Stage, ...filter: Body[]): Promise<Body> {
  return stage.send("cluster", "DescribeTasks", { Filter: filter });
}

function valuesOf(Name: string, ...Values: string[]): Body {
  return { Name, Values };
}

export const clusterProofs: readonly Proof[] = [
  {
    title: "a cluster is Creating, then Running; a cluster that stays Creating has its state and start time",
    shows: [
      ...states("Cluster, ClusterState", "Cluster, ClusterInstanceState"),
      ...transitions("(none), CreateCluster"),
      ...operations("DescribeClusterStatus"),
    ],
    run: async (stage) => {
      const network = await networkIn(stage);
      const well = await newCluster(stage, network);
      const status = async (...ClusterIds: string[]) =>
        (await stage.send("cluster", "DescribeClusterStatus", { ClusterIds }))["ClusterStatusSet"];
      const first = { ClusterId: well, ClusterState: "Creating", ClusterInstanceState: "AllNormal", ClusterDeletionProtection: false };
      expect(await status(well)).toMatchObject([first]);
      stage.pass(3);
      expect(await status(well)).toMatchObject([{ ...first, ClusterState: "Running" }]);
      await stage.cloud.call(cluster.enableClusterDeletionProtection, { clusterId: well });
      stage.faults.add({ resourceType: "cluster", endState: "Creating", reason: "the control plane does not come" });
      const since = stage.world.now();
      const stuck = await newCluster(stage, network, { name: "two", cidr: "172.17.0.0/16" });
      // That this long is abnormal is the client's to say: `elsewhere` has who says it.
      stage.pass(31 * 60);
      const [told] = (await stage.cloud.call(cluster.describeClusters, { clusterIds: [stuck] })).clusters;
      expect([told?.clusterState, Date.parse(told?.createdTime ?? "")]).toEqual(["Creating", Math.floor(since / 1000) * 1000]);
      expect(await status(stuck)).toMatchObject([{ ClusterId: stuck, ClusterState: "Creating", ClusterDeletionProtection: false }]);
      expect(await status(well, stuck)).toMatchObject([{ ClusterId: well, ClusterDeletionProtection: true }, { ClusterId: stuck }]);
    },
  },
  {
    title: "a cluster is AllNormal if all nodes are healthy, and not AllNormal if a node failed",
    shows: [
      ...states("Cluster, ClusterInstanceState", "Node, InstanceState"),
      ...operations("DescribeClusterInstances"),
      ...inSection(`${resources} / Node (cluster instance)`)("paragraph 1"),
    ],
    run: async (stage) => {
      const { cloud, faults } = stage;
      const { clusterId, subnetId } = await clusterWithNodes(stage, 2);
      expect(await stateOf(stage, clusterId)).toMatchObject({ clusterInstanceState: "AllNormal", clusterRunningNodeNum: 2 });
      faults.add({ resourceType: "node", endState: "failed", reason: "no machine of that type" });
      const native = { ...nativeSettings(subnetId), replicas: 2 };
      await cloud.call(cluster.createNodePool, { clusterId, name: "more", type: "Native", native });
      const nodes = async () =>
        (await cloud.call(cluster.describeClusterInstances, { clusterId })).instanceSet.map(({ instanceState }) => instanceState);
      expect([await nodes(), (await stateOf(stage, clusterId))?.clusterInstanceState]).toEqual([
        ["running", "running", "initializing", "initializing"],
        "AllNormal",
      ]);
      stage.pass(2.5);
      expect([await nodes(), (await stateOf(stage, clusterId))?.clusterInstanceState]).toEqual([
        ["running", "running", "failed", "running"],
        "PartialAbnormal",
      ]);
      expect(cluster.instanceStates).toEqual(["initializing", "running", "failed"]);
    },
  },
  {
    title: "deletion protection blocks DeleteCluster until it is disabled; disabling it twice is allowed",
    shows: [
      ...states("Cluster, ClusterDeletionProtection"),
      ...transitions("deletion protection true, DisableClusterDeletionProtection", "deletion protection true, DeleteCluster"),
      ...operations("DisableClusterDeletionProtection", "DeleteCluster"),
      ...service("rule 1"),
      ...errors("protection error on DeleteCluster"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const { clusterId } = await clusterIn(stage);
      const isProtected = async () => (await stateOf(stage, clusterId))?.clusterDeletionProtection;
      const drop = () => cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
      await cloud.call(cluster.disableClusterDeletionProtection, { clusterId });
      await cloud.call(cluster.enableClusterDeletionProtection, { clusterId });
      await refuses(drop(), "OperationDenied.ClusterInDeletionProtection");
      expect([await isProtected(), (await stateOf(stage, clusterId))?.clusterState]).toEqual([true, "Running"]);
      await cloud.call(cluster.disableClusterDeletionProtection, { clusterId });
      expect(await isProtected()).toBe(false);
      await drop();
      expect((await stateOf(stage, clusterId))?.clusterState).toBe("Deleting");
      stage.pass(1.5);
      expect(await stateOf(stage, clusterId)).toBeUndefined();
    },
  },
  {
    title: "terminate deletes the instances of a deleted cluster",
    shows: operations("DeleteCluster"),
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const { clusterId, vpcId, subnetId } = await clusterIn(stage);
      const instanceId = await putInstance(world, { region, vpcId, subnetId });
      await cloud.call(cluster.addExistedInstances, { clusterId, instanceIds: [instanceId] });
      await cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
      stage.pass(2);
      expect(await stage.send("compute", "DescribeInstances", {})).toMatchObject({ TotalCount: 0 });
    },
  },
  {
    title: "an endpoint returns its address as soon as it is Created, and requires a security group or a subnet",
    shows: [
      ...transitions("cluster endpoint absent, CreateClusterEndpoint"),
      ...operations("CreateClusterEndpoint", "DescribeClusterEndpoints"),
      ...record("ClusterExternalEndpoint", "ClusterIntranetEndpoint"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const { clusterId, subnetId } = await clusterWithNodes(stage);
      const addresses = () => stage.send("cluster", "DescribeClusterEndpoints", { ClusterId: clusterId });
      expect(await addresses()).toMatchObject({
        ClusterExternalEndpoint: "",
        ClusterIntranetEndpoint: "",
        Domain: expect.stringContaining(clusterId),
      });
      await refuses(stage.send("cluster", "CreateClusterEndpoint", { ClusterId: clusterId, SubnetId: subnetId }), "MissingParameter");
      for (const isExtranet of [true, false])
        await refuses(cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet }), "MissingParameter");
      const securityGroup = await groupIn(stage);
      const open = () => cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
      await open();
      await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: false, subnetId });
      expect(await addresses()).toMatchObject({ ClusterExternalEndpoint: "", ClusterIntranetEndpoint: "", SecurityGroup: securityGroup });
      stage.pass(1.5);
      await refuses(open(), "ResourceInUse");
      const { ClusterExternalEndpoint, ClusterIntranetEndpoint, ...others } = await addresses();
      const { certificationAuthority } = await cloud.call(cluster.describeClusterEndpoints, { clusterId });
      expect(new X509Certificate(certificationAuthority).ca).toBe(true);
      expect([ClusterExternalEndpoint, ClusterIntranetEndpoint]).toEqual([
        expect.stringMatching(/^203\.0\.113\.\d+$/),
        expect.stringMatching(/^10\.0\.0\.\d+$/),
      ]);
      expect(others).toMatchObject({ SecurityGroup: securityGroup, ClusterIntranetSubnetId: subnetId, ClusterExternalACL: [] });
      expect(await stage.send("cluster", "DescribeClusters", {})).toMatchObject({
        Clusters: [{ ClusterExternalEndpoint, ClusterIntranetEndpoint }],
      });
    },
  },
  {
    title: "a node leaves its node pool, then the cluster: terminate deletes its instance, retain keeps it",
    shows: [
      ...transitions("node in pool, RemoveNodeFromNodePool then DeleteClusterInstances"),
      ...operations("RemoveNodeFromNodePool", "DeleteClusterInstances"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const { clusterId, nodePoolId, instanceIds } = await clusterWithNodes(stage, 2);
      const [one = "", two = ""] = instanceIds;
      await cloud.call(cluster.removeNodeFromNodePool, { clusterId, nodePoolId, instanceIds: [one, two] });
      const nodes = async () => (await cloud.call(cluster.describeClusterInstances, { clusterId })).instanceSet;
      expect(await nodes()).toMatchObject([
        { instanceId: one, nodePoolId: "" },
        { instanceId: two, nodePoolId: "" },
      ]);
      const remove = async (InstanceIds: string[], InstanceDeleteMode: string) => {
        await stage.send("cluster", "DeleteClusterInstances", { ClusterId: clusterId, InstanceIds, InstanceDeleteMode });
        stage.pass(1);
      };
      const machines = async () => {
        const { instanceSet } = await cloud.call(compute.describeInstances, {});
        return instanceSet.map(({ instanceId }) => instanceId).toSorted();
      };
      // A pool's own machines are instances of the compute service once they are kept without it.
      await remove([one, two], "retain");
      expect([await nodes(), await machines()]).toEqual([[], [one, two].toSorted()]);
      await cloud.call(cluster.addExistedInstances, { clusterId, instanceIds: [one, two] });
      stage.pass(2);
      expect((await nodes()).map(({ instanceState }) => instanceState)).toEqual(["running", "running"]);
      await remove([one], "terminate");
      expect(await nodes()).toMatchObject([{ instanceId: two }]);
      expect(await machines()).toEqual([two]);
      await remove([two], "retain");
      expect([await nodes(), await machines()]).toEqual([[], [two]]);
    },
  },
  {
    title: "a failed node is removed from its node pool and its cluster, and its instance is deleted",
    shows: transitions("node in pool, RemoveNodeFromNodePool then DeleteClusterInstances"),
    run: async (stage) => {
      const { cloud, world, region, faults } = stage;
      const { clusterId, vpcId, subnetId } = await clusterIn(stage);
      const { nodePoolId } = await cloud.call(cluster.createClusterNodePool, {
        clusterId,
        autoScalingGroupPara: JSON.stringify({ VpcId: vpcId, SubnetIds: [subnetId], MinSize: 0, MaxSize: 2 }),
        launchConfigurePara: JSON.stringify({ InstanceType: "SA5.MEDIUM4" }),
        instanceAdvancedSettings: {},
        enableAutoscale: false,
      });
      stage.pass(1);
      const instanceIds = [await putInstance(world, { region, vpcId, subnetId })];
      faults.add({ resourceType: "node", endState: "failed", reason: "its disk is broken" });
      await cloud.call(cluster.addExistedInstances, { clusterId, instanceIds, nodePool: { addToNodePool: true, nodePoolId } });
      stage.pass(2);
      const nodes = async () => (await cloud.call(cluster.describeClusterInstances, { clusterId })).instanceSet;
      expect(await nodes()).toMatchObject([{ instanceState: "failed", nodePoolId }]);
      await cloud.call(cluster.removeNodeFromNodePool, { clusterId, nodePoolId, instanceIds });
      expect(await nodes()).toMatchObject([{ instanceState: "failed", nodePoolId: "" }]);
      expect(await cloud.call(compute.describeInstances, { instanceIds })).toMatchObject({ totalCount: 1 });
      await cloud.call(cluster.deleteClusterInstances, { clusterId, instanceIds, instanceDeleteMode: "terminate" });
      stage.pass(1);
      expect(await nodes()).toEqual([]);
      expect(await cloud.call(compute.describeInstances, {})).toMatchObject({ totalCount: 0 });
    },
  },
  {
    title: "ForceDelete is valid for initializing nodes, and terminate for pay-as-you-go nodes",
    shows: operations("DeleteClusterInstances"),
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const { clusterId, vpcId, subnetId } = await clusterIn(stage);
      const [byUse, byMonth] = [
        await putInstance(world, { region, vpcId, subnetId }),
        await putInstance(world, { region, vpcId, subnetId, chargeType: "PREPAID" }),
      ];
      await cloud.call(cluster.addExistedInstances, { clusterId, instanceIds: [byUse, byMonth] });
      const remove = (instanceId: string, instanceDeleteMode: "terminate" | "retain", forceDelete?: boolean) =>
        cloud.call(cluster.deleteClusterInstances, { clusterId, instanceIds: [instanceId], instanceDeleteMode, forceDelete });
      expect(await remove(byUse, "retain")).toMatchObject({ succInstanceIds: [], failedInstanceIds: [byUse] });
      expect(await remove(byUse, "retain", true)).toMatchObject({ succInstanceIds: [byUse] });
      stage.pass(2);
      await refuses(remove(byMonth, "retain", true), "InvalidParameter");
      await refuses(remove(byMonth, "terminate"), "InvalidParameter", byMonth);
      expect(await remove(byMonth, "retain")).toMatchObject({ succInstanceIds: [byMonth] });
      const wrong = { ClusterId: clusterId, InstanceIds: [byUse], InstanceDeleteMode: "destroy" };
      await refuses(stage.send("cluster", "DeleteClusterInstances", wrong), "InvalidParameter");
    },
  },
  {
    title: "a kubeconfig is returned as YAML, and old kubeconfigs stop working when their certificates are rotated",
    shows: [...operations("DescribeClusterKubeconfig", "UpdateClusterKubeconfig"), ...service("rule 1")],
    run: async (stage) => {
      const { clusterId } = await openCluster(stage);
      const { Kubeconfig } = await stage.send("cluster", "DescribeClusterKubeconfig", { ClusterId: clusterId, IsExtranet: true });
      const old = typeof Kubeconfig === "string" ? Kubeconfig : "";
      expect(parse(old)).toMatchObject({ apiVersion: "v1", clusters: [{ name: clusterId }], contexts: [{}], users: [{}] });
      expect(complaint(stage, old, outsideIp)).toBeUndefined();
      await stage.cloud.call(cluster.updateClusterKubeconfig, { clusterId });
      expect(complaint(stage, old, outsideIp)).toBe("Unauthorized");
      const second = await kubeconfigOf(stage, clusterId);
      expect(complaint(stage, second, outsideIp)).toBeUndefined();
      await stage.cloud.call(cluster.updateClusterKubeconfig, { clusterId });
      expect([old, second].map((one) => complaint(stage, one, outsideIp))).toEqual(["Unauthorized", "Unauthorized"]);
      expect(complaint(stage, await kubeconfigOf(stage, clusterId), outsideIp)).toBeUndefined();
    },
  },
  {
    title: "RotateClusterToken requires the ClusterId, which the client does not expose, and does not change kubeconfigs",
    shows: [...operations("RotateClusterToken", "rule 1"), ...errors("MissingParameter")],
    run: async (stage) => {
      const { clusterId } = await openCluster(stage);
      await refuses(stage.send("cluster", "RotateClusterToken", {}), "MissingParameter", "ClusterId is required");
      await refuses(stage.cloud.call(cluster.rotateClusterToken, {}), "MissingParameter");
      await refuses(stage.send("cluster", "RotateClusterToken", { ClusterId: nobody }), "ResourceNotFound");
      const kubeconfig = await kubeconfigOf(stage, clusterId);
      await stage.send("cluster", "RotateClusterToken", { ClusterId: clusterId });
      expect(complaint(stage, kubeconfig, outsideIp)).toBeUndefined();
      expect(fieldsIn(cluster.rotateClusterToken.input)).toMatchObject([{ path: "ClusterId", exposed: false }]);
      await stage.cloud.call(cluster.updateClusterKubeconfig, { clusterId });
      expect(complaint(stage, kubeconfig, outsideIp)).toBe("Unauthorized");
    },
  },
  {
    title:
      "a kubeconfig works only while its endpoint is open: outside through the public endpoint and its ACL, inside through the internal endpoint",
    shows: [...operations("rule 5", "ModifyClusterEndpointSP"), ...authentication("rule 3")],
    run: async (stage) => {
      const { cloud } = stage;
      const { clusterId, subnetId } = await clusterWithNodes(stage);
      const kubeconfig = await kubeconfigOf(stage, clusterId);
      expect([complaint(stage, kubeconfig, outsideIp), complaint(stage, kubeconfig)]).toEqual(["timeout", "timeout"]);
      await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: false, subnetId });
      stage.pass(1.5);
      expect([complaint(stage, kubeconfig, outsideIp), complaint(stage, kubeconfig)]).toEqual(["timeout", undefined]);
      const { clusterIntranetEndpoint } = await cloud.call(cluster.describeClusterEndpoints, { clusterId });
      expect(complaint(stage, await withServer(kubeconfig, `https://${clusterIntranetEndpoint}:443`))).toBeUndefined();
      const securityGroup = await groupIn(stage);
      await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
      expect(complaint(stage, kubeconfig, outsideIp)).toBe("timeout");
      stage.pass(1.5);
      // There is no ACL yet, and a new group denies everything.
      expect(complaint(stage, kubeconfig, outsideIp)).toBe("timeout");
      await cloud.call(cluster.modifyClusterEndpointSp, { clusterId, securityPolicies: [`${outsideIp}/32`] });
      expect(complaint(stage, kubeconfig, outsideIp)).toBeUndefined();
      expect(complaint(stage, kubeconfig, "203.0.113.8")).toBe("timeout");
    },
  },
  {
    title: "the server of a kubeconfig is the cluster's domain, and can be replaced with ClusterExternalEndpoint",
    shows: operations("rule 6"),
    run: async (stage) => {
      const { world, region } = stage;
      const { clusterId } = await openCluster(stage);
      const kubeconfig = await kubeconfigOf(stage, clusterId);
      const { domain, clusterExternalEndpoint } = await stage.cloud.call(cluster.describeClusterEndpoints, { clusterId });
      expect(kubeconfig).toContain(`server: https://${domain}`);
      expect(complaint(stage, kubeconfig, outsideIp)).toBeUndefined();
      await setReachable(world, { region, address: domain, reachable: false });
      expect(complaint(stage, kubeconfig, outsideIp)).toBe("no such host");
      const rewritten = await withServer(kubeconfig, `https://${clusterExternalEndpoint}`);
      expect(parse(rewritten)).toMatchObject({ clusters: [{ cluster: { server: `https://${clusterExternalEndpoint}` } }] });
      expect(complaint(stage, rewritten, outsideIp)).toBeUndefined();
      for (const server of ["https://203.0.113.254", "https://api.example.org"])
        expect(complaint(stage, await withServer(kubeconfig, server), outsideIp)).toBe("timeout");
    },
  },
  {
    title: "OIDC and kubeconfig coexist; authentication options are set and returned",
    shows: [...authentication("rule 3"), ...operations("ModifyClusterAuthenticationOptions", "DescribeClusterAuthenticationOptions")],
    run: async (stage) => {
      const { clusterId } = await openCluster(stage);
      const kubeconfig = await kubeconfigOf(stage, clusterId);
      const OIDCConfig = { AutoCreateOIDCConfig: true };
      const ServiceAccounts = {
        UseServiceDefault: false,
        Issuer: "https://issuer.example.org",
        JWKSURI: "https://issuer.example.org/jwks",
      };
      const read = () => stage.send("cluster", "DescribeClusterAuthenticationOptions", { ClusterId: clusterId });
      const modify = async (given: Body) => {
        await stage.send("cluster", "ModifyClusterAuthenticationOptions", { ClusterId: clusterId, ...given });
        stage.pass(0.8);
      };
      await modify({ ServiceAccounts, OIDCConfig });
      expect(await read()).toMatchObject({ ServiceAccounts, OIDCConfig });
      // What is not named stays.
      await modify({ OIDCConfig: {} });
      expect(await read()).toMatchObject({ ServiceAccounts, OIDCConfig: {} });
      await modify({ ServiceAccounts: { UseServiceDefault: true }, OIDCConfig });
      await modify({ ServiceAccounts });
      expect(await read()).toMatchObject({ ServiceAccounts, OIDCConfig });
      expect(complaint(stage, kubeconfig, outsideIp)).toBeUndefined();
    },
  },
  {
    title: "permissions are granted to the TargetUin of a sub-account, returned, and revoked one by one",
    shows: [
      ...operations("GrantUserPermissions", "DescribeUserPermissions", "DeleteUserPermissions", "rule 3"),
      ...service("rule 1"),
      ...authentication("rule 7"),
    ],
    run: async (stage) => {
      const { clusterId } = await clusterIn(stage);
      const whole = { ClusterId: clusterId, RoleName: "svc:dev", RoleType: "cluster", Namespace: "" };
      const part = { ClusterId: clusterId, RoleName: "svc:ns:dev", RoleType: "namespace", Namespace: "shop" };
      const call = (action: string, body: Body) => stage.send("cluster", action, body);
      const told = async () => (await call("DescribeUserPermissions", { TargetUin: uin }))["Permissions"];
      const Permissions = [whole, part].map((item) => ({ ...item, IsCustom: false }));
      await call("GrantUserPermissions", { TargetUin: uin, Permissions });
      expect(await told()).toEqual([whole, part]);
      await call("DeleteUserPermissions", { TargetUin: uin, Permissions: [part] });
      expect(await told()).toEqual([whole]);
      await refuses(call("DeleteUserPermissions", { Permissions: [whole] }), "MissingParameter");
      expect(await told()).toEqual([whole]);
      await refuses(call("GrantUserPermissions", { AccountUin: uin, Permissions }), "InvalidParameter");
      await refuses(call("GrantUserPermissions", { Permissions }), "MissingParameter");
      await refuses(call("GrantUserPermissions", { TargetUin: uin, ClusterId: clusterId, Permissions }), "InvalidParameter");
      const { account } = stage.world;
      await refuses(call("GrantUserPermissions", { TargetUin: account, Permissions }), "InvalidParameter", "main account");
    },
  },
  {
    title: "a permission is revoked by user, cluster, role, type and namespace together; permissions that differ in one of them remain",
    shows: operations("DeleteUserPermissions"),
    run: async (stage) => {
      const { world, region } = stage;
      const { clusterId, ...network } = await clusterIn(stage);
      const second = await newCluster(stage, network, { name: "two", cidr: "172.17.0.0/16" });
      stage.pass(3);
      for (const place of [clusterId, second])
        for (const name of ["auditor", "editor"]) await putRole(world, { region, clusterId: place, name });
      const one = { ClusterId: clusterId, RoleName: "auditor", RoleType: "namespace", Namespace: "shop" };
      const twins = [
        { ...one, Namespace: "store" },
        { ...one, RoleName: "editor" },
        // Nothing but a namespace tells them apart but for the type: a role of the whole cluster has none.
        { ...one, RoleType: "cluster", Namespace: "" },
        { ...one, ClusterId: second },
      ];
      const call = (action: string, TargetUin: string, Permissions?: Body[]) =>
        stage.send("cluster", action, { TargetUin, ...(Permissions && { Permissions }) });
      const told = async (user: string) => (await call("DescribeUserPermissions", user))["Permissions"];
      const all = [one, ...twins];
      for (const user of [uin, otherUin]) await call("GrantUserPermissions", user, all);
      const left = new Set(all);
      for (const item of all) {
        // To remove what is not there is no error.
        for (let time = 0; time < 2; time++) await call("DeleteUserPermissions", uin, [item]);
        left.delete(item);
        expect(await told(uin)).toEqual([...left]);
      }
      expect(await told(otherUin)).toEqual(all);
    },
  },
  {
    title: "each preset role is granted in its own scope, and in no other",
    shows: [
      ...authentication("rule 5", "svc:admin", "svc:ops", "svc:dev", "svc:ro", "svc:ns:dev", "svc:ns:ro"),
      ...permission("ClusterId", "RoleName", "RoleType", "IsCustom", "Namespace"),
    ],
    run: async (stage) => {
      const { clusterId } = await clusterIn(stage);
      const scopes = {
        "svc:admin": "cluster",
        "svc:ops": "cluster",
        "svc:dev": "cluster",
        "svc:ro": "cluster",
        "svc:ns:dev": "namespace",
        "svc:ns:ro": "namespace",
      };
      expect(cluster.presetRoles).toEqual(scopes);
      const grant = (RoleName: string, RoleType: string, Namespace = RoleType === "namespace" ? "shop" : "", IsCustom = false) =>
        stage.send("cluster", "GrantUserPermissions", {
          TargetUin: uin,
          Permissions: [{ ClusterId: clusterId, RoleName, RoleType, IsCustom, Namespace }],
        });
      for (const [name, scope] of Object.entries(scopes)) {
        await grant(name, scope);
        const told = await stage.send("cluster", "DescribeUserPermissions", { TargetUin: uin });
        const Namespace = scope === "namespace" ? "shop" : "";
        expect(told).toMatchObject({ TargetUin: uin, Permissions: [{ ClusterId: clusterId, RoleName: name, RoleType: scope, Namespace }] });
        await refuses(grant(name, scope === "cluster" ? "namespace" : "cluster"), "InvalidParameter");
        await refuses(grant(name, scope, scope === "namespace" ? "" : "shop"), "InvalidParameter");
        await refuses(grant(name, scope, Namespace, true), "InvalidParameter");
        for (const type of ["cls", "ns"]) await refuses(grant(name, type, Namespace), "InvalidParameter");
      }
    },
  },
  {
    title: "a custom role must exist in the cluster; a namespace role requires RoleType namespace and Namespace",
    shows: [...authentication("rule 6"), ...errors("InvalidParameter, InvalidParameter.Param")],
    run: async (stage) => {
      const { world, region } = stage;
      const { clusterId } = await clusterIn(stage);
      const grant = (given: { RoleType: string; Namespace: string }) =>
        stage.send("cluster", "GrantUserPermissions", {
          TargetUin: uin,
          Permissions: [{ ClusterId: clusterId, RoleName: "auditor", IsCustom: true, ...given }],
        });
      const [whole, part] = [
        { RoleType: "cluster", Namespace: "" },
        { RoleType: "namespace", Namespace: "shop" },
      ];
      await refuses(grant(whole), "InvalidParameter");
      await refuses(grant(part), "InvalidParameter");
      await putRole(world, { region, clusterId, name: "auditor", namespace: "shop" });
      await refuses(grant(whole), "InvalidParameter");
      await refuses(grant({ ...part, Namespace: "" }), "InvalidParameter");
      await refuses(grant({ ...part, Namespace: "other" }), "InvalidParameter");
      await grant(part);
      await putRole(world, { region, clusterId, name: "auditor" });
      await grant(whole);
    },
  },
  {
    title:
      "DescribeTasks requires ClusterId and TaskType; without tasks, it returns an empty list or TaskNotFound; Latest returns the newest task only",
    shows: [
      ...operations("DescribeTasks", "rule 2"),
      ...errors("FailedOperation.TaskNotFound", "InvalidParameter, InvalidParameter.Param"),
      ...limits("Tasks with Latest=true"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const { clusterId, vpcId, subnetId } = await clusterIn(stage);
      const of = valuesOf("ClusterId", clusterId);
      const empty = { code: "InvalidParameter.Param", reason: "PARAM_ERROR(TaskType is empty)" };
      expect(await refusalOf(tasksOf(stage, of))).toEqual(empty);
      expect(await refusalOf(tasksOf(stage, of, valuesOf("TaskType", "")))).toEqual(empty);
      expect(await refusalOf(stage.send("cluster", "DescribeTasks", {}))).toEqual(empty);
      const anywhere = tasksOf(stage, valuesOf("TaskType", "node_upgrade"));
      expect(await refusalOf(anywhere)).toEqual({ ...empty, reason: "PARAM_ERROR(ClusterId is empty)" });
      await refuses(tasksOf(stage, of, valuesOf("TaskType", "node_upgrade"), valuesOf("State", "done")), "InvalidParameter");
      for (const type of ["node_upgrade", "add_cluster_cidr", "node_upgrade_ctl"])
        expect((await tasksOf(stage, of, valuesOf("TaskType", type)))["Tasks"]).toEqual([]);
      await refuses(tasksOf(stage, valuesOf("ClusterId", nobody), valuesOf("TaskType", "node_upgrade")), "FailedOperation.TaskNotFound");
      const native = nativeSettings(subnetId);
      const second = await newCluster(stage, { vpcId, subnetId }, { name: "two", cidr: "172.17.0.0/16" });
      stage.pass(3);
      for (const [name, place] of [
        ["old", clusterId],
        ["new", clusterId],
        ["other", second],
      ] as const) {
        await cloud.call(cluster.createNodePool, { clusterId: place, name, type: "Native", native });
        stage.pass(1);
      }
      const Filter = [of, valuesOf("TaskType", "create_node_pool")];
      const newest = { TaskType: "create_node_pool", Param: '{"Name":"new"}', LifeState: "done" };
      expect(await stage.send("cluster", "DescribeTasks", { Filter })).toMatchObject({ Tasks: [newest, { Param: '{"Name":"old"}' }] });
      const { Tasks } = await stage.send("cluster", "DescribeTasks", { Filter, Latest: true });
      expect(Tasks).toMatchObject([newest]);
      expect(Tasks).toHaveLength(1);
      expect((await stage.send("cluster", "DescribeTasks", { Filter, Latest: false }))["Tasks"]).toHaveLength(2);
    },
  },
  {
    title: "the newer CreateNodePool creates a node pool, and its detail returns state and scaling",
    shows: [
      ...operations("CreateNodePool (version 2022-05-01)", "DescribeClusterNodePoolDetail"),
      ...inSection(`${resources} / Node pool`)("paragraph 1"),
    ],
    run: async (stage) => {
      const { clusterId, subnetId } = await clusterIn(stage);
      const Native = { ...nativeBody(subnetId), Scaling: { MinReplicas: 1, MaxReplicas: 3, CreatePolicy: "ZoneEquality" } };
      const settings = {
        Name: "workers",
        Native,
        Labels: [{ Name: "tier", Value: "web" }],
        Taints: [{ Key: "dedicated", Value: "web", Effect: "NoSchedule" }],
      };
      const create = (given: Body) =>
        stage.send("cluster", "CreateNodePool", { ClusterId: clusterId, Type: "Native", ...settings, ...given });
      const other = await create({ Name: "other", Native: { ...Native, Scaling: { MinReplicas: 0, MaxReplicas: 1 } } });
      const made = await create({});
      expect(made).toEqual({ NodePoolId: expect.stringMatching(/^np-/) });
      const { NodePoolId = "" } = made;
      const detail = async (id = NodePoolId) =>
        (await stage.send("cluster", "DescribeClusterNodePoolDetail", { ClusterId: clusterId, NodePoolId: id }))["NodePool"];
      expect(await detail()).toMatchObject({ LifeState: "creating" });
      stage.pass(0.5);
      expect(await detail()).toMatchObject({
        ...{ ...settings, NodePoolId, Type: "Native", LifeState: "normal" },
        ...{ MinNodesNum: 1, MaxNodesNum: 3, DesiredNodesNum: 1 },
      });
      expect(await stage.send("cluster", "DescribeNodePools", { ClusterId: clusterId })).toMatchObject({
        NodePools: [{ Name: "other" }, { ...settings, NodePoolId, Type: "Native", LifeState: "Running" }],
      });
      expect(await detail(other["NodePoolId"])).toMatchObject({ Name: "other", LifeState: "normal", MinNodesNum: 0, MaxNodesNum: 1 });
      await refuses(create({ Type: "Virtual" }), "InvalidParameter");
      await refuses(create({ Native: { ...Native, Scaling: { MinReplicas: 4, MaxReplicas: 3 } } }), "InvalidParameter");
    },
  },
  {
    title: "regions are returned with their number",
    shows: operations("DescribeRegions"),
    run: async (stage) => {
      expect(await stage.send("cluster", "DescribeRegions", {})).toMatchObject({
        TotalCount: 3,
        RegionInstanceSet: [
          { RegionName: "eu-frankfurt", RegionId: 1 },
          { RegionName: "ap-singapore", RegionId: 2 },
          { RegionName: "na-ashburn", RegionId: 3 },
        ],
      });
    },
  },
  {
    title: "RunInstancePara, or its form in the public API, requests the first instances of a cluster",
    shows: [...operations(manyOperations), ...errors("InvalidParameter, InvalidParameter.Param")],
    run: async (stage) => {
      const network = await networkIn(stage);
      const request = JSON.stringify({ InstanceType: "SA5.LARGE8", InstanceCount: 2 });
      const create = (name: string, cidr: string, given: Body) =>
        stage.send("cluster", "CreateCluster", {
          VpcId: network.vpcId,
          SubnetId: network.subnetId,
          ClusterBasicSettings: { ClusterName: name },
          ClusterCIDRSettings: { ClusterCIDR: cidr },
          InstanceAdvancedSettings: { Unschedulable: 1 },
          ...given,
        });
      const made = [
        await create("one", "172.16.0.0/16", { RunInstancePara: request }),
        await create("two", "172.17.0.0/16", { RunInstancesForNode: [{ NodeRole: "WORKER", RunInstancesPara: [request] }] }),
      ];
      stage.pass(5);
      for (const { ClusterId = "" } of made)
        expect(await stage.send("cluster", "DescribeClusterInstances", { ClusterId })).toMatchObject({
          TotalCount: 2,
          InstanceSet: [{ InstanceRole: "WORKER", InstanceState: "running", InstanceAdvancedSettings: { Unschedulable: 1 } }, {}],
        });
      for (const wrong of ["{", "[]", '{"InstanceType": "SA5.LARGE8", "LoginSetting": {}}', '{"instanceType": "SA5.LARGE8"}'])
        await refuses(create("three", "172.18.0.0/16", { RunInstancePara: wrong }), "InvalidParameter");
      await refuses(create("three", "172.18.0.0/16", { RunInstancePara: "{}" }), "MissingParameter");
    },
  },
  {
    title: "the shared structures create older node pools, external and edge nodes, and a larger control plane",
    shows: operations(manyOperations),
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const { clusterId, vpcId, subnetId } = await openCluster(stage);
      const structures = {
        labels: [{ name: "tier", value: "web" }],
        taints: [{ key: "dedicated", value: "web", effect: "NoExecute" as const }],
      };
      const regular = await cloud.call(cluster.createClusterNodePool, {
        clusterId,
        autoScalingGroupPara: JSON.stringify({ VpcId: vpcId, SubnetIds: [subnetId], MinSize: 1, MaxSize: 2 }),
        launchConfigurePara: JSON.stringify({ InstanceType: "SA5.MEDIUM4" }),
        instanceAdvancedSettings: structures,
        enableAutoscale: true,
        tags: [{ key: "stage", value: "test" }],
      });
      const external = await cloud.call(cluster.createExternalNodePool, {
        clusterId,
        name: "rack",
        containerRuntime: "containerd",
        runtimeVersion: "1.7.2",
        instanceAdvancedSettings: structures,
      });
      await putExternalNode(world, { region, nodePoolId: external.nodePoolId, name: "rack-7", lanIp: "192.168.1.7" });
      const moduleId = await putEdgeModule(world, { region, name: "edge" });
      const { ecmIdSet } = await cloud.call(cluster.createEcmInstances, {
        clusterId,
        moduleId,
        zoneInstanceCountIspSet: [{ zone: `${region}-1`, instanceCount: 1, isp: "BGP" }],
        enhancedService: {},
      });
      stage.pass(3);
      const detail = (nodePoolId: string) => cloud.call(cluster.describeClusterNodePoolDetail, { clusterId, nodePoolId });
      for (const { nodePoolId } of [regular, external])
        expect((await detail(nodePoolId)).nodePool).toMatchObject({ lifeState: "normal", ...structures });
      const { instanceSet } = await cloud.call(cluster.describeClusterInstances, { clusterId, instanceIds: ecmIdSet });
      expect(instanceSet).toMatchObject([{ instanceState: "running" }]);
      expect((await stateOf(stage, clusterId))?.clusterRunningNodeNum).toBe(4);
      const machines = JSON.stringify({ InstanceType: "SA5.LARGE8" });
      await refuses(cloud.call(cluster.scaleOutClusterMaster, { clusterId, runInstancePara: machines }), "OperationDenied");
      const own = await newCluster(stage, { vpcId, subnetId }, { type: "INDEPENDENT_CLUSTER", cidr: "172.17.0.0/16" });
      stage.pass(3);
      await cloud.call(cluster.scaleOutClusterMaster, { clusterId: own, runInstancePara: machines });
      expect((await stateOf(stage, own))?.clusterState).toBe("MasterScaling");
    },
  },
  {
    title: "a cluster requires a subnet with ten free IP addresses",
    shows: limits("subnet available IPs"),
    run: async (stage) => {
      const { vpcId } = await networkIn(stage);
      const { world, region } = stage;
      const small = await subnetIn(stage, vpcId, 1, 28);
      // Of 16 addresses 13 can be used.
      for (let count = 0; count < 4; count++) await putInstance(world, { region, vpcId, subnetId: small });
      await refuses(newCluster(stage, { vpcId, subnetId: small }), "InvalidParameter", "9 available addresses");
      const enough = await subnetIn(stage, vpcId, 2, 28);
      for (let count = 0; count < 3; count++) await putInstance(world, { region, vpcId, subnetId: enough });
      await newCluster(stage, { vpcId, subnetId: enough });
    },
  },
  {
    title: "a region has at most 20 clusters; each region has its own limit",
    shows: [...limits("clusters per region"), ...errors("LimitExceeded, UnsupportedOperation")],
    run: async (stage) => {
      const network = await networkIn(stage);
      for (let count = 0; count < 20; count++)
        await newCluster(stage, network, { name: `c${count}`, cidr: `172.${16 + (count % 16)}.${count < 16 ? 0 : 64}.0/18` });
      await refuses(newCluster(stage, network, { name: "more", cidr: "192.168.0.0/20" }), "LimitExceeded");
      const far = stage.cloudIn("ap-singapore");
      const { vpcId } = (await far.call(vpc.createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16" })).vpc;
      const asked = { vpcId, subnetName: "part", cidrBlock: "10.0.0.0/24", zone: "ap-singapore-1" };
      const { subnetId } = (await far.call(vpc.createSubnet, asked)).subnet;
      await far.call(cluster.createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" } });
    },
  },
  {
    title: "data disks below the recommended 50 GB are accepted and returned unchanged",
    shows: limits("node data disk"),
    run: async (stage) => {
      const { clusterId, subnetId } = await clusterIn(stage);
      const dataDisks = [{ diskType: "CLOUD_PREMIUM", fileSystem: "ext4", diskSize: 20, autoFormatAndMount: true, mountTarget: "/data" }];
      const native = { ...nativeSettings(subnetId), dataDisks };
      await stage.cloud.call(cluster.createNodePool, { clusterId, name: "workers", type: "Native", native });
      expect((await stage.cloud.call(cluster.describeNodePools, { clusterId })).nodePools).toMatchObject([{ native: { dataDisks } }]);
      const described = fieldsIn(cluster.createNodePool.input).find(({ path }) => path === "Native.DataDisks[].DiskSize");
      expect(described?.description).toContain("at least 50 is recommended");
    },
  },
  {
    title: "malformed and missing parameters, wrong names and wrong IDs have their error codes",
    shows: errors("MissingParameter", "InvalidParameter, InvalidParameter.Param", "ResourceNotFound"),
    run: async (stage) => {
      const { clusterId } = await clusterIn(stage);
      const codes = async (action: string, body: Body) => codeOf(stage.send("cluster", action, body));
      expect(await codes("DescribeClusterEndpoints", { ClusterID: clusterId })).toBe("InvalidParameter");
      expect(await codes("DescribeClusterEndpoints", { ClusterId: 7 })).toBe("InvalidParameter");
      expect(await codes("DescribeClusters", { ClusterIds: clusterId })).toBe("InvalidParameter");
      expect(await codes("CreateClusterEndpoint", { ClusterId: clusterId, IsExtranet: false, SubnetId: "subnet-00000000" })).toBe(
        "ResourceNotFound",
      );
      for (const action of [
        "DescribeClusterEndpoints",
        "DescribeClusterEndpointStatus",
        "DescribeClusterKubeconfig",
        "UpdateClusterKubeconfig",
        "DescribeClusterAuthenticationOptions",
        "DescribeClusterInstances",
        "DescribeClusterExtraArgs",
        "DescribeIPAMD",
        "EnableClusterDeletionProtection",
        "DisableClusterDeletionProtection",
        "RotateClusterToken",
      ])
        expect([action, await refusalOf(stage.send("cluster", action, { ClusterId: nobody }))]).toEqual([
          action,
          { code: "ResourceNotFound", reason: `there is no cluster ${nobody} in eu-frankfurt` },
        ]);
    },
  },
  {
    title: "every operation of the specification returns MissingParameter without a required parameter",
    shows: errors("MissingParameter"),
    run: async (stage) => {
      const own = catalogue.filter(({ source }) => source === "specification");
      const needy = own.filter(({ input }) => fieldsIn(input).some(({ path, required }) => required && !path.includes(".")));
      expect(needy.length).toBeGreaterThan(40);
      for (const { product, action, version } of needy)
        expect([action, await codeOf(stage.send(product, action, {}, version))]).toEqual([action, "MissingParameter"]);
    },
  },
  {
    title: "an operation that the type of the cluster does not support returns UnsupportedOperation",
    shows: errors("LimitExceeded, UnsupportedOperation"),
    run: async (stage) => {
      const clusterId = await newCluster(stage, await networkIn(stage), { type: "INDEPENDENT_CLUSTER" });
      stage.pass(3);
      const change = stage.cloud.call(cluster.modifyClusterExtraArgs, { clusterId, clusterExtraArgs: { kubeScheduler: ["v=2"] } });
      await refuses(change, "UnsupportedOperation");
    },
  },
];
