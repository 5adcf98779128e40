import type { z } from "zod";
import * as operations from "../../../catalogue/registry/replication.ts";
import { type Call, type CallOf, on } from "../../behaviour.ts";
import { registryRules } from "../../../rules/registry.ts";
import { refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { numberOfRegion, regions } from "../../regions.ts";
import { given } from "../../requests/input.ts";
import { pageOf } from "../../requests/listing.ts";
import { type Inside, newNumber, refuseUnlessRunning, registryOf, requireInside, runningRegistry } from "../states.ts";
import { namespaces, registries, type ReplicationRow, replicationRules } from "../tables.ts";

type Input = z.output<typeof operations.manageReplication.input>;

export const replicationBehaviours = [
  on(operations.manageReplication, (call, input) => {
    const { sourceRegistryId: sourceId, rule } = input;
    const id = `${sourceId}/${rule.name}`;
    const known = call.rows(replicationRules).get(id);
    const settings = {
      destination: destinationOf(call, input),
      description: input.description ?? known?.description ?? "",
      override: rule.override,
      deletion: rule.deletion ?? false,
      filters: filtersOf(call, input.rule.filters),
      updatedAt: call.timestamp,
    };
    if (known) call.rows(replicationRules).update(id, settings);
    else {
      refuseUnlessAllowed(call, "InvalidParameter.ErrorTcrInvalidParameter", "Rule.Name", rule.name, registryRules.ruleName);
      const made = {
        id,
        number: newNumber(call.world),
        sourceId,
        name: rule.name,
        enabled: true,
        createdAt: call.timestamp,
        ...settings,
      };
      call.rows(replicationRules).insert(made, sourceId);
    }
  }),

  on(operations.modifyReplication, (call, { sourceRegistryId, ruleName, rule, description }) => {
    runningRegistry(call, sourceRegistryId);
    const was = existingRule(call, sourceRegistryId, ruleName);
    const { filters = was.filters, destNamespace = was.destination.namespace } = rule;
    if (destNamespace !== was.destination.namespace) refuseNamespace(call, { ...was.destination, namespace: destNamespace });
    call.rows(replicationRules).update(was.id, {
      destination: { ...was.destination, namespace: destNamespace },
      ...given({ description, override: rule.override, deletion: rule.deletion, enabled: rule.enabled }),
      filters: filtersOf(call, filters),
      updatedAt: call.timestamp,
    });
  }),

  on(operations.describeReplicationPolicies, (call, { registryId, page = 1, pageSize = 100 }) => {
    registryOf(call, registryId);
    const found = call.list(replicationRules, registryId);
    const shown = pageOf(call, found, { offset: page, limit: pageSize }, { offset: "Page", limit: "PageSize" });
    return { replicationPolicyInfoList: shown.map(recordOf), totalCount: found.length };
  }),

  on(operations.deleteReplicationRule, (call, { sourceRegistryId, ruleName }) => {
    registryOf(call, sourceRegistryId);
    call.rows(replicationRules).remove(existingRule(call, sourceRegistryId, ruleName).id);
  }),
];

/** The rule of the given name. Refuses the call if the registry has none. */
function existingRule(call: Inside, registryId: string, name: string): ReplicationRow {
  return requireInside(call, registryId, `replication rule ${name}`, call.rows(replicationRules).get(`${registryId}/${name}`));
}

/** The destination of a rule: an existing namespace of another registry, in the same region unless another is given. */
function destinationOf(call: CallOf<typeof operations.manageReplication>, input: Input): ReplicationRow["destination"] {
  const { sourceRegistryId, destinationRegistryId: registryId, destinationRegionId, rule } = input;
  const source = runningRegistry(call, sourceRegistryId);
  const region = destinationRegionId === undefined ? call.region : regions[destinationRegionId - 1];
  if (region === undefined) {
    const choice = regions.map((name) => `${numberOfRegion(name)} (${name})`).join(", ");
    throw call.error("InvalidParameter.ErrorTcrInvalidParameter", `DestinationRegionId is ${destinationRegionId}; it takes ${choice}`);
  }
  if (registryId === sourceRegistryId)
    throw call.error(
      "InvalidParameter.ErrorTcrInvalidParameter",
      `DestinationRegistryId is ${registryId}, the source itself; it takes another`,
    );
  if (region !== call.region && source.type !== "premium")
    throw call.error(
      "UnsupportedOperation",
      `registry ${sourceRegistryId} is ${source.type}; copying to another region takes a premium one`,
    );
  const destined = call.in(region).rows(registries).get(registryId);
  if (!destined) throw call.error("ResourceNotFound", `there is no registry ${registryId} in ${region}`);
  refuseUnlessRunning(call, destined);
  const destination = { registryId, region, namespace: rule.destNamespace };
  refuseNamespace(call, destination);
  return destination;
}

function refuseNamespace(call: Inside, { registryId, region, namespace }: ReplicationRow["destination"]): void {
  const found = call.in(region).rows(namespaces).get(`${registryId}/${namespace}`);
  requireInside(call, registryId, `namespace ${namespace} to copy to`, found);
}

function filtersOf(call: Call<"InvalidParameter.ErrorTcrInvalidParameter">, filters: ReplicationRow["filters"]): ReplicationRow["filters"] {
  if (filters.length === 0)
    throw call.error("InvalidParameter.ErrorTcrInvalidParameter", "Rule.Filters is empty; it takes at least one of name, tag, resource");
  return filters;
}

function recordOf({ number, name, description, filters, override, enabled, sourceId, destination, createdAt, updatedAt }: ReplicationRow) {
  return {
    id: number,
    name,
    description,
    filters: filters.map(({ type, value = "" }) => ({ type, value })),
    override,
    enabled,
    srcResource: sourceId,
    destResource: `${destination.registryId}/${destination.namespace} ${destination.region}`,
    creationTime: createdAt,
    updateTime: updatedAt,
  };
}
