import ts from "typescript";
import { complaintsOfAll, languageService } from "../support/compiler.ts";

/** Samples are compiled as files of a program that uses the packages. */
const folder = "examples/platform";

/**
 * What the compiler says against each of these samples. A short one imports nothing: the names of our package are there, and two of Pulumi's.
 * What it names and does not make, such as `vpc`, can be anything.
 */
export function complaintsOf(samples: readonly string[]): string[][] {
  const known = namesOf("@container-platform/pulumi");
  const texts = samples.map((sample, at): [string, string] => {
    const text = isProgram(sample) ? sample : `export interface Shown {\n${sample}\n}`;
    return [
      `${folder}/sample-${at}.ts`,
      [importOf("@container-platform/pulumi", known, text), importOf("@pulumi/pulumi", pulumis, text), text].join(""),
    ];
  });
  const all = complaintsOfAll(new Map(texts));
  return texts.map(([name]) => all.get(name)?.filter((complaint) => !/^Cannot find name '[a-z]\w*'\./.test(complaint)) ?? []);
}

/** Whether a sample is a program. A page about a class or a function shows signatures, too. */
export function isProgram(text: string): boolean {
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023 };
  return ts.transpileModule(text, { reportDiagnostics: true, compilerOptions: options }).diagnostics?.length === 0;
}

interface Names {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

const pulumis: Names = { values: [], types: ["Input", "Output"] };

/** What a text names of a package without importing or declaring it. */
function importOf(entryPoint: string, { values, types }: Names, text: string): string {
  const named = new Set(text.match(/\b[A-Za-z]\w*\b/g));
  const imported = [...text.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) => names.match(/\w+/g) ?? []);
  const declared = [...text.matchAll(/\b(?:const|let|class|interface|type|function) (\w+|\{[^}]*\})/g)].flatMap(
    ([, names = ""]) => names.match(/\w+/g) ?? [],
  );
  const missing = (name: string) => named.has(name) && !imported.includes(name) && !declared.includes(name);
  const names = [...values.filter(missing), ...types.filter(missing).map((name) => `type ${name}`)];
  return names.length === 0 ? "" : `import { ${names.join(", ")} } from "${entryPoint}";\n`;
}

function namesOf(entryPoint: string): Names {
  const { service, file: path } = languageService(
    `${folder}/sample.ts`,
    `import * as entryPoint from "${entryPoint}";\nexport const found = entryPoint;\n`,
  );
  const program = service.getProgram();
  const checker = program?.getTypeChecker();
  const [statement] = program?.getSourceFile(path)?.statements ?? [];
  const specifier = statement && ts.isImportDeclaration(statement) ? statement.moduleSpecifier : undefined;
  const module = specifier && checker?.getSymbolAtLocation(specifier);
  if (!checker || !module) throw new Error(`${entryPoint} cannot be read`);
  const all = checker.getExportsOfModule(module).map((symbol) => {
    const { flags } = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return { name: symbol.name, isValue: (flags & ts.SymbolFlags.Value) !== 0 };
  });
  return {
    values: all.filter(({ isValue }) => isValue).map(({ name }) => name),
    types: all.filter(({ isValue }) => !isValue).map(({ name }) => name),
  };
}
