import { z } from "zod";
import type { createCluster } from "../../../catalogue/cluster/clusters.ts";
import { enhancedService, instanceChargeTypes, loginSettings } from "../../../catalogue/cluster/structures.ts";
import { tags } from "../../../catalogue/shared.ts";
import { jsonIn, listed } from "../../../formats/texts.ts";
import { isObject } from "../../../operation/codec.ts";
import { spelt } from "../../../operation/operation.ts";
import type { Call } from "../../behaviour.ts";
import { instances, keyPairs } from "../../compute/tables.ts";
import { zonesOf } from "../../regions.ts";
import { inputFrom, unknownNames } from "../../requests/input.ts";
import { requireRow } from "../../requests/listing.ts";
import { attach, type SubnetRow } from "../../vpc/subnets.ts";
import { freeHosts, refuseMissingGroups, subnetIn } from "../network.ts";
import type { ClusterRow, NodeRow } from "../tables.ts";
import { joinInstances, publicImageIds, refuseInstanceCount, refuseUnoffered, servicesOf, usualImageId, whyUnfit } from "./machines.ts";

/** Requests that the cluster service passes on to the compute service: JSON objects as text. */

/** A field of the public API of which the local platform makes nothing. */
const unused = z.unknown().optional();

const diskRequest = z.object({
  diskType: z.string().default("CLOUD_PREMIUM"),
  diskSize: z.int().default(50),
  diskId: unused,
  diskName: unused,
  cdcId: unused,
  encrypt: unused,
  kmsKeyId: unused,
});

const machineFields = {
  instanceType: z.string().min(1),
  instanceChargeType: z.enum(instanceChargeTypes).default("POSTPAID_BY_HOUR"),
  imageId: z.string().optional(),
  systemDisk: diskRequest.optional(),
  securityGroupIds: z.array(z.string()).default([]),
  loginSettings: loginSettings.optional(),
  enhancedService: enhancedService.optional(),
  camRoleName: unused,
  dataDisks: unused,
  dedicatedClusterId: unused,
  disasterRecoverGroupIds: unused,
  hpcClusterId: unused,
  instanceChargePrepaid: unused,
  instanceMarketOptions: unused,
  internetAccessible: unused,
  metadata: unused,
  userData: unused,
};

const machineRequest = z.object({
  ...machineFields,
  instanceName: z.string().default(""),
  instanceCount: z.int().min(1).max(100).default(1),
  placement: z
    .object({
      zone: z.string().optional(),
      projectId: unused,
      hostIds: unused,
      dedicatedResourcePackIds: unused,
      dedicatedResourcePackTenancy: unused,
    })
    .optional(),
  virtualPrivateCloud: z
    .object({ vpcId: z.string(), subnetId: z.string(), asVpcGateway: unused, privateIpAddresses: unused, ipv6AddressCount: unused })
    .optional(),
  tagSpecification: z.array(z.object({ resourceType: z.string(), tags })).default([]),
  actionTimer: unused,
  chcIds: unused,
  clientToken: unused,
  cpuTopology: unused,
  disableApiTermination: unused,
  dryRun: unused,
  enableJumboFrame: unused,
  hostName: unused,
  launchTemplate: unused,
  minCount: unused,
});
type MachineRequest = z.output<typeof machineRequest>;

export const launchConfiguration = z.object({
  ...machineFields,
  diskTypePolicy: unused,
  hostNameSettings: unused,
  imageFamily: unused,
  instanceNameSettings: unused,
  instanceTags: unused,
  instanceTypes: unused,
  instanceTypesCheckPolicy: unused,
  launchConfigurationName: unused,
  projectId: unused,
  tags: unused,
  ipv6InternetAccessible: spelt("IPv6InternetAccessible", unused),
});

export const scalingGroupRequest = z.object({
  vpcId: z.string(),
  subnetIds: z.array(z.string()).min(1),
  minSize: z.int().min(0),
  maxSize: z.int().min(0),
  desiredCapacity: z.int().min(0).optional(),
  zones: z.array(z.string()).optional(),
  autoScalingGroupName: unused,
  capacityRebalance: unused,
  defaultCooldown: unused,
  forwardLoadBalancers: unused,
  healthCheckType: unused,
  instanceAllocationPolicy: unused,
  instanceNameIndexSettings: unused,
  ipv6AddressCount: unused,
  launchConfigurationId: unused,
  loadBalancerHealthCheckGracePeriod: unused,
  loadBalancerIds: unused,
  multiZoneSubnetPolicy: unused,
  projectId: unused,
  retryPolicy: unused,
  serviceSettings: unused,
  spotMixedAllocationPolicy: unused,
  tags: unused,
  terminationPolicies: unused,
  zonesCheckPolicy: unused,
});

/** Parses a request; refuses one that is not a JSON object, or does not fit the schema. */
export function requestIn<Schema extends z.ZodObject>(call: Call, parameter: string, schema: Schema, text: string): z.output<Schema> {
  const given = jsonIn(text);
  if (!isObject(given))
    throw call.error(
      "InvalidParameter",
      `${parameter} is no JSON object; it takes a request for the compute service, a JSON object as text`,
    );
  const [unknown] = unknownNames(schema, given);
  if (unknown) throw call.error("InvalidParameter", `${parameter} has no field ${unknown.path}; it takes ${unknown.instead.join(", ")}`);
  return inputFrom({ action: parameter, input: schema }, given, (code, reason) => call.error(code, `${parameter}: ${reason}`));
}

/** Refuses a zone that the region does not have, that is not available, or that is not one of the subnets'. */
export function refuseOtherZone(
  call: Call<"InvalidZone.ZoneNotAvailable">,
  parameter: string,
  asked: readonly string[],
  zones: readonly string[],
): void {
  const usable = zonesOf(call.region).flatMap(({ zone, available }) => (available && zones.includes(zone) ? [zone] : []));
  const odd = asked.find((zone) => !usable.includes(zone));
  if (odd !== undefined)
    throw call.error(
      "InvalidZone.ZoneNotAvailable",
      `${parameter} is ${JSON.stringify(odd)}; it takes ${usable.join(", ")}, where the machines' subnets are`,
    );
}

/** How one can log in to machines that become nodes. */

/**
 * Refuses invalid log-in settings (specification, LoginSettings): the three ways exclude each other, there is one key at most and
 * none for Windows, and the image's own log-in needs an image that is not a public one.
 */
export function refuseLogin(
  call: Call<"ResourceNotFound">,
  login: Login | undefined,
  instanceIds: readonly string[],
  imageId?: string,
): void {
  const found = instanceIds.flatMap((id) => call.rows(instances).get(id) ?? []);
  const machines = found.map((instance) => ({ name: instance.id, imageId: imageId ?? instance.imageId, osName: instance.osName }));
  refuseLoginWith(call, login, machines);
}

type Login = z.output<typeof loginSettings>;

interface Installed {
  /** Its name in messages: the id of the instance, or the parameter that asks for it. */
  readonly name: string;
  readonly imageId: string;
  readonly osName: string;
}

/** Like `refuseLogin`, for machines that do not exist yet. */
export function refuseLoginWith(call: Call<"ResourceNotFound">, login: Login | undefined, machines: readonly Installed[]): void {
  if (!login) return;
  const { keyIds = [], keepImageLogin = "false" } = login;
  if (keepImageLogin !== "true" && keepImageLogin !== "false")
    throw call.error("InvalidParameter", `LoginSettings.KeepImageLogin is ${JSON.stringify(keepImageLogin)}; it takes true or false`);
  const ways = { Password: login.password, KeyIds: login.keyIds, KeepImageLogin: login.keepImageLogin };
  const given = Object.entries(ways).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (given.length > 1) throw call.error("InvalidParameter", `LoginSettings has ${listed(given)}; they exclude each other, give one`);
  if (keyIds.length > 1) throw call.error("InvalidParameter", `LoginSettings.KeyIds has ${keyIds.length} keys; only one is supported`);
  for (const id of keyIds) requireRow(call, keyPairs, "key pair", id);
  const windows = machines.filter(({ osName }) => /windows/i.test(osName));
  if (keyIds.length > 0 && windows.length > 0)
    throw call.error(
      "InvalidParameter",
      `LoginSettings.KeyIds is given, but ${namesOf(windows)} runs Windows, which takes no keys; give a Password`,
    );
  const publicOnes = machines.filter(({ imageId }) => keepImageLogin === "true" && publicImageIds.includes(imageId));
  if (publicOnes.length > 0)
    throw call.error(
      "InvalidParameter",
      `KeepImageLogin is true, but ${namesOf(publicOnes)} has a public image, such as DescribeOSImages lists; it takes custom, shared and imported images`,
    );
}

function namesOf(machines: readonly Installed[]): string {
  return machines.map(({ name }) => name).join(", ");
}

type NodesInput = Pick<
  z.output<typeof createCluster.input>,
  "runInstancePara" | "runInstancesForNode" | "instanceAdvancedSettings" | "existedInstancesForNode"
>;
type NodesCall = Call<"FailedOperation.CvmVpcidNotMatch" | "InvalidZone.ZoneNotAvailable" | "LimitExceeded" | "ResourceNotFound">;
type Role = "WORKER" | "MASTER_ETCD";

/**
 * Adds nodes to a cluster: new machines, and existing ones. Their installation begins at `from`. Answers how many.
 *
 * @param roles those that the operation takes; a node for which none is given has the first
 */
export function makeNodes(
  call: NodesCall,
  cluster: ClusterRow,
  input: NodesInput,
  roles: readonly [Role, ...Role[]],
  from: number,
): number {
  const requests = [
    ...(input.runInstancePara === undefined
      ? []
      : [{ role: roles[0], parameter: "RunInstancePara", text: input.runInstancePara, settings: undefined }]),
    ...(input.runInstancesForNode ?? []).flatMap(({ nodeRole: role, runInstancesPara, instanceAdvancedSettingsOverrides = [] }) =>
      runInstancesPara.map((text, index) => ({
        role,
        parameter: "RunInstancesPara",
        text,
        settings: instanceAdvancedSettingsOverrides[index],
      })),
    ),
  ];
  const common = input.instanceAdvancedSettings ?? {};
  const existed = input.existedInstancesForNode ?? [];
  for (const role of [...requests.map((request) => request.role), ...existed.map(({ nodeRole }) => nodeRole)])
    if (!roles.includes(role))
      throw call.error("InvalidParameter", `NodeRole is ${role}; ${call.operation.action} of a ${cluster.type} takes ${roles.join(", ")}`);
  const made = requests.map(({ role, parameter, text, settings }) => {
    const request = requestIn(call, parameter, machineRequest, text);
    const ids = runInstances(call, cluster, parameter, request);
    const services = servicesOf(request.enhancedService);
    const joining = ids.map((id) => ({ id, settings: settings ?? common }));
    joinInstances(call, cluster, joining, { role, services, from });
    return ids.length;
  });
  const joined = existed.map((given) => joinExisting(call, cluster, given, { common, from }));
  return [...made, ...joined].reduce((sum, count) => sum + count, 0);
}

function joinExisting(
  call: NodesCall,
  cluster: ClusterRow,
  {
    nodeRole: role,
    existedInstancesPara: given,
    instanceAdvancedSettingsOverride,
    desiredPodNumbers,
  }: NonNullable<NodesInput["existedInstancesForNode"]>[number],
  { common, from }: { common: NodeRow["settings"]; from: number },
): number {
  refuseInstanceCount(call, given.instanceIds);
  refuseLogin(call, given.loginSettings, given.instanceIds);
  refuseMissingGroups(call, given.securityGroupIds ?? []);
  const ids = [...new Set(given.instanceIds)];
  for (const id of ids) {
    const lack = whyUnfit(call, cluster, id);
    if (lack !== undefined) throw call.error("FailedOperation.CvmVpcidNotMatch", `ExistedInstancesForNode: ${lack}`);
  }
  const settings: NodeRow["settings"] = instanceAdvancedSettingsOverride ?? given.instanceAdvancedSettings ?? common;
  const joining = ids.map((id, index) => ({
    id,
    settings: { ...settings, desiredPodNumber: desiredPodNumbers?.[index] ?? settings.desiredPodNumber },
  }));
  joinInstances(call, cluster, joining, {
    role,
    services: servicesOf(given.enhancedService),
    keyIds: given.loginSettings?.keyIds,
    securityGroupIds: given.securityGroupIds,
    from,
  });
  return ids.length;
}

/** Makes the machines of one request to the compute service. */
function runInstances(call: NodesCall, cluster: ClusterRow, parameter: string, request: MachineRequest): string[] {
  const place = request.virtualPrivateCloud ?? { vpcId: cluster.vpcId, subnetId: cluster.subnetId };
  if (place.vpcId !== cluster.vpcId)
    throw call.error(
      "FailedOperation.CvmVpcidNotMatch",
      `${parameter}: VirtualPrivateCloud.VpcId is ${place.vpcId}; the cluster is in ${cluster.vpcId}`,
    );
  const subnet = subnetIn(call, parameter, place.subnetId, cluster);
  if (request.placement?.zone !== undefined) refuseOtherZone(call, `${parameter}: Placement.Zone`, [request.placement.zone], [subnet.zone]);
  const { instanceType, systemDisk } = request;
  refuseUnoffered(call, "InvalidParameter", `${parameter}: `, { subnetIds: [subnet.id], instanceType, systemDisk });
  refuseMissingGroups(call, request.securityGroupIds);
  refuseLoginWith(call, request.loginSettings, [{ name: parameter, imageId: request.imageId ?? usualImageId, osName: cluster.os }]);
  const hosts = freeHosts(call, subnet, request.instanceCount);
  if (hosts.length < request.instanceCount)
    throw call.error(
      "InvalidParameter",
      `subnet ${subnet.id} has ${hosts.length} available addresses; ${parameter} needs ${request.instanceCount}`,
    );
  return hosts.map((privateIpAddress) => makeInstance(call, cluster, { request, subnet, privateIpAddress }));
}

function makeInstance(
  call: Call,
  { vpcId, os, network }: ClusterRow,
  { request, subnet, privateIpAddress }: { request: MachineRequest; subnet: SubnetRow; privateIpAddress: string },
): string {
  const id = call.world.newId("ins", instances);
  const { securityGroupIds } = request;
  call.rows(instances).insert(
    {
      id,
      name: request.instanceName || id,
      zone: subnet.zone,
      vpcId,
      subnetId: subnet.id,
      instanceType: request.instanceType,
      chargeType: request.instanceChargeType,
      imageId: request.imageId ?? usualImageId,
      osName: os,
      systemDisk: request.systemDisk ?? { diskType: "CLOUD_PREMIUM", diskSize: 50 },
      state: "RUNNING",
      privateIpAddress,
      securityGroupIds,
      keyIds: request.loginSettings?.keyIds ?? [],
      createdTime: call.timestamp,
      tags: request.tagSpecification.flatMap(({ tags }) => tags),
    },
    vpcId,
  );
  attach(call, { owner: id, vpcId, subnetId: subnet.id, addresses: 1, ipv6: network.isDualStack, securityGroupIds });
  return id;
}
