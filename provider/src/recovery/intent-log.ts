import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "@container-platform/sdk/zod";

/** In milliseconds: how long a request of a run that was just killed may still be under way. */
const underWay = 60_000;

/** What an entry says of a resource besides its id. */
const aboutSchema = z.object({
  /** Its stack and its owner, as ownership tags name them. */
  stack: z.string().optional(),
  owner: z.string(),
  /** The kind's name. */
  type: z.string(),
  /** Endpoint, region and account. */
  place: z.array(z.string()).readonly(),
  /** The name of the `Provider` that makes it, unless that is the stack's own. */
  provider: z.string().optional(),
  /** It is a creation note: what it has as its id tells of a process. */
  isNote: z.literal(true).optional(),
});
type About = z.output<typeof aboutSchema>;

const entrySchema = z.object({ id: z.string(), ...aboutSchema.shape });

/** A creation in the intent log. */
export interface LoggedCreation extends z.output<typeof entrySchema> {
  /** Whether it was written so long ago that no request of that time is under way any more. */
  readonly isOld: boolean;
  /** Removes the entry. */
  readonly remove: () => void;
}

/**
 * The id of a resource that a run of this user has begun to create. It is a file in the user's state folder, until the engine is known
 * to have saved the resource. A resource that takes no tags does not show who created it. If the run is killed, this file does.
 */
export class IntentLogEntry {
  readonly #file: string;
  readonly #about: (() => About) | undefined;

  /**
   * @param key identifies the resource among all of this user's
   * @param about what a later run needs to find the resource without the key
   */
  constructor(key: readonly string[], about?: () => About, environment: NodeJS.ProcessEnv = process.env) {
    this.#file = join(folderIn(environment), createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 32));
    this.#about = about;
  }

  read(): string | undefined {
    const text = textOf(this.#file);
    return text === undefined ? undefined : (entryIn(text)?.id ?? text);
  }

  write(id: string): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, this.#about ? JSON.stringify({ id, ...this.#about() }) : id, { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}

/** The creations of a stack at a place that the engine is not known to have saved. */
export function loggedCreations(stack: string, place: readonly string[], environment: NodeJS.ProcessEnv = process.env): LoggedCreation[] {
  return entriesOf(stack, place, environment).filter(({ isNote }) => !isNote);
}

/** The creation notes of a stack at a place. */
export function loggedNotes(stack: string, place: readonly string[]): LoggedCreation[] {
  return entriesOf(stack, place, process.env).filter(({ isNote }) => isNote);
}

function entriesOf(stack: string, place: readonly string[], environment: NodeJS.ProcessEnv): LoggedCreation[] {
  const folder = folderIn(environment);
  return namesIn(folder).flatMap((name) => {
    const file = join(folder, name);
    const entry = entryIn(textOf(file) ?? "");
    if (entry?.stack !== stack || JSON.stringify(entry.place) !== JSON.stringify(place)) return [];
    const written = unlessMissing(() => statSync(file).mtimeMs);
    const isOld = written !== undefined && Date.now() - written > underWay;
    return [
      {
        ...entry,
        isOld,
        remove: () => {
          rmSync(file, { force: true });
        },
      },
    ];
  });
}

function folderIn(environment: NodeJS.ProcessEnv): string {
  return join(environment["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state"), "container-platform", "journal");
}

/** An entry of an early version is an id alone. */
function entryIn(text: string): z.output<typeof entrySchema> | undefined {
  return text.startsWith("{") ? entrySchema.safeParse(valueIn(text)).data : undefined;
}

/** Another run may be writing the text at this moment. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  return unlessMissing(() => readFileSync(file, "utf8"));
}

function namesIn(folder: string): readonly string[] {
  return unlessMissing(() => readdirSync(folder)) ?? [];
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
