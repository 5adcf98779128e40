import type { Stage } from "./proof-stage.ts";

/** One test, and the statements of the specification that it proves. */
export interface Proof {
  readonly title: string;
  /** The statements, as `referenceTo` names them. */
  readonly shows: readonly string[];
  readonly run: (stage: Stage) => Promise<void>;
}

/** References to statements of one section, by their names. */
export function inSection(section: string): (...names: readonly string[]) => string[] {
  return (...names) => names.map((name) => `${section} | ${name}`);
}
