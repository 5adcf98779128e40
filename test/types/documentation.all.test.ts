import ts from "typescript";
import { expect, test } from "vitest";
import { kinds as resources } from "../../provider/src/resources/reviews.ts";
import { commentsOfResources } from "../../scripts/docs/comments.ts";
import { complaints, languageService } from "../support/compiler.ts";

/** A user's project. It reads the built declarations, as an editor does. */
const { service, file } = languageService(
  "examples/platform/hover.ts",
  [
    `import { ${resources.join(", ")}, Provider, type ProviderArgs, Network, type NetworkArgs, Platform, type PlatformArgs } from "@container-platform/pulumi";`,
    ...resources.map(
      (name) => `export declare const args${name}: ConstructorParameters<typeof ${name}>[1]; export declare const made${name}: ${name};`,
    ),
    "export declare const argsProvider: ProviderArgs, argsNetwork: NetworkArgs<string>, argsPlatform: PlatformArgs<string, string>;",
    "export declare const madeNetwork: Network, madePlatform: Platform;",
  ].join("\n"),
);

const program = service.getProgram();
if (!program) throw new Error("the compiler made no program");
const checker = program.getTypeChecker();
const source = fileOf(program);

function fileOf(compiled: ts.Program): ts.SourceFile {
  const found = compiled.getSourceFile(file);
  if (!found) throw new Error("the compiler has no such file");
  return found;
}

const declared = new Map(checker.getSymbolsInScope(source, ts.SymbolFlags.Variable).map((symbol) => [symbol.name, symbol]));

function typeOf(name: string): ts.Type {
  const symbol = declared.get(name);
  if (!symbol) throw new Error(`${name} is not declared`);
  return checker.getTypeOfSymbolAtLocation(symbol, source);
}

/** The object types in a type, also inside of lists, promises and outputs: those that one writes with braces. */
function objectsIn(type: ts.Type): ts.Type[] {
  if (type.isUnion()) return type.types.flatMap(objectsIn);
  if (checker.isArrayType(type)) return checker.getTypeArguments(type as ts.TypeReference).flatMap(objectsIn);
  const name = type.aliasSymbol?.name ?? type.getSymbol()?.name;
  const isPlain =
    (type.flags & ts.TypeFlags.Object) !== 0 && type.getCallSignatures().length === 0 && name !== "Promise" && name !== "OutputInstance";
  return isPlain ? [type] : [];
}

/** Without what a class keeps to itself. */
function publicOnes(all: readonly ts.Symbol[]): ts.Symbol[] {
  return all.filter(({ name }) => !name.startsWith("#"));
}

/** Every property of these object types, nested ones too, with its documentation. */
function properties(type: ts.Type, path: string): { path: string; documentation: string }[] {
  return objectsIn(type).flatMap((object) =>
    publicOnes(checker.getPropertiesOfType(object)).flatMap((property) => {
      const at = `${path}.${property.name}`;
      const documentation = ts.displayPartsToString(property.getDocumentationComment(checker));
      return [{ path: at, documentation }, ...properties(checker.getTypeOfSymbol(property), at)];
    }),
  );
}

test.each([...resources, "Provider", "Network", "Platform"])("every input of %s is documented, nested ones too", (name) => {
  const found = properties(typeOf(`args${name}`), name);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ documentation }) => documentation === "").map(({ path }) => path)).toEqual([]);
});

test("the check covers all resources, and nested inputs", () => {
  expect(resources.length).toBeGreaterThanOrEqual(11);
  const paths = properties(typeOf("argsNodePool"), "NodePool").map(({ path }) => path);
  expect(paths).toContain("NodePool.native.systemDisk.diskSize");
  expect(paths).toContain("NodePool.taints.effect");
});

test.each([...resources, "Network", "Platform"])("every output of %s is documented", (name) => {
  const ours = publicOnes(checker.getPropertiesOfType(typeOf(`made${name}`))).filter((property) =>
    property.declarations?.some((declaration) => declaration.getSourceFile().fileName.includes("/provider/dist/")),
  );
  expect(ours.length).toBeGreaterThan(0);
  expect(ours.filter((property) => property.getDocumentationComment(checker).length === 0).map(({ name: key }) => key)).toEqual([]);
});

/** The declarations of the package's own entry point, and those that it needs. */
const declarations = program.getSourceFiles().filter(({ fileName }) => fileName.includes("/provider/dist/cjs/"));

test("every object that has a name is documented, and what is in it", () => {
  const interfaces = declarations.flatMap(({ statements }) => statements.filter(ts.isInterfaceDeclaration));
  expect(interfaces.length).toBeGreaterThan(100);
  // The comment on a class stands for its constructor.
  const members = interfaces.flatMap(({ name, members: all }) =>
    all
      .filter((member) => !ts.isConstructSignatureDeclaration(member))
      .map((member) => ({ path: `${name.text}.${member.name?.getText()}`, member })),
  );
  expect(members.filter(({ member }) => ts.getJSDocCommentsAndTags(member).length === 0).map(({ path }) => path)).toEqual([]);
});

test("the declarations name Pulumi and no other package, and need nothing that a program may not have set", () => {
  const named = declarations.flatMap(({ text }) => [...text.matchAll(/(?:\bfrom |\bimport\()"([^."][^"]*)"/g)].map(([, from]) => from));
  expect([...new Set(named)]).toEqual(["@pulumi/pulumi"]);
  const oldest = { skipLibCheck: false, esModuleInterop: false, types: [], strict: false, exactOptionalPropertyTypes: false };
  const { service } = languageService("examples/platform/oldest.ts", 'import "@container-platform/pulumi";', oldest);
  const errors = declarations.flatMap(({ fileName }) => service.getSemanticDiagnostics(fileName));
  expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

/** What the examples name and do not make themselves. */
const before = `
import * as library from "@container-platform/pulumi";
declare const { ${resources.join(", ")} }: typeof library;
declare const vpc: library.Vpc, subnet: library.Subnet, nodes: library.Subnet, group: library.SecurityGroup;
declare const address: library.ElasticIp, gateway: library.NatGateway;
declare const platform: library.Cluster, pool: library.NodePool, images: library.RegistryInstance, archive: library.RegistryInstance, team: library.Namespace;
`;

test("the example of each resource compiles", () => {
  const comments = commentsOfResources();
  const examples = resources.map((name) => comments.get(name)?.example ?? `"${name} has no example" satisfies never;`);
  const blocks = examples.map((text) => `{\n${text.replaceAll(/^export /gm, "")}\n}`);
  expect(complaints("examples/platform/of-pages.ts", `${before}${blocks.join("\n")}`)).toEqual([]);
});
