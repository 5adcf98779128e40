import type ts from "typescript";
import type { Sources } from "./sources.ts";

/** Where the declarations of an entry point are collected while they are written. */
export interface Desk {
  readonly sources: Sources;
  isExported(symbol: ts.Symbol): boolean;
  /** Whether a package may be imported. */
  allows(specifier: string): boolean;
  /** The name of a declaration of ours, which is declared if it was not yet. */
  nameOf(symbol: ts.Symbol): string;
  /** Declares a type of which the sources have no declaration of its own. What has the same name has to be the same. */
  declare(name: string, text: () => string): void;
  /** Imports a name of a package. `local`: as which, or `* as …`. */
  import(specifier: string, imported: string, local?: string): void;
  /** Does the first, or, if that is not plain, the second as if the first had not been tried. */
  either<T>(first: () => T, second: () => T): T;
}
