import type ts from "typescript";
import { NotPlain } from "./not-plain.ts";
import { declareResource, resourceBehind } from "./resources.ts";
import type { Sources } from "./sources.ts";
import { Types } from "./types.ts";
import { Written } from "./written.ts";

/** The declarations of one door, flat: with all that they need, and nothing else. */
export class Door {
  readonly sources: Sources;
  readonly types: Types;
  readonly written: Written;
  /** Which packages may be imported. */
  readonly #packages: readonly string[];
  readonly #exported: ReadonlyMap<ts.Symbol, string>;
  #names = new Map<string, unknown>();
  #texts = new Map<string, string>();
  #imports = new Map<string, Set<string>>();

  constructor(sources: Sources, name: string, packages: readonly string[]) {
    this.sources = sources;
    this.types = new Types(this);
    this.written = new Written(this);
    this.#packages = packages;
    this.#exported = new Map(sources.exportsOf(name).map((one) => [one.symbol, one.name]));
  }

  /** The text of the file. */
  text(): string {
    for (const symbol of this.#exported.keys()) this.nameOf(symbol);
    const imports = [...this.#imports].sort().map(([from, names]) => {
      const named = [...names].filter((name) => !name.startsWith("*")).sort();
      const whole = [...names].filter((name) => name.startsWith("*")).map((name) => `import ${name} from "${from}";\n`);
      return `${whole.join("")}${named.length > 0 ? `import { ${named.join(", ")} } from "${from}";\n` : ""}`;
    });
    // Without the last line, everything would count as exported.
    return [imports.join(""), ...this.#texts.values(), "export {};\n"].filter(Boolean).join("\n");
  }

  isExported(symbol: ts.Symbol): boolean {
    return this.#exported.has(symbol);
  }

  allows(specifier: string): boolean {
    return this.#packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  }

  /** The name of a declaration of ours, which is declared if it was not yet. */
  nameOf(symbol: ts.Symbol): string {
    const name = this.#exported.get(symbol) ?? symbol.name;
    const resource = resourceBehind(this.sources, symbol);
    if (resource && resource !== symbol) {
      this.nameOf(resource);
      return name;
    }
    if (!this.#reserved(name, symbol)) return name;
    try {
      if (resource) declareResource(this, name, symbol);
      else this.replace(name, this.written.declaration(symbol, name, this.isExported(symbol) ? "export " : ""));
    } catch (error) {
      throw error instanceof NotPlain ? new NotPlain(`${name}: ${error.message}`) : error;
    }
    return name;
  }

  /** Declares a type of which the sources have no declaration of its own. What has the same name has to be the same. */
  declare(name: string, text: () => string, key: unknown = name): void {
    if (!this.#reserved(name, key)) {
      const before = this.#texts.get(name);
      // While it is being written, it is named inside itself.
      if (before !== "" && before !== text())
        throw new Error(`two different types would be called ${name}: see scripts/declarations/names.ts`);
      return;
    }
    this.replace(name, text());
  }

  /** Sets the text of a declaration whose name is taken. */
  replace(name: string, text: string): void {
    this.#texts.set(name, text);
  }

  /** Imports a name of a package. `local`: as which, or `* as …`. */
  import(specifier: string, imported: string, local = imported): void {
    const from = specifier;
    if (!this.allows(from)) throw new NotPlain(`it names ${imported} of ${from}`);
    const wanted = local === imported || imported.startsWith("*") ? imported : `${imported} as ${local}`;
    const key = `${from} ${wanted}`;
    const holder = this.#names.get(local);
    if (holder !== undefined && holder !== key) throw new Error(`${local} of ${from} has the name of something else`);
    this.#names.set(local, key);
    this.#imports.set(from, (this.#imports.get(from) ?? new Set()).add(wanted));
  }

  /** Does the first, or, if that is not plain, the second as if the first had not been tried. */
  either<T>(first: () => T, second: () => T): T {
    const before = [
      new Map(this.#names),
      new Map(this.#texts),
      new Map([...this.#imports].map(([from, names]) => [from, new Set(names)])),
    ] as const;
    try {
      return first();
    } catch (error) {
      if (!(error instanceof NotPlain)) throw error;
      [this.#names, this.#texts, this.#imports] = [new Map(before[0]), new Map(before[1]), new Map(before[2])];
      return second();
    }
  }

  /** Takes a name. False if what has the key has it already. */
  #reserved(name: string, key: unknown): boolean {
    if (this.#names.has(name)) {
      if (this.#names.get(name) !== key) throw new Error(`two declarations would be called ${name}`);
      return false;
    }
    this.#names.set(name, key);
    this.#texts.set(name, "");
    return true;
  }
}
