import type ts from "typescript";
import { NotPlain } from "./not-plain.ts";
import type { Desk } from "./desk.ts";
import { resourceBehind, resourceClass } from "./resources.ts";
import type { Sources } from "./sources.ts";
import { Types } from "./types.ts";
import { Written } from "./written.ts";

/** The declarations of one entry point, flat: with all that they need, and nothing else. */
export class EntryPoint implements Desk {
  readonly sources: Sources;
  readonly #types: Types;
  readonly #written: Written;
  /** Which packages may be imported. */
  readonly #packages: readonly string[];
  readonly #exported: ReadonlyMap<ts.Symbol, string>;
  #names = new Map<string, unknown>();
  #texts = new Map<string, string>();
  #imports = new Map<string, Set<string>>();

  constructor(sources: Sources, name: string, packages: readonly string[]) {
    this.sources = sources;
    this.#types = new Types(this);
    this.#written = new Written(this, this.#types);
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

  nameOf(symbol: ts.Symbol): string {
    const name = this.#exported.get(symbol) ?? symbol.name;
    const resource = resourceBehind(this.sources, symbol);
    if (resource && resource !== symbol) {
      this.nameOf(resource);
      return name;
    }
    if (!this.#reserved(name, symbol)) return name;
    try {
      const text = resource
        ? resourceClass(this, this.#types, this.#written, name, symbol)
        : this.#written.declaration(symbol, name, this.isExported(symbol) ? "export " : "");
      this.#texts.set(name, text);
    } catch (error) {
      throw error instanceof NotPlain ? new NotPlain(`${name}: ${error.message}`) : error;
    }
    return name;
  }

  declare(name: string, text: () => string): void {
    if (!this.#reserved(name, name)) {
      const before = this.#texts.get(name);
      // While it is being written, it is named inside itself.
      if (before !== "" && before !== text())
        throw new Error(`two different types would be called ${name}: see scripts/declarations/names.ts`);
      return;
    }
    const made = text();
    this.#texts.set(name, made);
  }

  import(specifier: string, imported: string, local = imported): void {
    if (!this.allows(specifier)) throw new NotPlain(`it names ${imported} of ${specifier}`);
    const wanted = local === imported || imported.startsWith("*") ? imported : `${imported} as ${local}`;
    const key = `${specifier} ${wanted}`;
    const holder = this.#names.get(local);
    if (holder !== undefined && holder !== key) throw new Error(`${local} of ${specifier} has the name of something else`);
    this.#names.set(local, key);
    this.#imports.set(specifier, (this.#imports.get(specifier) ?? new Set()).add(wanted));
  }

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
