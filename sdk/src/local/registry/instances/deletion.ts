import { deleteInstance } from "../../../catalogue/registry/instances.ts";
import { type Call, on } from "../../behaviour.ts";
import { durationOf } from "../../time-scale.ts";
import { attachmentsBy } from "../../vpc/attachments.ts";
import { passing, settled } from "../../store/timeline.ts";
import { attachments } from "../../vpc/tables.ts";
import { registryOf, registryStatusAt } from "../states.ts";
import {
  blobs,
  buckets,
  images,
  internalEndpoints,
  internalNames,
  manifests,
  namespaces,
  registries,
  registryTokens,
  replicationRules,
  repositories,
  retentionRules,
  serviceAccounts,
  whitelists,
} from "../tables.ts";

export const deletionBehaviours = [
  on(deleteInstance, (call, { registryId, deleteBucket = false, dryRun = false }) => {
    const registry = registryOf(call, registryId);
    if (registry.deletionProtection)
      throw call.error(
        "OperationDenied",
        `registry ${registryId} is under deletion protection; ModifyInstance with DeletionProtection false lifts it`,
      );
    if (dryRun || registryStatusAt(registry, call.now) === "Deleting") return {};
    const gone = call.after("registryDelete");
    const fault = call.faults.endFor("registryDeletion");
    if (fault) {
      const timeline = passing("Deleting", gone, fault.endState, fault.reason);
      call.rows(registries).update(registryId, { doing: "Delete", timeline });
      return {};
    }
    call.rows(registries).update(registryId, { doing: "Delete", timeline: settled("Deleting") });
    call.rows(registries).expire(registryId, gone);
    if (deleteBucket)
      for (const { id, registryId: of } of call.rows(buckets).list()) if (of === registryId) call.rows(buckets).expire(id, gone);
    expireAll(call, registryId, gone);
    releaseAddresses(call, registryId, gone);
    return {};
  }),
];

/** Deletes all that belongs to a registry at a moment, but not its bucket. */
function expireAll(call: Call, registryId: string, moment: number): void {
  call.rows(images).expireWithin(registryId, moment);
  call.rows(manifests).expireWithin(registryId, moment);
  call.rows(blobs).expireWithin(registryId, moment);
  call.rows(repositories).expireBelow(registryId, moment);
  call.rows(namespaces).expireBelow(registryId, moment);
  call.rows(whitelists).expireBelow(registryId, moment);
  call.rows(internalEndpoints).expireBelow(registryId, moment);
  call.rows(internalNames).expireBelow(registryId, moment);
  call.rows(registryTokens).expireBelow(registryId, moment);
  call.rows(serviceAccounts).expireBelow(registryId, moment);
  call.rows(replicationRules).expireBelow(registryId, moment);
  call.rows(retentionRules).expireBelow(registryId, moment);
}

/** Releases the addresses of all connections a little after the deletion. */
function releaseAddresses(call: Call, registryId: string, moment: number): void {
  const released = moment + durationOf("addressRelease", call.world.timeScale);
  for (const { id } of attachmentsBy(call, ({ owner }) => owner === registryId)) call.rows(attachments).expire(id, released);
}
