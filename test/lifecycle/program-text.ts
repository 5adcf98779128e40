import { called, type Declaration, type Program, Reference } from "./program.ts";

/** A program as a person would write it. `limit`: how long each deletion may take. */
export function textOf(program: Program, limit?: string): string {
  const variables = new Map(program.map((declaration, index) => [called(declaration), `r${index}`]));
  const kinds = [...new Set(program.map(({ type }) => type))].toSorted();
  const written = program.map((declaration) => [variables.get(called(declaration)), constructed(declaration, variables, limit)]);
  const lines = written.map(([variable, value]) => `const ${variable} = ${value};`);
  return [`import { ${["cidrSubnet", ...kinds].join(", ")} } from "@container-platform/pulumi";`, ...lines, ""].join("\n");
}

function constructed({ type, name, args, ...options }: Declaration, variables: ReadonlyMap<string, string>, limit?: string): string {
  const { aliases = [], protect = false, retain = false, import: existing, deletedWith, replaceWith } = options;
  const words = [
    ...(aliases.length > 0 ? [`aliases: ${JSON.stringify(aliases.map((alias) => ({ name: alias })))}`] : []),
    ...(protect ? ["protect: true"] : []),
    ...(retain ? ["retainOnDelete: true"] : []),
    ...(existing === undefined ? [] : [`import: ${JSON.stringify(existing)}`]),
    ...(options.first === undefined ? [] : [`deleteBeforeReplace: ${options.first}`]),
    ...(deletedWith === undefined ? [] : [`deletedWith: ${variables.get(deletedWith)}`]),
    ...(replaceWith === undefined ? [] : [`replaceWith: [${variables.get(replaceWith)}]`]),
    ...(limit === undefined ? [] : [`customTimeouts: { delete: ${JSON.stringify(limit)} }`]),
    ...(options.dependsOn ? [`dependsOn: [${options.dependsOn.map((one) => variables.get(one)).join(", ")}]`] : []),
  ];
  return `new ${type}(${JSON.stringify(name)}, ${written(args, variables)}, { ${words.join(", ")} })`;
}

function written(value: unknown, variables: ReadonlyMap<string, string>): string {
  if (value instanceof Reference) {
    const property = `${variables.get(value.of)}.${value.property}`;
    return value.part ? `${property}.apply((range) => cidrSubnet(range, ${value.part.bits}, ${value.part.index}))` : property;
  }
  if (Array.isArray(value)) return `[${value.map((one) => written(one, variables)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return value === undefined ? "undefined" : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${written(inner, variables)}`)
    .join(", ")} }`;
}
