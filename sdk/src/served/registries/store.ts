import { createHash, type Hash, randomUUID } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { open, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { isDiskFull } from "../../local/store/sqlite.ts";
import { type Algorithm, type Digest, digestOf, isAlgorithm, Refusal, shown, type Span } from "./protocol.ts";

const draftPrefix = "draft-";

/** The bytes of blobs and manifests, in a folder: each in a file that its digest names. A file is only ever there whole. */
export class ContentStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(join(folder, "blobs"), { recursive: true });
  }

  /** The bytes of some content; `undefined` if it is not there. */
  async sizeOf(digest: Digest): Promise<number | undefined> {
    return (await stat(this.#file(digest)).catch(absent))?.size;
  }

  async read(digest: Digest): Promise<Uint8Array | undefined> {
    return readFile(this.#file(digest)).catch(absent);
  }

  stream(digest: Digest, span: Span | undefined): Readable {
    return createReadStream(this.#file(digest), span && { start: span.first, end: span.last });
  }

  async put(digest: Digest, bytes: Uint8Array): Promise<void> {
    const draft = join(this.folder, "blobs", `${draftPrefix}${randomUUID()}`);
    try {
      await writeFile(draft, bytes, { flag: "wx", flush: true });
      await this.adopt(draft, digest);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Removes what was being written at a moment of the machine's clock, and still is: its process was killed. */
  async removeDraftsOlder(than: number): Promise<void> {
    const root = join(this.folder, "blobs");
    for (const name of (await readdir(root)).filter((one) => one.startsWith(draftPrefix))) {
      const found = await stat(join(root, name)).catch(absent);
      if (found && found.mtimeMs < than) await rm(join(root, name), { force: true });
    }
  }

  /** Makes a file, whose bytes are on the disk and have this digest, the content of that digest. */
  async adopt(file: string, digest: Digest): Promise<void> {
    const place = this.#file(digest);
    mkdirSync(dirname(place), { recursive: true });
    await rename(file, place);
  }

  async remove(digest: Digest): Promise<void> {
    await rm(this.#file(digest), { force: true });
  }

  /** The digests of all that is there. */
  async *all(): AsyncGenerator<{ digest: Digest; changedAt: number }> {
    const root = join(this.folder, "blobs");
    for (const algorithm of await readdir(root)) {
      if (!isAlgorithm(algorithm)) continue;
      for (const shelf of await readdir(join(root, algorithm)))
        for (const hex of await readdir(join(root, algorithm, shelf))) {
          const found = await stat(join(root, algorithm, shelf, hex)).catch(absent);
          if (found) yield { digest: digestOf(algorithm, hex), changedAt: found.mtimeMs };
        }
    }
  }

  #file({ algorithm, hex }: Digest): string {
    return join(this.folder, "blobs", algorithm, hex.slice(0, 2), hex);
  }
}

/** Files that are not there are not there; any other failure is one. */
function absent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}

/** An upload of a repository, by the id that its client was given. */
export interface UploadName {
  readonly repository: string;
  readonly id: string;
}

/** The digest of the bytes that were written by this process, as long as there are no others. */
interface Running {
  readonly algorithm: Algorithm;
  readonly hash: Hash;
  size: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Blobs that are being uploaded: each is a file, which grows. What a client was told is received is still there after a restart. */
export class Uploads {
  readonly #folder: string;
  readonly #running = new Map<string, Running>();
  readonly #busy = new Set<string>();

  constructor(folder: string) {
    this.#folder = join(folder, "uploads");
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Begins an upload. Its digest is computed while it is received if its algorithm is this one. */
  async begin(repository: string, algorithm: Algorithm = "sha256"): Promise<UploadName> {
    const name = { repository, id: randomUUID() };
    const file = this.fileOf(name);
    mkdirSync(join(file, ".."), { recursive: true });
    await writeFile(file, "", { flag: "wx" });
    this.#running.set(name.id, { algorithm, hash: createHash(algorithm), size: 0 });
    return name;
  }

  /** How many bytes are received. @throws Refusal if there is no such upload. */
  async sizeOf(name: UploadName): Promise<number> {
    const found = uuid.test(name.id) ? await stat(this.fileOf(name)).catch(absent) : undefined;
    if (found) return found.size;
    throw new Refusal(
      404,
      "BLOB_UPLOAD_UNKNOWN",
      `there is no upload ${shown(name.id)} here: it has ended, or was left for too long; begin anew`,
    );
  }

  /**
   * Appends bytes to an upload. Answers how many it has then.
   *
   * @throws Refusal if there is no such upload, and if the bytes are not those that follow.
   */
  append(name: UploadName, bytes: AsyncIterable<Uint8Array>, span?: Span): Promise<number> {
    return this.#alone(name, async () => {
      const before = await this.sizeOf(name);
      if (span && span.first !== before) throw outOfOrder(name, before, `the chunk begins at byte ${span.first}, and ${before} is next`);
      const size = await this.#write(name, bytes, before).catch(async (error: unknown) => {
        // What fills the disk would keep it full, and its client does not know how much of it is here.
        if (isDiskFull(error)) await this.#takeBack(name, before).catch(() => undefined);
        throw error;
      });
      if (!span || size === span.last + 1) return size;
      await this.#takeBack(name, before);
      throw new Refusal(400, "SIZE_INVALID", `the chunk has ${size - before} bytes; its Content-Range says ${span.last + 1 - span.first}`);
    });
  }

  /** As if a chunk had not been sent: the client sends it again. */
  async #takeBack(name: UploadName, before: number): Promise<void> {
    this.#running.delete(name.id);
    await truncate(this.fileOf(name), before);
  }

  async #write(name: UploadName, bytes: AsyncIterable<Uint8Array>, before: number): Promise<number> {
    const running = this.#running.get(name.id);
    if (running?.size !== before) this.#running.delete(name.id);
    const file = await open(this.fileOf(name), "a");
    let size = before;
    const failures: unknown[] = [];
    try {
      for await (const chunk of bytes) {
        // The rest is read and dropped: many clients read no answer before they have sent all, and then use the connection again.
        if (failures.length > 0) continue;
        // A failure leaves an unknown part of the chunk.
        this.#running.delete(name.id);
        await file.appendFile(chunk).catch((error: unknown) => failures.push(error));
        size += chunk.byteLength;
        if (running?.size !== size - chunk.byteLength) continue;
        running.hash.update(chunk);
        running.size = size;
        this.#running.set(name.id, running);
      }
    } finally {
      await file.close();
    }
    if (failures.length > 0) throw failures[0];
    return size;
  }

  /**
   * Ends an upload, and has `keep` take its file, which is on the disk and has this digest.
   *
   * @throws Refusal if there is no such upload, and if it has another digest: then it is gone.
   */
  finish<T>(name: UploadName, digest: Digest, keep: (file: string, size: number) => Promise<T>): Promise<T> {
    return this.#alone(name, async () => {
      const size = await this.sizeOf(name);
      const found = await this.#digestOf(name, digest.algorithm, size);
      if (found !== digest.hex) {
        await this.forget(name);
        throw new Refusal(400, "DIGEST_INVALID", `the content has the digest ${digest.algorithm}:${found}, and not ${digest.text}`);
      }
      const file = await open(this.fileOf(name), "r+");
      await file.sync().finally(() => file.close());
      const kept = await keep(this.fileOf(name), size);
      this.#running.delete(name.id);
      return kept;
    });
  }

  async cancel(name: UploadName): Promise<void> {
    await this.sizeOf(name);
    await this.#alone(name, () => this.forget(name));
  }

  /** Removes uploads to which nothing was added since a moment of the machine's clock. */
  async removeOlder(than: number): Promise<void> {
    for (const repository of await readdir(this.#folder))
      for (const id of await readdir(join(this.#folder, repository))) {
        const file = join(this.#folder, repository, id);
        const found = await stat(file).catch(absent);
        if (found && found.mtimeMs < than && !this.#busy.has(id)) await rm(file, { force: true });
      }
  }

  /** Removes an upload, if it is there. */
  async forget(name: UploadName): Promise<void> {
    this.#running.delete(name.id);
    await rm(this.fileOf(name), { force: true });
  }

  async #digestOf(name: UploadName, algorithm: Algorithm, size: number): Promise<string> {
    const running = this.#running.get(name.id);
    if (running?.algorithm === algorithm && running.size === size) return running.hash.copy().digest("hex");
    const hash = createHash(algorithm);
    for await (const chunk of createReadStream(this.fileOf(name)) as AsyncIterable<Buffer>) hash.update(chunk);
    return hash.digest("hex");
  }

  /** One request at a time changes an upload. */
  async #alone<T>(name: UploadName, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(name.id)) throw outOfOrder(name, await this.sizeOf(name), "another request adds to this upload; one at a time");
    this.#busy.add(name.id);
    try {
      return await work();
    } finally {
      this.#busy.delete(name.id);
    }
  }

  fileOf({ repository, id }: UploadName): string {
    return join(this.#folder, createHash("sha256").update(repository).digest("hex").slice(0, 32), id);
  }
}

/** The `Range` of an upload's answers; that of an empty one has no other form. */
export function receivedRange(size: number): string {
  return `0-${Math.max(0, size - 1)}`;
}

function outOfOrder({ id }: UploadName, size: number, message: string): Refusal {
  return new Refusal(416, "BLOB_UPLOAD_INVALID", message, { headers: { range: receivedRange(size), "docker-upload-uuid": id } });
}
