import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { IntentLogEntry } from "./intent-log.ts";
import type { Subject } from "./possession.ts";

/**
 * That a run of this user creates a resource, and which process does: from before the platform is asked for it until the engine has saved
 * it. It shows a later run that the resource was begun here, and a run beside it that it is being created at this moment.
 */
export class CreationNote {
  readonly entry: IntentLogEntry;

  constructor({ place, urn }: Pick<Subject, "place" | "urn">) {
    this.entry = new IntentLogEntry([...place, urn, "creating"]);
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

  /** `isAtWork`: whether another process is at work on it; `undefined` for a process elsewhere, which cannot be seen from here. */
  #read(): { readonly id: string; readonly isAtWork: boolean | undefined } | undefined {
    const [pid, started, id, where] = this.entry.read()?.split(" ") ?? [];
    if (pid === undefined || id === undefined) return undefined;
    const isAtWork = where === here() ? Number(pid) !== process.pid && startOf(Number(pid)) === started : undefined;
    return { id, isAtWork };
  }
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
