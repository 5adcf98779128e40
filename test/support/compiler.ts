import { join } from "node:path";
import ts from "typescript";

export const root = join(import.meta.dirname, "..", "..");

const options: ts.CompilerOptions = {
  ...ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, "tsconfig.base.json"), (file) => ts.sys.readFile(file)).config,
    ts.sys,
    root,
  ).options,
  composite: false,
  incremental: false,
  noEmit: true,
  // A snippet may have unused parts.
  noUnusedLocals: false,
  noUnusedParameters: false,
};

/** Files that were read once are not read again. */
const registry = ts.createDocumentRegistry();
let versions = 0;

/** The compiler, with program texts in files of the provider's sources, or of a user's project. */
function serviceFor(texts: ReadonlyMap<string, string>, more: ts.CompilerOptions): ts.LanguageService {
  const version = `${++versions}`;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({ ...options, ...more }),
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: (path) => (texts.has(path) ? version : "0"),
    getScriptSnapshot: (path) => {
      const found = texts.get(path) ?? ts.sys.readFile(path);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: (path) => texts.get(path) ?? ts.sys.readFile(path),
    readDirectory: (...given) => ts.sys.readDirectory(...given),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
  };
  return ts.createLanguageService(host, registry);
}

/** The compiler, with a program text in a file. */
export function languageService(
  name: string,
  text: string,
  more: ts.CompilerOptions = {},
): { readonly service: ts.LanguageService; readonly file: string } {
  const file = join(root, name);
  return { service: serviceFor(new Map([[file, text]]), more), file };
}

/** The errors that the compiler reports for a program text; empty if it compiles. */
export function complaints(name: string, text: string, more: ts.CompilerOptions = {}): string[] {
  return [...complaintsOfAll(new Map([[name, text]]), more).values()].flat();
}

/** The same for many texts at once, by their names: what they import is then checked once. */
export function complaintsOfAll(texts: ReadonlyMap<string, string>, more: ts.CompilerOptions = {}): Map<string, string[]> {
  const service = serviceFor(new Map([...texts].map(([name, text]) => [join(root, name), text])), more);
  const messages = (name: string) => {
    const file = join(root, name);
    return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, "\n"),
    );
  };
  return new Map([...texts.keys()].map((name) => [name, messages(name)]));
}
