import type { Stage } from "./stage.ts";

/** One test, on what it needs, and which statements of the specification it shows to hold. */
export interface Proof<On = Stage> {
  readonly title: string;
  /** The statements, as `referenceTo` names them. */
  readonly shows: readonly string[];
  readonly run: (on: On) => Promise<void>;
}

/** Names of statements of one section, as references. */
export function inSection(section: string): (...names: readonly string[]) => string[] {
  return (...names) => names.map((name) => `${section} | ${name}`);
}
