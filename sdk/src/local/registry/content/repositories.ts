import * as operations from "../../../catalogue/registry/repositories.ts";
import { type Call, on } from "../../behaviour.ts";
import { registryRules } from "../../../rules/registry.ts";
import { firstFew, refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { pageOf } from "../../requests/listing.ts";
import { applyRetention, newestFirst } from "./retention.ts";
import { type Inside, namespaceOf, registryOf, runningRegistry } from "../states.ts";
import { timestampOf } from "../../time.ts";
import { dropContent, imageWithTag, isImmutable, makeRepository, removeImage, type Repository, repositoryIn } from "./images.ts";
import { images, namespaces, repositories, type RepositoryRow } from "../tables.ts";

const orders = {
  "-creation_time": (one: RepositoryRow, other: RepositoryRow) => other.createdAt.localeCompare(one.createdAt),
  "-name": (one: RepositoryRow, other: RepositoryRow) => qualifiedName(other).localeCompare(qualifiedName(one), "en"),
  "-update_time": (one: RepositoryRow, other: RepositoryRow) => other.updatedAt.localeCompare(one.updatedAt),
};

interface Named {
  readonly registryId: string;
  readonly namespaceName: string;
  readonly repositoryName: string;
}

export const repositoryBehaviours = [
  on(operations.createRepository, (call, { description = "", briefDescription = "", ...named }) => {
    const { registryId, namespaceName, repositoryName } = named;
    runningRegistry(call, registryId);
    namespaceOf(call, registryId, namespaceName);
    refuseUnlessAllowed(call, "InvalidParameter.ErrorTcrInvalidParameter", "RepositoryName", repositoryName, registryRules.repositoryName);
    const repository = repositoryNamed(call, named);
    if (call.rows(repositories).get(repository.id))
      throw call.error(
        "InternalError.ErrorTcrResourceConflict",
        `namespace ${namespaceName} has a repository ${repositoryName} already; take another name`,
      );
    makeRepository(repository, { description, briefDescription });
  }),

  on(operations.describeRepositories, (call, { registryId, namespaceName, repositoryName, sortBy, ...page }) => {
    registryOf(call, registryId);
    applyRetention(call, registryId);
    const found = call
      .list(repositories, registryId)
      .filter(({ namespace, name }) => namespace === (namespaceName ?? namespace) && name === (repositoryName ?? name));
    if (sortBy) found.sort(orders[sortBy]);
    return { repositoryList: pageOf(call, found, page).map((row) => recordOf(call, row)), totalCount: found.length };
  }),

  on(operations.modifyRepository, (call, { description, briefDescription, ...named }) => {
    const { id } = existingRepository(call, named);
    call.rows(repositories).update(id, { description, briefDescription, updatedAt: call.timestamp });
  }),

  on(operations.deleteRepository, (call, { forceDelete = true, ...named }) => {
    const repository = existingRepository(call, named);
    const there = call.list(images, repository.id);
    if (!forceDelete && there.length > 0)
      throw call.error(
        "FailedOperation.PreconditionFailed",
        `repository ${named.repositoryName} has images (${firstFew(there.map(({ version }) => version))}); ForceDelete true deletes it with them`,
      );
    const kept = there.map(({ version }) => version).filter((version) => isImmutable(repository, version));
    if (kept.length > 0)
      throw call.error(
        "FailedOperation.PreconditionFailed",
        `repository ${named.repositoryName} has immutable tags (${firstFew(kept)}); it stays as long as they are immutable`,
      );
    for (const { version } of there) removeImage(repository, version);
    dropContent(repository);
    call.rows(repositories).remove(repository.id);
  }),

  on(operations.describeImages, (call, { imageVersion = "", digest, exactMatch = false, offset, limit, ...named }) => {
    const { id } = existingRepository(call, named);
    const found = newestFirst(call.list(images, id)).filter(
      (image) =>
        (exactMatch && imageVersion !== "" ? image.version === imageVersion : image.version.includes(imageVersion)) &&
        image.digest === (digest ?? image.digest),
    );
    const { signed } = namespaceOf(call, named.registryId, named.namespaceName);
    const imageInfoList = pageOf(call, found, { offset, limit }).map(({ version, digest: of, size, pushedAt }) => ({
      digest: of,
      size,
      imageVersion: version,
      updateTime: timestampOf(pushedAt),
      kind: "docker-image",
      kmsSignature: signed ? `kms:${of}` : "",
    }));
    return { imageInfoList, totalCount: found.length };
  }),

  on(operations.deleteImage, (call, { imageVersion, ...named }) => {
    const repository = existingRepository(call, named);
    if (imageWithTag(repository, imageVersion) && isImmutable(repository, imageVersion))
      throw call.error(
        "OperationDenied",
        `the tag ${imageVersion} of repository ${named.repositoryName} is immutable; it cannot be deleted`,
      );
    if (!removeImage(repository, imageVersion))
      throw call.error("ResourceNotFound.TcrResourceNotFound", `repository ${named.repositoryName} has no image ${imageVersion}`);
  }),
];

function repositoryNamed(call: Call, { registryId, namespaceName: namespace, repositoryName: repository }: Named): Repository {
  return repositoryIn(call, { registryId, namespace, repository });
}

/** The repository that a call names, after due retention rules were carried out; refuses an unknown one. */
function existingRepository(call: Inside, named: Named): Repository {
  const { registryId, namespaceName, repositoryName } = named;
  registryOf(call, registryId);
  namespaceOf(call, registryId, namespaceName);
  applyRetention(call, registryId);
  const repository = repositoryNamed(call, named);
  if (!call.rows(repositories).get(repository.id))
    throw call.error("ResourceNotFound.TcrResourceNotFound", `namespace ${namespaceName} has no repository ${repositoryName}`);
  return repository;
}

/** A repository's name as records show it: `<namespace>/<name>` (public API, example of DescribeRepositories). */
function qualifiedName({ namespace, name }: RepositoryRow): string {
  return `${namespace}/${name}`;
}

function recordOf(call: Call, row: RepositoryRow) {
  const { registryId, namespace, createdAt: creationTime, updatedAt: updateTime, description, briefDescription } = row;
  const isPublic = call.rows(namespaces).get(`${registryId}/${namespace}`)?.isPublic ?? false;
  return { name: qualifiedName(row), namespace, creationTime, public: isPublic, description, briefDescription, updateTime };
}
