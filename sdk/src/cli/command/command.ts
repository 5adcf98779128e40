import type { Session } from "../run/session.ts";
import type { Options } from "./arguments.ts";

/** How a command is called. */
export interface Syntax<Of extends Options> {
  /** Its name, such as `serve`. */
  readonly name: string;
  /** Whether it is a program of its own, and no command of cpcli. */
  readonly alone?: true;
  /** What stands for the words that follow it, such as `<product>`; one in brackets may be left out, one with dots be several. */
  readonly words?: readonly string[];
  /** By the place of a word, what it can be, where that is a few. */
  readonly choices?: readonly (readonly string[])[];
  readonly options: Of;
  /** What help says besides. */
  readonly more?: string;
}

/** Carries a command out. What it prints on stdout is data; it throws what it cannot do. */
export interface Run {
  (args: readonly string[], session: Session): Promise<void>;
  /** How it is called. */
  readonly syntax?: Syntax<Options>;
  /** The commands that it consists of. */
  readonly commands?: Commands;
}

/** A command, before it is loaded: that happens when it is called, because each needs other files. */
export interface Command {
  readonly summary: string;
  readonly load: () => Promise<Run>;
}

/** Commands by name. */
export type Commands = ReadonlyMap<string, Command>;
