import type { z } from "zod";
import { createNamespace, deleteNamespace, describeNamespaces, modifyNamespace } from "../../../catalogue/registry/namespaces.ts";
import type { taggingErrors } from "../../../catalogue/shared.ts";
import { type Call, on } from "../../behaviour.ts";
import { byTag, filtered, type Filters, pageOf } from "../../requests/listing.ts";
import { registryRules } from "../../../rules/registry.ts";
import { firstFew, refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { applyRetention } from "./retention.ts";
import { namespaceOf, newNumber, refuseTagSpecification, registryOf, runningRegistry } from "../states.ts";
import { images, namespaces, type NamespaceRow, repositories, retentionRules } from "../tables.ts";

type Settings = Omit<z.output<typeof modifyNamespace.input>, "registryId" | "namespaceName">;
type Invalid = Call<"InvalidParameter.ErrorTcrInvalidParameter">;

const filters: Filters<NamespaceRow> = { Tags: byTag };

export const namespaceBehaviours = [
  on(createNamespace, (call, { registryId, namespaceName: name, isPublic, ...settings }) => {
    runningRegistry(call, registryId);
    refuseUnlessAllowed(call, "InvalidParameter.ErrorTcrInvalidParameter", "NamespaceName", name, registryRules.namespaceName);
    const id = `${registryId}/${name}`;
    if (call.rows(namespaces).get(id))
      throw call.error(
        "FailedOperation.ErrorTcrResourceConflict",
        `registry ${registryId} has a namespace ${name} already; take another name`,
      );
    const severity = severityAfter(call, undefined, settings);
    call.rows(namespaces).insert(
      {
        id,
        registryId,
        name,
        number: newNumber(call.world),
        isPublic,
        autoScan: settings.isAutoScan ?? false,
        ...(severity && { severity }),
        cves: cvesOf(call, settings) ?? [],
        signed: false,
        createdAt: call.timestamp,
        ...(tagsOf(call, settings) ?? { tags: [] }),
      },
      registryId,
    );
  }),

  on(describeNamespaces, (call, { registryId, namespaceName = "", filters: given = [], kmsSignPolicy = false, all = false, ...page }) => {
    registryOf(call, registryId);
    const named = call
      .list(namespaces, registryId)
      .filter(({ name, signed }) => name.includes(namespaceName) && (signed || !kmsSignPolicy));
    const found = filtered(call, filters, given, named);
    return { namespaceList: (all ? found : pageOf(call, found, page)).map(recordOf), totalCount: found.length };
  }),

  on(modifyNamespace, (call, { registryId, namespaceName, isPublic, ...settings }) => {
    runningRegistry(call, registryId);
    const was = namespaceOf(call, registryId, namespaceName);
    call.rows(namespaces).update(was.id, {
      isPublic: isPublic ?? was.isPublic,
      autoScan: settings.isAutoScan ?? was.autoScan,
      severity: severityAfter(call, was.severity, settings),
      cves: cvesOf(call, settings) ?? was.cves,
      ...tagsOf(call, settings),
    });
  }),

  on(deleteNamespace, (call, { registryId, namespaceName }) => {
    registryOf(call, registryId);
    const { id } = namespaceOf(call, registryId, namespaceName);
    applyRetention(call, registryId);
    const left = call
      .list(repositories, registryId)
      .filter(({ namespace }) => namespace === namespaceName)
      .map((repository) => `${repository.name} (images: ${call.rows(images).count(repository.id)})`);
    if (left.length > 0)
      throw call.error(
        "FailedOperation.PreconditionFailed",
        `namespace ${namespaceName} cannot be deleted while it has repositories: ${firstFew(left)}`,
      );
    call.rows(retentionRules).remove(id);
    call.rows(namespaces).remove(id);
  }),
];

/** The severity after a change. It is required if vulnerable images are blocked, and must not be given otherwise. */
function severityAfter(call: Invalid, was: NamespaceRow["severity"], { isPreventVul, severity }: Settings): NamespaceRow["severity"] {
  if (isPreventVul === false && severity !== undefined)
    throw call.error(
      "InvalidParameter.ErrorTcrInvalidParameter",
      `Severity is ${severity}, but IsPreventVUL is false, with which nothing is blocked; leave one of them out`,
    );
  if (isPreventVul === false) return undefined;
  const desired = severity ?? was;
  if (isPreventVul === true && desired === undefined)
    throw call.error(
      "InvalidParameter.ErrorTcrInvalidParameter",
      "IsPreventVUL is true, but there is no Severity; it takes low, medium or high",
    );
  return desired;
}

function cvesOf(call: Invalid, { cveWhitelistItems }: Settings): string[] | undefined {
  return cveWhitelistItems?.map(({ cveId }) => {
    refuseUnlessAllowed(
      call,
      "InvalidParameter.ErrorTcrInvalidParameter",
      "an entry of CVEWhitelistItems",
      cveId,
      registryRules.vulnerability,
    );
    return cveId;
  });
}

function tagsOf(call: Call<(typeof taggingErrors)[number]>, { tagSpecification: given }: Settings) {
  if (!given) return undefined;
  refuseTagSpecification(call, given, "namespace", ["namespace", "instance"]);
  return { tags: given.tags, tagsOf: given.resourceType };
}

function recordOf({ name, number, isPublic, autoScan, severity, cves, signed, createdAt, tagsOf = "instance", tags }: NamespaceRow) {
  return {
    namespaceName: name,
    name,
    creationTime: createdAt,
    isPublic,
    public: isPublic,
    namespaceId: number,
    tagSpecification: { resourceType: tagsOf, tags },
    metadata: [
      { key: "public", value: String(isPublic) },
      { key: "kms_sign", value: String(signed) },
    ],
    cveWhitelistItems: cves.map((cveId) => ({ cveId })),
    autoScan,
    preventVul: severity !== undefined,
    severity: severity ?? "",
  };
}
