import type { z } from "zod";
import * as operations from "../../../catalogue/registry/instances.ts";
import type { RegistryStatus } from "../../../catalogue/registry/states.ts";
import { registryRules } from "../../../rules/registry.ts";
import { everyRow } from "../../accounts/accounts.ts";
import { type Call, type Context, on } from "../../behaviour.ts";
import { numberOfRegion, regions } from "../../regions.ts";
import { given } from "../../requests/input.ts";
import { byTag, exactly, filtered, listed, type Listing, refuseTooMany } from "../../requests/listing.ts";
import type { Table } from "../../store/table.ts";
import { passing, reasonAt, settled } from "../../store/timeline.ts";
import { monthsAfter, timestampOf } from "../../time.ts";
import { releaseAttachments } from "../../vpc/subnets.ts";
import { connectedAddresses, publicAddressOf } from "../access/endpoints.ts";
import { refuseTagSpecification, registryOf, registryStatusAt, runningRegistry } from "../states.ts";
import * as tables from "../tables.ts";

/** Reserved names. The public API has some, but does not list them: these are the local platform's choice. */
const reserved: readonly string[] = ["admin", "library", "public", "registry", "system"];

/**
 * Why a registry cannot have a name, with the number that CheckInstanceName gives it; `undefined` if it can. Names are unique over all
 * accounts and regions, because domains are.
 */
function flawOfName(call: Call, name: string) {
  const shown = `RegistryName is ${JSON.stringify(name)}`;
  const { allows, takes } = registryRules.registryName;
  if (!allows(name)) return { code: "InvalidParameter.ErrorNameIllegal", detail: 1, reason: `${shown}; it takes ${takes}` } as const;
  if (reserved.includes(name)) {
    const reason = `${shown}, which is reserved, like ${reserved.join(", ")}; take another`;
    return { code: "InvalidParameter.ErrorNameReserved", detail: 2, reason } as const;
  }
  if (!everyRow(call.world, tables.registries).some(({ row }) => row.name === name)) return undefined;
  const reason = `${shown}, which a registry has already; names are unique over the whole platform`;
  return { code: "InvalidParameter.ErrorNameExists", detail: 3, reason } as const;
}

type Input = z.output<typeof operations.createInstance.input>;

/** How long a temporary token is valid, in seconds (specification, Limits). */
export const tokenValidTime = 3600;
const usualLimit = 20;

/** Unknown ids are left out of the answer: that is how a client sees that a registry is deleted. */
const listing: Listing<tables.RegistryRow> = {
  table: tables.registries,
  noun: "registry",
  ids: "Registryids",
  missing: "left out",
  together: true,
  filters: {
    RegistryName: exactly(({ name }) => [name]),
    Tags: byTag,
  },
};

export const instanceBehaviours = [
  on(operations.createInstance, (call, input) => {
    const flaw = flawOfName(call, input.registryName);
    if (flaw) throw call.error(flaw.code, flaw.reason);
    if (input.tagSpecification) refuseTagSpecification(call, input.tagSpecification, "registry", ["instance"]);
    const prepaid = prepaidOf(call, input);
    const id = call.world.newId("tcr", tables.registries);
    const fault = call.faults.endFor("registry");
    const stages = [
      { state: "Pending", until: call.after("registryPending") },
      { state: "Deploying", until: call.after("registryCreate") },
    ];
    const { registryName: name, registryType: type } = input;
    call.rows(tables.registries).insert({
      id,
      name,
      type,
      timeline: { stages, end: fault?.endState ?? "Running", ...(fault && { reason: fault.reason }) },
      doing: "Create",
      publicAccess: settled("Closed"),
      createdAt: call.timestamp,
      ...(prepaid && { prepaid }),
      deletionProtection: input.deletionProtection ?? false,
      cosMaz: input.enableCosMaz ?? false,
      cosVersioning: input.enableCosVersioning ?? false,
      tags: input.tagSpecification?.tags ?? [],
    });
    call.rows(tables.whitelists).insert({ id, version: 0, entries: [] }, id);
    call.rows(tables.buckets).insert({ id: `${id}-bucket`, registryId: id });
    return { registryId: id };
  }),

  on(operations.describeInstances, async (call, { registryIds, allRegion = false, ...asked }) => {
    const { totalCount, rows } = listed(call, listing, { ids: registryIds, ...asked });
    if (allRegion) return inAllRegions(call, { registryIds, ...asked });
    return { totalCount, registries: await Promise.all(rows.map((row) => recordOf(call, row))) };
  }),

  on(operations.describeInstanceStatus, (call, { registryIds }) => {
    refuseTooMany(call, "RegistryIds", registryIds);
    const found = [...new Set(registryIds)].flatMap((id) => call.rows(tables.registries).get(id) ?? []);
    return {
      registryStatusSet: found.map((row) => ({
        registryId: row.id,
        status: registryStatusAt(row.timeline, call.now),
        conditions: [conditionOf(call, row)],
      })),
    };
  }),

  on(operations.modifyInstance, (call, { registryId, registryType, deletionProtection, enableCosVersioning }) => {
    registryOf(call, registryId);
    const needsRunning = registryType !== undefined || enableCosVersioning !== undefined;
    if (needsRunning) runningRegistry(call, registryId);
    const fault = needsRunning ? call.faults.endFor("registry") : undefined;
    call.rows(tables.registries).update(registryId, {
      ...given({ deletionProtection }),
      ...(fault
        ? { doing: "Update" as const, timeline: { ...settled(fault.endState), reason: fault.reason } }
        : given({ type: registryType, cosVersioning: enableCosVersioning })),
    });
  }),

  on(operations.checkInstanceName, (call, { registryName }) => {
    const flaw = flawOfName(call, registryName);
    return { isValidated: flaw === undefined, detailCode: flaw?.detail ?? 0 };
  }),

  on(operations.deleteInstance, (call, { registryId, deleteBucket = false, dryRun = false }) => {
    const registry = registryOf(call, registryId);
    if (registry.deletionProtection)
      throw call.error(
        "OperationDenied",
        `registry ${registryId} is under deletion protection; ModifyInstance with DeletionProtection false lifts it`,
      );
    if (dryRun || registryStatusAt(registry.timeline, call.now) === "Deleting") return;
    const gone = call.after("registryDelete");
    const fault = call.faults.endFor("registryDeletion");
    if (fault) {
      const timeline = passing("Deleting", gone, fault.endState, fault.reason);
      call.rows(tables.registries).update(registryId, { doing: "Delete", timeline });
      return;
    }
    call.rows(tables.registries).update(registryId, { doing: "Delete", timeline: settled("Deleting") });
    call.rows(tables.registries).expire(registryId, gone);
    if (deleteBucket)
      for (const { id, registryId: of } of call.list(tables.buckets)) if (of === registryId) call.rows(tables.buckets).expire(id, gone);
    expireAll(call, registryId, gone);
    releaseAttachments(call, ({ owner }) => owner === registryId, gone);
  }),
];

type Asked = Pick<z.output<typeof operations.describeInstances.input>, "registryIds" | "filters" | "offset" | "limit">;

/** The registries of all regions that a call asks for. */
async function inAllRegions(call: Call, { registryIds = [], filters, offset = 0, limit = usualLimit }: Asked) {
  const found = regions.flatMap((region) => {
    const at = call.in(region);
    const named = at.list(tables.registries).filter(({ id }) => registryIds.length === 0 || registryIds.includes(id));
    return filtered(call, listing.filters, filters, named).map((row) => ({ at, row }));
  });
  const shown = found.slice(offset, offset + limit);
  return { totalCount: found.length, registries: await Promise.all(shown.map(({ at, row }) => recordOf(at, row))) };
}

/** The last operation on a registry, with its progress and the reason of a failure. */
function conditionOf(call: Call, { doing: type, timeline }: tables.RegistryRow) {
  const status = registryStatusAt(timeline, call.now);
  const progress = progressOf[status];
  if (progress !== undefined) return { type, status: "Processing", reason: progress };
  if (status === "Running") return { type, status: "Succeeded", reason: "" };
  return { type, status: "Failed", reason: reasonAt(timeline, call.now) ?? "" };
}

const progressOf: Readonly<Partial<Record<RegistryStatus, string>>> = {
  Pending: "the registry waits for its resources",
  Deploying: "storage, domain and services of the registry are being set up",
  Deleting: "the registry and all that is in it are being deleted",
};

/** The date until which a registry is prepaid; `undefined` for a pay-as-you-go one. */
function prepaidOf(call: Call, { registryChargeType = 0, registryChargePrepaid: prepaid }: Input): tables.RegistryRow["prepaid"] {
  if (registryChargeType === 0 && prepaid)
    throw call.error("InvalidParameter", "RegistryChargePrepaid is given, but RegistryChargeType is 0; only a prepaid registry takes it");
  if (registryChargeType === 0) return undefined;
  if (!prepaid) throw call.error("MissingParameter", "RegistryChargePrepaid is required when RegistryChargeType is 1");
  const { period, renewFlag } = prepaid;
  if (period < 1) throw call.error("InvalidParameter", `Period is ${period}; it takes a number of months, 1 or more`);
  if (![0, 1, 2].includes(renewFlag)) throw call.error("InvalidParameter", `RenewFlag is ${renewFlag}; it takes 0, 1 or 2`);
  return { expiredAt: timestampOf(monthsAfter(call.now, period)), renewFlag };
}

async function recordOf(at: Context, row: tables.RegistryRow) {
  const [address = ""] = connectedAddresses(at, row.id);
  return {
    registryId: row.id,
    registryName: row.name,
    registryType: row.type,
    status: registryStatusAt(row.timeline, at.now),
    publicDomain: await publicAddressOf(at.world, row),
    internalEndpoint: address,
    createdAt: row.createdAt,
    regionName: at.region,
    regionId: numberOfRegion(at.region),
    enableAnonymous: true,
    tokenValidTime,
    tagSpecification: { resourceType: "instance", tags: row.tags },
    ...(row.prepaid && { expiredAt: row.prepaid.expiredAt, renewFlag: row.prepaid.renewFlag }),
    payMod: row.prepaid ? 1 : 0,
    deletionProtection: row.deletionProtection,
    aiFeature: false,
    enableCosMaz: row.cosMaz,
    enableCosVersioning: row.cosVersioning,
  };
}

/** Deletes all that belongs to a registry at a moment, but not its bucket. */
function expireAll(call: Call, registryId: string, moment: number): void {
  for (const table of [tables.images, tables.manifests, tables.blobs]) call.rows<{ id: string }>(table).expireWithin(registryId, moment);
  for (const table of tablesOfRegistry) call.rows(table).expireBelow(registryId, moment);
}

const tablesOfRegistry: readonly Table<{ id: string }>[] = [
  tables.repositories,
  tables.namespaces,
  tables.whitelists,
  tables.internalEndpoints,
  tables.internalNames,
  tables.registryTokens,
  tables.serviceAccounts,
  tables.replicationRules,
  tables.retentionRules,
];
