import { join } from "node:path";
import ts from "typescript";

/** The root of the repository. */
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

/** The compiler, with a program text in a file of the provider's sources, or of a user's project. */
export function languageService(
  name: string,
  text: string,
  more: ts.CompilerOptions = {},
): { readonly service: ts.LanguageService; readonly file: string } {
  const file = join(root, name);
  const version = `${++versions}`;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({ ...options, ...more }),
    getScriptFileNames: () => [file],
    getScriptVersion: (path) => (path === file ? version : "0"),
    getScriptSnapshot: (path) => {
      const found = path === file ? text : ts.sys.readFile(path);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: (path) => (path === file ? text : ts.sys.readFile(path)),
    readDirectory: (...given) => ts.sys.readDirectory(...given),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
  };
  return { service: ts.createLanguageService(host, registry), file };
}

/** The errors that the compiler reports for a program text; empty if it compiles. */
export function complaints(name: string, text: string, more: ts.CompilerOptions = {}): string[] {
  const { service, file } = languageService(name, text, more);
  return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}
