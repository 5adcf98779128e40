import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import ts from "typescript";

/** The folder of what the compiler emits, with the paths of the sources. */
export function emittedIn(root: string): string {
  return join(root, "node_modules", ".cache", "types");
}

/** The sources of both packages, type-checked as one program, and what the compiler has emitted for them. */
export class Sources {
  readonly checker: ts.TypeChecker;
  readonly #root: string;
  readonly #program: ts.Program;
  readonly #emitted = new Map<string, ts.SourceFile>();
  readonly #scopes = new Map<ts.SourceFile, ReadonlyMap<string, ts.Symbol>>();

  constructor(root: string, entryPoints: readonly string[]) {
    this.#root = root;
    const config = join(root, "provider", "tsconfig.json");
    const { options } = ts.parseJsonConfigFileContent(
      ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
      ts.sys,
      join(root, "provider"),
    );
    // The SDK's own sources, too: its declarations do not have what the fields of the catalogue are described as.
    const { rootDir: _root, outDir: _out, tsBuildInfoFile: _record, paths = {}, ...others } = options;
    this.#program = ts.createProgram(
      entryPoints.map((entryPoint) => join(root, "provider", "src", `${entryPoint}.ts`)),
      {
        ...others,
        paths: toSources(root, paths),
        composite: false,
        incremental: false,
        declaration: false,
        emitDeclarationOnly: false,
        noEmit: true,
      },
    );
    this.checker = this.#program.getTypeChecker();
  }

  /** What an entry point exports, by the names that users import. */
  exportsOf(entryPoint: string): { readonly name: string; readonly symbol: ts.Symbol }[] {
    const file = this.#program.getSourceFile(join(this.#root, "provider", "src", `${entryPoint}.ts`));
    const module = file && this.checker.getSymbolAtLocation(file);
    if (!module) throw new Error(`there is no entry point ${entryPoint}`);
    const order = (symbol: ts.Symbol) => symbol.declarations?.[0]?.pos ?? 0;
    const exported = this.checker.getExportsOfModule(module).sort((one, other) => order(one) - order(other));
    return exported.map((symbol) => ({ name: symbol.name, symbol: this.target(symbol) }));
  }

  /** What a name in a file stands for, also if it is imported or re-exported there. */
  target(symbol: ts.Symbol): ts.Symbol {
    return this.checker.getExportSymbolOfSymbol(symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol);
  }

  /** Whether a file is one of the packages' own sources. */
  isOwn(file: ts.SourceFile): boolean {
    return ["provider", "sdk"].some((name) => file.fileName.startsWith(`${slashed(join(this.#root, name, "src"))}/`));
  }

  /** The names at the top of a file, imported ones included. */
  scopeOf(file: ts.SourceFile): ReadonlyMap<string, ts.Symbol> {
    const known = this.#scopes.get(file);
    if (known) return known;
    const { Type, Value, Namespace, Alias } = ts.SymbolFlags;
    const all = this.checker.getSymbolsInScope(file, Type | Value | Namespace | Alias);
    const own = all.filter(({ declarations }) => declarations?.some((declaration) => declaration.getSourceFile() === file));
    const scope = new Map(own.map((symbol) => [symbol.name, symbol]));
    this.#scopes.set(file, scope);
    return scope;
  }

  /** A name that another file exports. `specifier` is relative, as in an import. */
  exportOf(from: ts.SourceFile, specifier: string, name: string): ts.Symbol | undefined {
    const file = this.#program.getSourceFile(slashed(resolve(from.fileName, "..", specifier)));
    const module = file && this.checker.getSymbolAtLocation(file);
    const found = module && this.checker.tryGetMemberInModuleExports(name, module);
    return found && this.target(found);
  }

  /** The declarations that the compiler has emitted for a source. */
  emittedFor(file: ts.SourceFile): ts.SourceFile {
    const path = relative(this.#root, file.fileName).replace(/\.ts$/, ".d.ts");
    const name = join(emittedIn(this.#root), path);
    const known = this.#emitted.get(name) ?? ts.createSourceFile(name, readFileSync(name, "utf8"), ts.ScriptTarget.Latest, true);
    this.#emitted.set(name, known);
    return known;
  }
}

/** The paths to what the compiler emits as paths to its sources. */
function toSources(root: string, paths: ts.MapLike<string[]>): ts.MapLike<string[]> {
  const source = (path: string) => join(root, path.replace(/^.*\/types\//, "").replace(/\.d\.ts$/, ".ts"));
  return Object.fromEntries(Object.entries(paths).map(([name, places]) => [name, places.map(source)]));
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
