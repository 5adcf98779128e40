import type { Session } from "../run/session.ts";
import type { Options } from "./arguments.ts";

/** How a command is called. */
export interface Syntax<Of extends Options> {
  /** Its name, such as `serve`. */
  readonly name: string;
  /** Whether it is a program of its own, and no command of cpcli. */
  readonly alone?: true;
  /** The words that follow it, such as `<product>`. In brackets: may be left out. With dots: may be several. */
  readonly words?: readonly string[];
  /** The values of a word, by its place, if there are only a few. */
  readonly choices?: readonly (readonly string[])[];
  readonly options: Of;
  /** Further text for the help. */
  readonly more?: string;
}

/** Carries a command out. It prints data on stdout, and throws if it fails. */
export interface Run {
  (args: readonly string[], session: Session): Promise<void>;
  /** How it is called. */
  readonly syntax?: Syntax<Options>;
  /** The commands of a group. */
  readonly commands?: Commands;
}

/** A command that is not loaded yet. It is loaded when it is called, because each needs other files. */
export interface Command {
  readonly summary: string;
  readonly load: () => Promise<Run>;
}

/** Commands by name. */
export type Commands = ReadonlyMap<string, Command>;
