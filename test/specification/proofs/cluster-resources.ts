import { X509Certificate } from "node:crypto";
import * as cluster from "@container-platform/sdk/cluster";
import { complaintOf, putEdgeModule, putInstance, putKeyPair, servicesOn, setReachable } from "@container-platform/sdk/local";
import { catalogue } from "@container-platform/sdk/reference";
import { expect } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
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
  refuses,
  registryIn,
  type Stage,
} from "../proof-stage.ts";

const resources = "Resources and their fields";
const record = inSection(`${resources} / Cluster`);
const authentication = inSection(`${resources} / Cluster authentication options`);
const endpoint = inSection(`${resources} / Cluster endpoint status`);
const shared = inSection(`${resources} / Shared structures of the cluster service`);

const kubeconfigForm = z.object({
  apiVersion: z.literal("v1"),
  clusters: z.array(z.unknown()).min(1),
  contexts: z.array(z.unknown()).min(1),
  users: z.tuple([z.object({ user: z.object({ "client-certificate-data": z.base64() }) })]),
});

const ownIssuer = { useServiceDefault: false, issuer: "https://issuer.example.org", jwksUri: "https://issuer.example.org/jwks" };

/** Existing machines in the place of a cluster. */
function machine({ world, region }: Stage, { vpcId, subnetId }: { vpcId: string; subnetId: string }, given: object = {}): Promise<string> {
  return putInstance(world, { region, vpcId, subnetId, ...given });
}

export const clusterResourceProofs: readonly Proof[] = [
  {
    title: "a cluster's record has the specification's fields",
    shows: record(
      "ClusterId",
      "ClusterName",
      "ClusterType",
      "ClusterStatus",
      "ClusterState",
      "ClusterInstanceState",
      "ClusterDeletionProtection",
      "ClusterExternalEndpoint",
      "ClusterIntranetEndpoint",
      "Domain",
    ),
    run: async (stage) => {
      const { clusterId } = await clusterWithNodes(stage);
      const listed = async () => (await stage.send("cluster", "DescribeClusters", { ClusterIds: [clusterId] }))["Clusters"];
      expect(await listed()).toMatchObject([
        {
          ClusterId: clusterId,
          ClusterName: "one",
          ClusterType: "MANAGED_CLUSTER",
          ClusterStatus: "Running",
          ClusterState: "Running",
          ClusterInstanceState: "AllNormal",
          ClusterDeletionProtection: false,
          ClusterExternalEndpoint: "",
          ClusterIntranetEndpoint: "",
          Domain: `${clusterId}.clusters.container-platform.internal`,
        },
      ]);
      await stage.cloud.call(cluster.enableClusterDeletionProtection, { clusterId });
      expect(await listed()).toMatchObject([{ ClusterDeletionProtection: true }]);
      await refuses(stage.send("cluster", "DeleteCluster", { InstanceDeleteMode: "retain" }), "MissingParameter");
    },
  },
  {
    title: "a kubeconfig is YAML that begins with apiVersion, contains a certificate and expires with the certificate",
    shows: inSection(`${resources} / Kubeconfig`)("paragraph 1"),
    run: async (stage) => {
      const { clusterId } = await openCluster(stage);
      const { kubeconfig } = await stage.cloud.call(cluster.describeClusterKubeconfig, { clusterId, isExtranet: true });
      expect(kubeconfig).toMatch(/^apiVersion: v1\n/);
      const { users } = kubeconfigForm.parse(parse(kubeconfig));
      const certificate = new X509Certificate(Buffer.from(users[0].user["client-certificate-data"], "base64"));
      const client = () => complaintOf(stage.world, { region: stage.region, kubeconfig, clientIp: "203.0.113.7" });
      stage.world.freeze(certificate.validToDate.getTime() - 1);
      expect(client()).toBeUndefined();
      stage.world.freeze(certificate.validToDate.getTime());
      expect(client()).toBe("certificate expired");
    },
  },
  {
    title: "service account tokens use the platform's issuer, or a custom issuer with its keys",
    shows: authentication("ServiceAccounts.UseServiceDefault", "ServiceAccounts.Issuer", "ServiceAccounts.JWKSURI"),
    run: async (stage) => {
      const { cloud } = stage;
      const { clusterId } = await clusterIn(stage);
      const read = () => cloud.call(cluster.describeClusterAuthenticationOptions, { clusterId });
      const issuer = `https://eu-frankfurt-oidc.container-platform.internal/id/${clusterId}`;
      expect((await read()).serviceAccounts).toMatchObject({ useServiceDefault: true, issuer, jwksUri: `${issuer}/openid/v1/jwks` });
      await cloud.call(cluster.modifyClusterAuthenticationOptions, { clusterId, serviceAccounts: ownIssuer });
      stage.pass(0.8);
      expect((await read()).serviceAccounts).toMatchObject(ownIssuer);
      const wire = await stage.send("cluster", "DescribeClusterAuthenticationOptions", { ClusterId: clusterId });
      expect(wire).toMatchObject({
        ServiceAccounts: { UseServiceDefault: false, JWKSURI: ownIssuer.jwksUri, Issuer: ownIssuer.issuer },
      });
      const back = (serviceAccounts: object) => cloud.call(cluster.modifyClusterAuthenticationOptions, { clusterId, serviceAccounts });
      // The default and an issuer of one's own exclude each other: the flag alone takes the latter away.
      await refuses(back({ ...ownIssuer, useServiceDefault: true }), "InvalidParameter.Param");
      expect((await read()).serviceAccounts).toMatchObject(ownIssuer);
      await back({ useServiceDefault: true });
      stage.pass(0.8);
      expect((await read()).serviceAccounts).toMatchObject({ useServiceDefault: true, issuer, jwksUri: `${issuer}/openid/v1/jwks` });
      await refuses(back({ useServiceDefault: false }), "InvalidParameter.Param");
    },
  },
  {
    title: "three options configure OIDC, and an empty OIDCConfig removes the configuration",
    shows: authentication(
      "OIDCConfig.AutoCreateOIDCConfig",
      "OIDCConfig.AutoCreateClientId",
      "OIDCConfig.AutoInstallPodIdentityWebhookAddon",
      "paragraph 1",
    ),
    run: async (stage) => {
      const { clusterId } = await clusterIn(stage);
      const OIDCConfig = { AutoCreateOIDCConfig: true, AutoCreateClientId: ["kubernetes"], AutoInstallPodIdentityWebhookAddon: true };
      const read = () => stage.send("cluster", "DescribeClusterAuthenticationOptions", { ClusterId: clusterId });
      expect((await read())["OIDCConfig"]).toEqual({});
      await stage.send("cluster", "ModifyClusterAuthenticationOptions", { ClusterId: clusterId, OIDCConfig });
      stage.pass(0.8);
      expect((await read())["OIDCConfig"]).toEqual(OIDCConfig);
      const off = { AutoCreateOIDCConfig: false, AutoCreateClientId: ["one", "two"], AutoInstallPodIdentityWebhookAddon: false };
      for (const given of [off, { AutoCreateOIDCConfig: false }, {}]) {
        await stage.send("cluster", "ModifyClusterAuthenticationOptions", { ClusterId: clusterId, OIDCConfig: given });
        stage.pass(0.8);
        expect((await read())["OIDCConfig"]).toEqual(given);
      }
    },
  },
  {
    title: "an unreachable issuer and a wrong JWKSURI make the change fail",
    shows: inSection("Authentication")("rule 4"),
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const { clusterId } = await clusterIn(stage);
      const result = async (serviceAccounts: object) => {
        await cloud.call(cluster.modifyClusterAuthenticationOptions, { clusterId, serviceAccounts });
        stage.pass(0.8);
        return cloud.call(cluster.describeClusterAuthenticationOptions, { clusterId });
      };
      await setReachable(world, { region, address: ownIssuer.issuer, reachable: false });
      expect(await result(ownIssuer)).toMatchObject({ latestOperationState: "Failed", serviceAccounts: { useServiceDefault: true } });
      await setReachable(world, { region, address: ownIssuer.issuer, reachable: true });
      expect(await result({ ...ownIssuer, jwksUri: "http://issuer.example.org/jwks" })).toMatchObject({ latestOperationState: "Failed" });
      expect(await result(ownIssuer)).toMatchObject({ latestOperationState: "Success", serviceAccounts: ownIssuer });
    },
  },
  {
    title: "an endpoint is Creating, then Created, or CreateFailed with ErrorMsg, independently of the other endpoint",
    shows: [
      ...endpoint("Status", "ErrorMsg"),
      ...inSection("States and transitions / State values")("Cluster endpoint, Status"),
      ...inSection("States and transitions / Transitions")("cluster endpoint absent, CreateClusterEndpoint"),
      ...inSection("Endpoints / Cluster service operations (cluster)")("CreateClusterEndpoint", "DescribeClusterEndpointStatus"),
    ],
    run: async (stage) => {
      const { cloud, faults } = stage;
      const { clusterId, subnetId } = await clusterWithNodes(stage);
      const securityGroup = await groupIn(stage);
      for (const isExtranet of [true, false]) {
        const create = () =>
          cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet, ...(isExtranet ? { securityGroup } : { subnetId }) });
        const status = async (outside = isExtranet) => {
          const told = await cloud.call(cluster.describeClusterEndpointStatus, { clusterId, isExtranet: outside });
          return [told.status, told.errorMsg];
        };
        faults.add({ resourceType: "clusterEndpoint", endState: "CreateFailed", reason: "no address was free" });
        await create();
        expect(await status()).toEqual(["Creating", undefined]);
        stage.pass(1.5);
        expect(await status()).toEqual(["CreateFailed", "no address was free"]);
        expect(await status(!isExtranet)).toEqual([isExtranet ? "NotFound" : "Created", undefined]);
        const addresses = await cloud.call(cluster.describeClusterEndpoints, { clusterId });
        expect(isExtranet ? addresses.clusterExternalEndpoint : addresses.clusterIntranetEndpoint).toBe("");
        await refuses(create(), "ResourceInUse");
        await cloud.call(cluster.deleteClusterEndpoint, { clusterId, isExtranet });
        stage.pass(0.8);
        await create();
        stage.pass(1.5);
        expect(await status()).toEqual(["Created", undefined]);
      }
    },
  },
  {
    title: "a public endpoint has an IP allowlist and a security group",
    shows: endpoint("paragraph 1"),
    run: async (stage) => {
      const { cloud } = stage;
      const { clusterId, securityGroup } = await openCluster(stage);
      await cloud.call(cluster.modifyClusterEndpointSp, { clusterId, securityPolicies: ["203.0.113.7/32"] });
      expect(await cloud.call(cluster.describeClusterEndpoints, { clusterId })).toMatchObject({
        clusterExternalAcl: ["203.0.113.7/32"],
        securityGroup,
      });
      await refuses(
        stage.send("cluster", "ModifyClusterEndpointSP", { ClusterId: clusterId, SecurityPolicies: ["office"] }),
        "InvalidParameter.Param",
      );
    },
  },
  {
    title: "values of a filter are alternatives, several filters must all match, and a wrong name is InvalidParameter",
    shows: [
      ...shared("Filter (on Filters)"),
      ...inSection("Endpoints / Cluster service operations (cluster)")("DescribeClusters", "rule 4"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const network = await networkIn(stage);
      const one = await newCluster(stage, network, { name: "one" });
      const two = await newCluster(stage, network, { name: "two", cidr: "172.17.0.0/16" });
      stage.pass(3);
      await cloud.call(cluster.modifyClusterTags, { clusterId: one, tags: [{ key: "Team", value: "shop" }] });
      await cloud.call(cluster.modifyClusterTags, { clusterId: two, tags: [{ key: "Stage", value: "test" }] });
      const by = async (filters: Record<string, string[]>) =>
        (
          await cloud.call(cluster.describeClusters, { filters: Object.entries(filters).map(([name, values]) => ({ name, values })) })
        ).clusters.map(({ clusterId }) => clusterId);
      expect(await by({ ClusterName: ["one", "two"] })).toEqual([one, two]);
      expect(await by({ ClusterName: ["one", "two"], "tag-key": ["Stage"] })).toEqual([two]);
      expect(await by({ "vpc-id": [network.vpcId], "tag-value": ["test"], Tags: ["Stage:test"] })).toEqual([two]);
      expect(await by({ ClusterType: ["MANAGED_CLUSTER"], ClusterStatus: ["Running"] })).toEqual([one, two]);
      // Each tells clusters apart by itself, letters' case included, and lets none through that has not its value.
      for (const [name, value, own, others] of [
        ["ClusterName", "two", [two], ["Two", "three", ""]],
        ["ClusterType", "MANAGED_CLUSTER", [one, two], ["INDEPENDENT_CLUSTER", "managed_cluster"]],
        ["ClusterStatus", "Running", [one, two], ["Creating", "running"]],
        ["vpc-id", network.vpcId, [one, two], ["vpc-00000000"]],
        ["tag-key", "Stage", [two], ["stage", "test", "Other"]],
        ["tag-value", "test", [two], ["Test", "Stage", "other"]],
        ["Tags", "Stage:test", [two], ["Stage:shop", "Team:test", "stage:test", "Stage:Test"]],
      ] as const) {
        expect([name, await by({ [name]: [value] })]).toEqual([name, own]);
        for (const other of others) expect([name, other, await by({ [name]: [other] })]).toEqual([name, other, []]);
        expect([name, await by({ [name]: [others[0], value] })]).toEqual([name, own]);
      }
      expect(await by({ ClusterName: ["one"], "tag-key": ["Stage"] })).toEqual([]);
      for (const name of ["cluster-id", "ClusterId", "clustername", "tags", "Tag-Key"])
        await refuses(by({ [name]: [one] }), "InvalidParameter", name);
      expect((await cloud.call(cluster.describeClusters, { clusterIds: [one] })).clusters.map(({ clusterId }) => clusterId)).toEqual([one]);
    },
  },
  {
    title: "every operation with filters accepts its own filter names, and rejects the names of other operations",
    shows: shared("Filter (on Filters)"),
    run: async (stage) => {
      const { clusterId } = await clusterIn(stage);
      const registryId = await registryIn(stage);
      const id = { ClusterId: clusterId };
      const at = { RegistryId: registryId };
      const taking = [
        ["cluster", "DescribeClusters", {}, "vpc-id", "subnet-id", "2018-05-25"],
        ["cluster", "DescribeClusterInstances", id, "nodepool-id", "NodePoolIds", "2018-05-25"],
        ["cluster", "DescribeClusterInstances", id, "NodePoolIds", "nodepool-id", "2022-05-01"],
        ["cluster", "DescribeClusterMachines", id, "NodePoolsId", "NodePoolIds", "2022-05-01"],
        ["cluster", "DescribeClusterNodePools", id, "NodePoolsName", "Name", "2018-05-25"],
        ["cluster", "DescribeNodePools", id, "NodePoolsId", "NodePoolIds", "2022-05-01"],
        ["vpc", "DescribeVpcs", {}, "vpc-name", "VpcName", "2017-03-12"],
        ["vpc", "DescribeSubnets", {}, "vpc-id", "vpc-name", "2017-03-12"],
        ["vpc", "DescribeRouteTables", {}, "route-table-name", "subnet-id", "2017-03-12"],
        ["vpc", "DescribeAddresses", {}, "address-ip", "vpc-id", "2017-03-12"],
        ["vpc", "DescribeNatGateways", {}, "nat-gateway-name", "address-ip", "2017-03-12"],
        ["vpc", "DescribeSecurityGroups", {}, "security-group-name", "GroupName", "2017-03-12"],
        ["vpc", "DescribeSecurityGroupPolicies", { SecurityGroupId: await groupIn(stage) }, "ip", "vpc-id", "2017-03-12"],
        ["compute", "DescribeInstances", {}, "instance-name", "key-name", "2017-03-12"],
        ["compute", "DescribeKeyPairs", {}, "key-name", "vpc-id", "2017-03-12"],
        ["registry", "DescribeInstances", {}, "RegistryName", "Name", "2019-09-24"],
        ["registry", "DescribeNamespaces", at, "Tags", "tag-key", "2019-09-24"],
        ["registry", "DescribeServiceAccounts", at, "ServiceAccountName", "Name", "2019-09-24"],
        ["compute", "DescribeZoneInstanceConfigInfos", {}, "instance-family", "InstanceFamily", "2017-03-12"],
        // The public API names none for this one.
        ["cluster", "DescribeOSImages", {}, undefined, "OsName", "2018-05-25"],
      ] as const;
      for (const [product, action, body, own, other, version] of taking) {
        const by = (Name: string) => codeOf(stage.send(product, action, { ...body, Filters: [{ Name, Values: ["a:b"] }] }, version));
        const taken = own === undefined ? "none" : await by(own);
        expect([action, taken, await by(other)]).toEqual([action, "none", "InvalidParameter"]);
      }
      const known = catalogue
        .filter(({ input }) => "filters" in input.shape)
        .map(({ product, action, version }) => [product, action, version]);
      expect(taking.map(([product, action, , , , version]) => [product, action, version]).toSorted()).toEqual(known.toSorted());
    },
  },
  {
    title: "labels, annotations, taints and tags have their fields and effects",
    shows: shared("Label", "Annotation", "Taint", "TagSpecification (cloud tag, array element)"),
    run: async (stage) => {
      const { clusterId, subnetId } = await clusterIn(stage);
      const base = { ClusterId: clusterId, Name: "workers", Type: "Native", Native: nativeBody(subnetId) };
      const settings = {
        Labels: [{ Name: "tier", Value: "web" }],
        Annotations: [{ Name: "note", Value: "seen" }],
        Taints: ["NoSchedule", "PreferNoSchedule", "NoExecute"].map((Effect) => ({ Key: Effect.toLowerCase(), Value: "", Effect })),
        Tags: [{ ResourceType: "machine", Tags: [{ Key: "stage", Value: "test" }] }],
      };
      const create = (given: Body) => stage.send("cluster", "CreateNodePool", { ...base, ...given });
      await create(settings);
      expect(await stage.send("cluster", "DescribeNodePools", { ClusterId: clusterId })).toMatchObject({ NodePools: [settings] });
      await refuses(create({ Taints: [{ Key: "a", Value: "", Effect: "Never" }] }), "InvalidParameter");
      await refuses(create({ Labels: [{ Key: "tier", Value: "web" }] }), "InvalidParameter");
      await refuses(create({ Labels: [{ Name: "tier" }] }), "MissingParameter");
      await refuses(create({ Annotations: [{ Key: "note", Value: "seen" }] }), "InvalidParameter");
      await refuses(create({ Annotations: [{ Name: "note" }] }), "MissingParameter");
    },
  },
  {
    title: "the operations that the specification names accept and return the settings of a node",
    shows: [...shared("InstanceAdvancedSettings"), ...inSection("Limits")("Unschedulable")],
    run: async (stage) => {
      const place = await clusterIn(stage);
      const { clusterId } = place;
      const script = Buffer.from("#!/bin/sh\ntrue\n").toString("base64");
      const settings = {
        DesiredPodNumber: 64,
        PreStartUserScript: script,
        UserScript: script,
        Taints: [{ Key: "a", Value: "b", Effect: "NoExecute" }],
        Labels: [{ Name: "tier", Value: "web" }],
        Unschedulable: 1,
        DockerGraphPath: "/data/docker",
        MountTarget: "/data",
        ExtraArgs: { Kubelet: ["max-pods=64"] },
      };
      const add = async (InstanceAdvancedSettings: Body) =>
        stage.send("cluster", "AddExistedInstances", {
          ClusterId: clusterId,
          InstanceIds: [await machine(stage, place)],
          InstanceAdvancedSettings,
        });
      await add(settings);
      expect(await stage.send("cluster", "DescribeClusterInstances", { ClusterId: clusterId })).toMatchObject({
        InstanceSet: [{ InstanceAdvancedSettings: settings }],
      });
      await refuses(add({ Unschedulable: 2 }), "InvalidParameter");
      await refuses(add({ Unschedulable: -1 }), "InvalidParameter");
      expect(await codeOf(add({ Unschedulable: 0 }))).toBe("none");
      await refuses(add({ UserScript: "not base64!" }), "InvalidParameter");
      const takers = [
        cluster.createCluster,
        cluster.addExistedInstances,
        cluster.createClusterNodePool,
        cluster.createExternalNodePool,
        cluster.scaleOutClusterMaster,
      ];
      expect(takers.every(({ input }) => "instanceAdvancedSettings" in input.shape)).toBe(true);
    },
  },
  {
    title: "GPU arguments are valid for instance types with GPUs only",
    shows: shared("GPUArgs"),
    run: async (stage) => {
      const place = await clusterIn(stage);
      const GPUArgs = {
        CUDA: { Name: "CUDA", Version: "12.8.1" },
        CUDNN: { Name: "cuDNN", Version: "9.8.0" },
        Driver: { Name: "NVIDIA", Version: "570.158.01" },
        CustomDriver: { Address: "https://example.org/driver.run" },
        MIGEnable: true,
      };
      const settings = { InstanceAdvancedSettings: { GPUArgs } };
      const add = async (instanceType: string) =>
        stage.send("cluster", "AddExistedInstances", {
          ClusterId: place.clusterId,
          InstanceIds: [await machine(stage, place, { instanceType })],
          ...settings,
        });
      await refuses(add("SA5.MEDIUM4"), "InvalidParameter", "no GPU");
      await add("GN7.2XLARGE32");
      const pool = (instanceType: string) =>
        stage.cloud.call(cluster.createNodePool, {
          clusterId: place.clusterId,
          name: "workers",
          type: "Native",
          native: {
            ...nativeSettings(place.subnetId),
            instanceTypes: [instanceType],
            gpuConfigs: [{ instanceType, gpuParams: { driver: "570.158.01" } }],
          },
        });
      await refuses(pool("SA5.MEDIUM4"), "InvalidParameter", "no GPU");
      await pool("GN7.2XLARGE32");
      expect(await stage.send("cluster", "DescribeClusterInstances", { ClusterId: place.clusterId })).toMatchObject({
        InstanceSet: [settings],
      });
    },
  },
  {
    title: "every operation that creates instances rejects GPU arguments for instance types without GPUs; accepted arguments are returned",
    shows: shared("GPUArgs"),
    run: async (stage) => {
      const { clusterId, vpcId, subnetId } = await clusterIn(stage);
      const settings = { InstanceAdvancedSettings: { GPUArgs: { MIGEnable: true } } };
      const pool = (InstanceType: string) =>
        stage.send("cluster", "CreateClusterNodePool", {
          ClusterId: clusterId,
          AutoScalingGroupPara: JSON.stringify({ VpcId: vpcId, SubnetIds: [subnetId], MinSize: 1, MaxSize: 1 }),
          LaunchConfigurePara: JSON.stringify({ InstanceType }),
          EnableAutoscale: false,
          ...settings,
        });
      await refuses(pool("SA5.MEDIUM4"), "InvalidParameter", "no GPU");
      const { NodePoolId = "" } = await pool("GN7.2XLARGE32");
      const { NodePool } = await stage.send("cluster", "DescribeClusterNodePoolDetail", { ClusterId: clusterId, NodePoolId });
      expect(NodePool).toMatchObject({ GPUArgs: { MIGEnable: true } });
      const create = (InstanceType: string) =>
        stage.send("cluster", "CreateCluster", {
          VpcId: vpcId,
          SubnetId: subnetId,
          ClusterCIDRSettings: { ClusterCIDR: "172.17.0.0/16" },
          RunInstancePara: JSON.stringify({ InstanceType }),
          ...settings,
        });
      await refuses(create("SA5.MEDIUM4"), "InvalidParameter", "no GPU");
      const { ClusterId = "" } = await create("GN7.2XLARGE32");
      expect(await stage.send("cluster", "DescribeClusterInstances", { ClusterId })).toMatchObject({ InstanceSet: [settings] });
    },
  },
  {
    title: "the services of a node are enabled by default, if they are left out or an empty object",
    shows: shared("EnhancedService"),
    run: async (stage) => {
      const place = await clusterIn(stage);
      const services = async (enhancedService?: object) => {
        const id = await machine(stage, place);
        await stage.cloud.call(cluster.addExistedInstances, { clusterId: place.clusterId, instanceIds: [id], enhancedService });
        return servicesOn(stage.world, stage.region, id);
      };
      const on = { security: true, monitor: true, automation: true };
      expect(await services()).toEqual(on);
      expect(await services({})).toEqual(on);
      expect(await services({ securityService: {}, monitorService: {}, automationService: {} })).toEqual(on);
      expect(await services({ securityService: { enabled: false }, monitorService: { enabled: false } })).toEqual({
        security: false,
        monitor: false,
        automation: true,
      });
    },
  },
  {
    title: "edge instances and the control plane accept the same services",
    shows: shared("EnhancedService", "InstanceAdvancedSettings"),
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const { vpcId, subnetId, clusterId } = await openCluster(stage);
      const off = { monitorService: { enabled: false } };
      const silent = { ...off, automationService: { enabled: false } };
      const moduleId = await putEdgeModule(world, { region, name: "edge" });
      const edge = (enhancedService?: object) =>
        cloud.call(cluster.createEcmInstances, {
          clusterId,
          moduleId,
          zoneInstanceCountIspSet: [{ zone: `${region}-1`, instanceCount: 1, isp: "BGP" }],
          enhancedService,
        });
      const [usual = "", quiet = ""] = [await edge(), await edge(silent)].flatMap(({ ecmIdSet }) => ecmIdSet);
      expect([usual, quiet].map((id) => servicesOn(world, region, id))).toEqual([
        { security: true, monitor: true, automation: true },
        { security: true, monitor: false, automation: false },
      ]);
      const own = await newCluster(stage, { vpcId, subnetId }, { type: "INDEPENDENT_CLUSTER", cidr: "172.17.0.0/16" });
      stage.pass(3);
      const id = await machine(stage, { vpcId, subnetId });
      await cloud.call(cluster.scaleOutClusterMaster, {
        clusterId: own,
        existedInstancesForNode: [{ nodeRole: "MASTER_ETCD", existedInstancesPara: { instanceIds: [id], enhancedService: off } }],
        instanceAdvancedSettings: { labels: [{ name: "tier", value: "control" }] },
      });
      expect(servicesOn(world, region, id)).toEqual({ security: true, monitor: false, automation: true });
      const asked = { clusterId: own, instanceRole: "MASTER_ETCD" as const };
      expect((await cloud.call(cluster.describeClusterInstances, asked)).instanceSet).toMatchObject([
        { instanceId: id, instanceRole: "MASTER_ETCD", instanceAdvancedSettings: { labels: [{ name: "tier", value: "control" }] } },
      ]);
    },
  },
  {
    title: "the three logins exclude each other: one key and no key on Windows; the image login requires a custom image",
    shows: [...shared("LoginSettings"), ...inSection("Limits")("KeyIds in LoginSettings")],
    run: async (stage) => {
      const place = await clusterIn(stage);
      const [one, two] = [await key(stage, "one"), await key(stage, "two")];
      const add = async (loginSettings: object, given: object = {}) =>
        stage.cloud.call(cluster.addExistedInstances, {
          clusterId: place.clusterId,
          instanceIds: [await machine(stage, place, given)],
          loginSettings,
        });
      const custom = { imageId: "img-custom" };
      for (const [given, lack] of [
        [{ password: "Secret-123", keyIds: [one] }, "Password and KeyIds"],
        [{ password: "Secret-123", keepImageLogin: "true" }, "Password and KeepImageLogin"],
        [{ keyIds: [one], keepImageLogin: "true" }, "KeyIds and KeepImageLogin"],
        [{ keyIds: [one, two] }, "only one is supported"],
      ] as const)
        await refuses(add(given, custom), "InvalidParameter", lack);
      await refuses(add({ keepImageLogin: "true" }), "InvalidParameter");
      await refuses(add({ keyIds: [one] }, { osName: "Windows Server 2022" }), "InvalidParameter");
      await add({ keyIds: [one] });
      await add({ password: "Secret-123" }, { osName: "Windows Server 2022" });
      await add({ keepImageLogin: "true" }, custom);
    },
  },
];

function key({ world, region }: Stage, name: string): Promise<string> {
  return putKeyPair(world, { region, name });
}
