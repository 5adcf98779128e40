import { createReadStream, mkdirSync } from "node:fs";
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { randomUUID } from "node:crypto";
import { digestOf, isAlgorithm, type Digest } from "../protocol/digest.ts";
import type { Span } from "../protocol/ranges.ts";

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
      const file = await open(draft, "wx");
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
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
export function absent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
