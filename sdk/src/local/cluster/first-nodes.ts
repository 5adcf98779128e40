import { z } from "zod";
import type { createCluster } from "../../catalogue/cluster/creation.ts";
import { instanceChargeTypes } from "../../catalogue/cluster/native.ts";
import type { Call } from "../behaviour.ts";
import { instances } from "../compute/tables.ts";
import { attach } from "../vpc/attachments.ts";
import { freeAddresses, type SubnetRow } from "../vpc/subnets.ts";
import { joinInstances, publicImageId, refuseLogin, refuseMany, unfit } from "./joining.ts";
import { dwelling, freeHosts, refuseMissingGroups, subnetIn } from "./places.ts";
import type { ClusterRow, NodeRow } from "./tables.ts";

type Input = z.output<typeof createCluster.input>;
type FirstCall = Call<"FailedOperation.CvmVpcidNotMatch" | "LimitExceeded" | "ResourceNotFound">;

/** What a request for virtual machines says; it says more, which the local platform has no use for. */
const machineRequest = z.object({
  InstanceCount: z.int().min(1).max(100).default(1),
  InstanceType: z.string(),
  InstanceName: z.string().default(""),
  InstanceChargeType: z.enum(instanceChargeTypes).default("POSTPAID_BY_HOUR"),
  ImageId: z.string().default(publicImageId),
  VirtualPrivateCloud: z.object({ VpcId: z.string(), SubnetId: z.string() }).optional(),
  SecurityGroupIds: z.array(z.string()).default([]),
});

type MachineRequest = z.output<typeof machineRequest>;

/** The nodes that a cluster is created with: machines made for it, and machines that were there. */
export function makeFirstNodes(call: FirstCall, cluster: ClusterRow, input: Input): void {
  const requests = [
    ...(input.runInstancePara === undefined ? [] : [{ role: "WORKER", text: input.runInstancePara, settings: undefined }]),
    ...(input.runInstancesForNode ?? []).flatMap(({ nodeRole, runInstancesPara, instanceAdvancedSettingsOverrides = [] }) =>
      runInstancesPara.map((text, index) => ({ role: nodeRole, text, settings: instanceAdvancedSettingsOverrides[index] })),
    ),
  ];
  const common = input.instanceAdvancedSettings ?? {};
  const existed = input.existedInstancesForNode ?? [];
  for (const role of [...requests.map((request) => request.role), ...existed.map(({ nodeRole }) => nodeRole)])
    if (role === "MASTER_ETCD" && cluster.type === "MANAGED_CLUSTER")
      throw call.error(
        "InvalidParameter",
        "NodeRole is MASTER_ETCD with ClusterType MANAGED_CLUSTER, whose control plane the platform runs",
      );
  for (const { role, text, settings } of requests) {
    const ids = runInstances(call, cluster, text);
    joinInstances(call, cluster, ids, { role, settings: () => settings ?? common, from: call.after("clusterCreate") });
  }
  for (const { nodeRole, existedInstancesPara: given, instanceAdvancedSettingsOverride } of existed) {
    refuseMany(call, given.instanceIds);
    refuseLogin(call, given.loginSettings, given.instanceIds);
    refuseMissingGroups(call, given.securityGroupIds ?? []);
    const ids = [...new Set(given.instanceIds)];
    for (const id of ids) {
      const lack = unfit(call, cluster, id);
      if (lack !== undefined) throw call.error("FailedOperation.CvmVpcidNotMatch", `ExistedInstancesForNode: ${lack}`);
    }
    const settings: NodeRow["settings"] = instanceAdvancedSettingsOverride ?? given.instanceAdvancedSettings ?? common;
    joinInstances(call, cluster, ids, {
      role: nodeRole,
      settings: () => settings,
      securityGroupIds: given.securityGroupIds,
      from: call.after("clusterCreate"),
    });
  }
}

/** Makes the machines of one request, as the compute service would. */
function runInstances(call: FirstCall, cluster: ClusterRow, text: string): string[] {
  const request = requestOf(call, text);
  const place = request.VirtualPrivateCloud ?? { VpcId: cluster.vpcId, SubnetId: cluster.subnetId };
  if (place.VpcId !== cluster.vpcId)
    throw call.error(
      "FailedOperation.CvmVpcidNotMatch",
      `RunInstancesPara: VirtualPrivateCloud.VpcId is ${place.VpcId}; the cluster is in ${cluster.vpcId}`,
    );
  const subnet = subnetIn(call, "RunInstancesPara", place.SubnetId, dwelling(cluster));
  refuseMissingGroups(call, request.SecurityGroupIds);
  const hosts = freeHosts(call, subnet, Math.min(request.InstanceCount, freeAddresses(call, subnet)));
  if (hosts.length < request.InstanceCount)
    throw call.error(
      "InvalidParameter",
      `subnet ${subnet.id} has ${hosts.length} available addresses; RunInstancesPara needs ${request.InstanceCount}`,
    );
  return hosts.map((privateIpAddress) => makeInstance(call, cluster, { request, subnet, privateIpAddress }));
}

function makeInstance(
  call: Call,
  { vpcId, network }: ClusterRow,
  { request, subnet, privateIpAddress }: { request: MachineRequest; subnet: SubnetRow; privateIpAddress: string },
): string {
  const id = call.world.newId("ins");
  const securityGroupIds = request.SecurityGroupIds;
  call.rows(instances).insert(
    {
      id,
      name: request.InstanceName || id,
      zone: subnet.zone,
      vpcId,
      subnetId: subnet.id,
      instanceType: request.InstanceType,
      chargeType: request.InstanceChargeType,
      imageId: request.ImageId,
      systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
      state: "RUNNING",
      privateIpAddress,
      securityGroupIds,
      keyIds: [],
      createdTime: call.timestamp,
      tags: [],
    },
    vpcId,
  );
  attach(call, { owner: id, vpcId, subnetId: subnet.id, addresses: 1, ipv6: network.isDualStack, securityGroupIds });
  return id;
}

function requestOf(call: Call, text: string): MachineRequest {
  const parsed = machineRequest.safeParse(jsonOf(call, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw call.error("InvalidParameter", `RunInstancesPara: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}

function jsonOf(call: Call, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw call.error("InvalidParameter", "RunInstancesPara is not JSON; it takes a request for virtual machines, a JSON object as text");
  }
}
