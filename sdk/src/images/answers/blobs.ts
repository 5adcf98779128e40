import { pipeline } from "node:stream/promises";
import { blobsOf, contentId } from "../../local/registry/content/images.ts";
import type { Digest } from "../protocol/digest.ts";
import { askedSpan } from "../protocol/ranges.ts";
import { Refusal } from "../protocol/refusal.ts";
import { answerEmpty, record, refuseTakenApart, type Visit, within, withVersion } from "./visit.ts";

interface Asked {
  readonly name: string;
  readonly digest: Digest;
}

/** GET and HEAD of a blob, or of a part of it. */
export async function pullBlob(visit: Visit, { name, digest }: Asked): Promise<void> {
  const { request, response, counter } = visit;
  const linked = await within(visit, { name, doing: "pull" }, (repository) =>
    blobsOf(repository).get(contentId(repository.path, digest.text)),
  );
  const size = linked && (await counter.content.sizeOf(digest));
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
  else await pipeline(counter.content.stream(digest, span), response);
}

/** DELETE of a blob. Its bytes stay for as long as another repository has them. */
export async function removeBlob(visit: Visit, { name, digest }: Asked): Promise<void> {
  await within(visit, { name, doing: "delete" }, (repository) => {
    const id = contentId(repository.path, digest.text);
    if (!blobsOf(repository).get(id)) throw unknown({ name, digest });
    refuseTakenApart(repository, digest);
    blobsOf(repository).remove(id);
    record(repository, "DeleteBlob", [digest.text]);
  });
  answerEmpty(visit, 202);
}

function unknown({ name, digest }: Asked): Refusal {
  return new Refusal(404, "BLOB_UNKNOWN", `the repository ${name} has no blob ${digest.text}`);
}
