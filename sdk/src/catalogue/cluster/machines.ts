import { z } from "zod";
import { sensitive } from "../../operation/operation.ts";
import { enhancedService, instanceAdvancedSettings, loginSettings } from "./structures.ts";

/** Machines that become nodes: new ones, by a request that is passed on to the compute service, and existing ones. */

const nodeRole = z.enum(["MASTER_ETCD", "WORKER"]).describe("Role of the nodes; `MASTER_ETCD` only in self-deployed clusters.");

const runInstancesForNode = z.object({
  nodeRole,
  // May hold passwords.
  runInstancesPara: sensitive(z.array(z.string()).describe("Requests for instances, each a JSON object as text.")),
  instanceAdvancedSettingsOverrides: z
    .array(instanceAdvancedSettings)
    .optional()
    .describe("Settings of the nodes, one for each request; they override `InstanceAdvancedSettings`."),
});

const existedInstancesForNode = z.object({
  nodeRole,
  existedInstancesPara: z
    .object({
      instanceIds: z.array(z.string()).describe("IDs of existing instances, at most 100."),
      instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of the nodes."),
      enhancedService: enhancedService.optional().describe("Services on the nodes."),
      loginSettings: loginSettings.optional().describe("How to log in to the nodes: one of the three."),
      securityGroupIds: z.array(z.string()).optional().describe("Security groups of the nodes."),
      hostName: z.string().optional().describe("Host name given to the node."),
    })
    .describe("The instances and how they are set up."),
  instanceAdvancedSettingsOverride: instanceAdvancedSettings
    .optional()
    .describe("Settings of the nodes; they override `InstanceAdvancedSettings`."),
  desiredPodNumbers: z
    .array(z.int())
    .optional()
    .describe("The most pods on each node, in the order of the instances; custom PodCIDR mode."),
});

/** The parameters for new nodes of a cluster. The specification's `RunInstancePara` and the public API's `RunInstancesForNode` mean the same. */
export const newNodes = {
  runInstancesForNode: z.array(runInstancesForNode).optional().describe("Requests for instances that become nodes."),
  // May hold passwords.
  runInstancePara: sensitive(
    z
      .string()
      .optional()
      .describe(
        "One request for instances that become nodes of the default role, a JSON object as text; the same as an entry of `RunInstancesForNode`.",
      ),
  ),
  instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of the new nodes."),
  existedInstancesForNode: z.array(existedInstancesForNode).optional().describe("Existing instances of the same VPC that become nodes."),
};
