import type { z } from "zod";
import type { createCluster } from "../../../catalogue/cluster/creation.ts";
import type { Call } from "../../behaviour.ts";
import { instances } from "../../compute/tables.ts";
import { attach } from "../../vpc/attachments.ts";
import { freeAddresses, type SubnetRow } from "../../vpc/subnets.ts";
import { joinInstances, refuseInstanceCount, servicesOf, whyUnfit } from "./joining.ts";
import { refuseLogin, refuseLoginWith } from "./log-in.ts";
import { refuseDisk, refuseInstanceTypes } from "./offered.ts";
import { usualImageId } from "./public-images.ts";
import { machineRequest, type MachineRequest, refuseOtherZone, requestIn } from "./machine-requests.ts";
import { subnetRequirements, freeHosts, refuseMissingGroups, subnetIn } from "../network.ts";
import type { ClusterRow, NodeRow } from "../tables.ts";

type NodesInput = Pick<
  z.output<typeof createCluster.input>,
  "runInstancePara" | "runInstancesForNode" | "instanceAdvancedSettings" | "existedInstancesForNode"
>;
type NodesCall = Call<"FailedOperation.CvmVpcidNotMatch" | "InvalidZone.ZoneNotAvailable" | "LimitExceeded" | "ResourceNotFound">;
type Role = "WORKER" | "MASTER_ETCD";

interface Making {
  /** The role of nodes for which none is given. */
  readonly usualRole: Role;
  /** The roles that the operation takes. */
  readonly roles: readonly Role[];
  /** When the installation of the nodes begins. */
  readonly from: number;
}

/** Adds nodes to a cluster: new machines, and existing ones. Answers how many. */
export function makeNodes(call: NodesCall, cluster: ClusterRow, input: NodesInput, making: Making): number {
  const requests = [
    ...(input.runInstancePara === undefined
      ? []
      : [{ role: making.usualRole, parameter: "RunInstancePara", text: input.runInstancePara, settings: undefined }]),
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
    if (!making.roles.includes(role))
      throw call.error(
        "InvalidParameter",
        `NodeRole is ${role}; ${call.operation.action} of a ${cluster.type} takes ${making.roles.join(", ")}`,
      );
  const made = requests.map(({ role, parameter, text, settings }) => {
    const request = requestIn(call, parameter, machineRequest, text);
    const ids = runInstances(call, cluster, parameter, request);
    const services = servicesOf(request.enhancedService);
    joinInstances(call, cluster, ids, { role, settings: () => settings ?? common, services, from: making.from });
    return ids.length;
  });
  return [...made, ...existed.map((given) => joinExisting(call, cluster, given, { common, from: making.from }))].reduce(
    (sum, count) => sum + count,
    0,
  );
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
  joinInstances(call, cluster, ids, {
    role,
    settings: (index) => ({ ...settings, desiredPodNumber: desiredPodNumbers?.[index] ?? settings.desiredPodNumber }),
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
  const subnet = subnetIn(call, parameter, place.subnetId, subnetRequirements(cluster));
  if (request.placement?.zone !== undefined) refuseOtherZone(call, `${parameter}: Placement.Zone`, [request.placement.zone], [subnet.zone]);
  const asked = (field: string) => ({ parameter: `${parameter}: ${field}`, zones: [subnet.zone], code: "InvalidParameter" }) as const;
  refuseInstanceTypes(call, [request.instanceType], asked("InstanceType"));
  if (request.systemDisk) refuseDisk(call, { ...request.systemDisk, usage: "SYSTEM_DISK" }, asked("SystemDisk"));
  refuseMissingGroups(call, request.securityGroupIds);
  refuseLoginWith(call, request.loginSettings, [{ name: parameter, imageId: request.imageId ?? usualImageId, osName: cluster.os }]);
  const hosts = freeHosts(call, subnet, Math.min(request.instanceCount, freeAddresses(call, subnet)));
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
