import { pipeline } from "node:stream/promises";
import { blobOf, linkBlob } from "../../local/registry/content/images.ts";
import { blobs, namespaces } from "../../local/registry/tables.ts";
import { algorithmFrom, askedSpan, chunkSpan, type Digest, digestFrom, nameFrom, Refusal } from "./protocol.ts";
import { receivedRange, type UploadName } from "./store.ts";
import {
  answerEmpty,
  type Permitted,
  record,
  refuseName,
  refuseOverflow,
  refuseTakenApart,
  repositoryOf,
  type Exchange,
  within,
  withVersion,
} from "./exchange.ts";

interface Asked {
  readonly name: string;
  readonly digest: Digest;
}

/** GET and HEAD of a blob, or of a part of it. */
export async function pullBlob(exchange: Exchange, { name, digest }: Asked): Promise<void> {
  const { request, response, context } = exchange;
  const linked = await within(exchange, { name, doing: "pull" }, (repository) => blobOf(repository, digest.text));
  const size = linked && (await context.content.sizeOf(digest));
  // A file that was cut short is not served: pushed again, the blob is whole.
  if (size === undefined || size !== linked?.size) throw unknown({ name, digest });
  const span = askedSpan(request.headers.range, size);
  const length = span ? span.last - span.first + 1 : size;
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": length,
    "accept-ranges": "bytes",
    "docker-content-digest": digest.text,
    etag: `"${digest.text}"`,
    ...(span && { "content-range": `bytes ${span.first}-${span.last}/${size}` }),
  };
  response.writeHead(span ? 206 : 200, withVersion(headers));
  if (request.method === "HEAD" || length === 0) response.end();
  else await pipeline(context.content.stream(digest, span), response);
}

/** DELETE of a blob. Its bytes stay for as long as another repository has them. */
export async function removeBlob(exchange: Exchange, { name, digest }: Asked): Promise<void> {
  await within(exchange, { name, doing: "delete" }, (repository) => {
    const blob = blobOf(repository, digest.text);
    if (!blob) throw unknown({ name, digest });
    refuseTakenApart(repository, digest);
    repository.at.rows(blobs).remove(blob.id);
    record(repository, "DeleteBlob", [digest.text]);
  });
  answerEmpty(exchange, 202);
}

function unknown({ name, digest }: Asked): Refusal {
  return new Refusal(404, "BLOB_UNKNOWN", `the repository ${name} has no blob ${digest.text}`);
}

interface AskedUpload {
  readonly name: string;
  readonly id: string;
}

/** POST: begins an upload, takes a whole blob at once, or takes one that another repository has. */
export async function beginUpload(exchange: Exchange, { name }: Pick<AskedUpload, "name">): Promise<void> {
  const { query, context } = exchange;
  const [mount, given, algorithm] = [query.get("mount"), query.get("digest"), query.get("digest-algorithm")];
  const digest = given === null ? undefined : digestFrom(given);
  const hashed = algorithm === null ? digest?.algorithm : algorithmFrom(algorithm);
  const repository = await repositoryFor(exchange, name);
  if (mount !== null && (await mounted(exchange, name, digestFrom(mount)))) return;
  const upload = await context.uploads.begin(repository.id, hashed);
  if (!digest) {
    answerUpload(exchange, 202, name, upload, 0);
    return;
  }
  try {
    await receive(exchange, upload);
    await finish(exchange, repository, upload, digest);
  } catch (error) {
    // Its client was never told where it is, so nobody goes on with it.
    await context.uploads.forget(upload);
    throw error;
  }
}

/** Whether a blob could be taken from the repository that the client names. Otherwise, it is uploaded. */
async function mounted(exchange: Exchange, name: string, digest: Digest): Promise<boolean> {
  const { query, context, caller } = exchange;
  const from = query.get("from");
  if (from === null) return false;
  const [source, target] = [
    { name: nameFrom(from), doing: "pull" },
    { name, doing: "push" },
  ] as const;
  const size = await context.content.sizeOf(digest);
  if (size === undefined) return false;
  const isLinked = await within(exchange, target, (repository) => {
    const identity = context.access.authenticate(caller);
    if (!mayTake(() => context.access.authorize(caller, identity, source, [source, target]))) return false;
    if (!blobOf(repositoryOf(identity, source.name), digest.text)) return false;
    linkBlob(repository, { digest: digest.text, size }, Date.now());
    return true;
  });
  if (isLinked) answerBlob(exchange, name, digest);
  return isLinked;
}

/** Whether the source lets the client take from it. A token that was not asked for that is asked for anew. */
function mayTake(permit: () => unknown): boolean {
  try {
    permit();
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status !== 401) return false;
    throw error;
  }
}

/** PATCH: adds a chunk. */
export async function addChunk(exchange: Exchange, { name, id }: AskedUpload): Promise<void> {
  const upload = uploadOf(await repositoryFor(exchange, name), id);
  const size = await receive(exchange, upload);
  answerUpload(exchange, 202, name, upload, size);
}

/** PUT: ends an upload, perhaps with its last chunk. */
export async function endUpload(exchange: Exchange, { name, id }: AskedUpload): Promise<void> {
  const given = exchange.query.get("digest");
  if (given === null) throw new Refusal(400, "DIGEST_INVALID", "the digest of the whole blob is required, as ?digest=sha256:…");
  const digest = digestFrom(given);
  const repository = await repositoryFor(exchange, name);
  const upload = uploadOf(repository, id);
  await receive(exchange, upload);
  await finish(exchange, repository, upload, digest);
}

/** GET: how much of an upload is received. */
export async function tellUpload(exchange: Exchange, { name, id }: AskedUpload): Promise<void> {
  const upload = uploadOf(await repositoryFor(exchange, name), id);
  answerUpload(exchange, 204, name, upload, await exchange.context.uploads.sizeOf(upload));
}

/** DELETE: gives an upload up. */
export async function cancelUpload(exchange: Exchange, { name, id }: AskedUpload): Promise<void> {
  await exchange.context.uploads.cancel(uploadOf(await repositoryFor(exchange, name), id));
  answerEmpty(exchange, 204);
}

/** A repository to which the client may push. */
function repositoryFor(exchange: Exchange, name: string): Promise<Permitted> {
  return within(exchange, { name, doing: "push" }, (repository) => {
    refuseName(repository.path.repository);
    return repository;
  });
}

function uploadOf(repository: Permitted, id: string): UploadName {
  return { repository: repository.id, id };
}

async function receive({ context, request }: Exchange, upload: UploadName): Promise<number> {
  const { "content-range": range, "content-length": length } = request.headers;
  const span = chunkSpan(range);
  if (span && length !== undefined && Number(length) !== span.last + 1 - span.first)
    throw new Refusal(400, "SIZE_INVALID", `Content-Length is ${length}, but Content-Range has ${span.last + 1 - span.first} bytes`);
  return context.uploads.append(upload, request, span);
}

/** The client was let in when it began: its session may have ended while it was sending. */
async function finish(exchange: Exchange, repository: Permitted, upload: UploadName, digest: Digest): Promise<void> {
  const { world, content, uploads } = exchange.context;
  const { at, namespace, name } = repository;
  await uploads.finish(upload, digest, (file, size) =>
    world.transaction(async () => {
      if (!at.rows(namespaces).get(namespace.id))
        throw new Refusal(404, "NAME_UNKNOWN", `the registry has no namespace ${namespace.name} any more`);
      refuseOverflow(repository, { digest: digest.text, size, blobs: [] });
      // In the transaction: nobody removes content meanwhile because no repository has it.
      await content.adopt(file, digest);
      linkBlob(repository, { digest: digest.text, size }, Date.now());
    }),
  );
  answerBlob(exchange, name, digest);
}

function answerBlob(exchange: Exchange, name: string, { text }: Digest): void {
  answerEmpty(exchange, 201, { location: `/v2/${name}/blobs/${text}`, "docker-content-digest": text });
}

function answerUpload(exchange: Exchange, status: number, name: string, { id }: UploadName, size: number): void {
  answerEmpty(exchange, status, { location: `/v2/${name}/blobs/uploads/${id}`, range: receivedRange(size), "docker-upload-uuid": id });
}
