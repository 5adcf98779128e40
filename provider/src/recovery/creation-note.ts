import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { IntentLogEntry, type LoggedCreation, loggedNotes } from "./intent-log.ts";
import { ownerOf, stackOf } from "./ownership-tags.ts";
import type { Subject } from "./possession.ts";

/** What a note says of a creation. */
interface Noted {
  readonly id: string;
  /** Whether another process is at work on it; `undefined` for a process elsewhere, which cannot be seen from here. */
  readonly isAtWork: boolean | undefined;
}

/**
 * That a run of this user creates a resource, and which process does: from before the platform is asked for it until the engine has saved
 * it. It shows a later run that the resource was begun here, and a run beside it that it is being created at this moment.
 */
export class CreationNote {
  readonly entry: IntentLogEntry;

  constructor({ kind, place, urn, session }: Subject) {
    // Only a creation writes it: a plan, which only reads it, should cost nothing.
    const about = () =>
      ({ stack: stackOf(urn), owner: ownerOf(urn), type: kind.type, place, provider: session.provider, isNote: true }) as const;
    this.entry = new IntentLogEntry([...place, urn, "creating"], about);
  }

  /** @param id what was created, once it is known */
  write(id = ""): void {
    this.entry.write([process.pid, startOf(process.pid) ?? "", id, here()].join(" "));
  }

  /** Notes that the engine has saved a resource: a run that was killed after that could not remove the note. */
  noteInState(id: string): void {
    if (this.#read()?.id === id) this.entry.remove();
  }

  /** Whether a process of this user has begun to create it here, and has ended, or is this one. */
  get isOfEarlierRun(): boolean {
    return this.#read()?.isAtWork === false;
  }

  /** Whether another process here creates it at this moment, or has created it in a run that goes on. */
  get isOfRunBeside(): boolean {
    return this.#read()?.isAtWork === true;
  }

  #read(): Noted | undefined {
    return notedIn(this.entry.read() ?? "");
  }
}

/** The notes of a stack at a place. Those of early versions are not found. */
export function creationNotes(stack: string, place: readonly string[]): readonly (LoggedCreation & Pick<Noted, "isAtWork">)[] {
  return loggedNotes(stack, place).map((note) => ({ ...note, isAtWork: notedIn(note.id)?.isAtWork }));
}

function notedIn(text: string): Noted | undefined {
  const [pid, started, id, where] = text.split(" ");
  if (pid === undefined || id === undefined) return undefined;
  const isAtWork = where === here() ? Number(pid) !== process.pid && startOf(Number(pid)) === started : undefined;
  return { id, isAtWork };
}

/**
 * In which surroundings the numbers of processes mean what they mean here. Containers and other hosts may share the home folder. Notes of an
 * early version do not tell.
 */
function here(): string {
  return encodeURIComponent(`${hostname()} ${pidNamespace()}`);
}

function pidNamespace(): string {
  if (process.platform !== "linux") return "";
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** When a process was started, where the system tells, or an empty text; `undefined` if there is none. Another one may have its number later. */
function startOf(pid: number): string | undefined {
  if (process.platform === "linux")
    try {
      // The name of the program, in brackets, may hold anything.
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
    } catch {
      return undefined;
    }
  try {
    process.kill(pid, 0);
    return "";
  } catch {
    return undefined;
  }
}
