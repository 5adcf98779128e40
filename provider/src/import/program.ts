import { nativeToken } from "../runtime/tokens.ts";
import { check } from "../lifecycle/check.ts";
import { unreadableSecrets } from "../schema/secrets.ts";
import { constructorCall, Expression, importStatement } from "./code.ts";
import type { FoundResource } from "./find-resources.ts";
import { namesFor, sortedByName } from "./names.ts";
import { dependenciesOf, inDependencyOrder, inputsWithTexts, referencesTo } from "./references.ts";

/**
 * The program that declares resources as they are. The same resources give the same program.
 *
 * @param withImport whether each resource has the option `import`. Without it, the program is for a stack that has imported them already
 */
export function programOf(resources: readonly FoundResource[], region: string, withImport: boolean) {
  const { references, ordered, names, problems } = declarationsOf(resources);
  const types = [...new Set(resources.map(({ kind }) => kind.type))].sort();
  const indices = new Map(ordered.map((resource, index) => [resource, index]));
  const isBefore = (one: FoundResource, other: FoundResource) => (indices.get(one) ?? 0) < (indices.get(other) ?? 0);
  const needed = new Set(ordered.flatMap((resource) => dependenciesOf(resource, references).filter((other) => isBefore(other, resource))));
  const statements = ordered.map((resource, index) => {
    const isFirst = ordered.findIndex(({ kind }) => kind === resource.kind) === index;
    const { name = "", variable = "" } = names.get(resource) ?? {};
    const inputs = inputsWithTexts(resource, (text, key) => {
      const reference = references.at(resource, key, text);
      if (!reference || !isBefore(reference.resource, resource)) return text;
      return new Expression((names.get(reference.resource)?.variable ?? "") + reference.expression);
    });
    const options = withImport ? [{ import: resource.id }] : [];
    // A resource to which a later one refers needs a variable.
    const start = `${needed.has(resource) ? `const ${variable} = ` : ""}new ${resource.kind.type}`;
    return (isFirst ? remarkOn(resource) : "") + constructorCall(start, name, inputs, ...options);
  });
  const head = `// The resources in ${region}${withImport ? ". The first `pulumi up` imports them; then the `import` options can be removed" : ""}.\n`;
  return { text: `${[head + importStatement(types, "@container-platform/pulumi"), ...statements].join("\n\n")}\n`, problems };
}

/**
 * What `pulumi import --file` takes, for resources of the plugin. What is not in it is read from the platform, and Pulumi writes the program.
 */
export function importFileOf(resources: readonly FoundResource[]) {
  const { ordered, names, problems } = declarationsOf(resources);
  const listed = ordered.map((one) => ({ type: nativeToken(one.kind.type), name: names.get(one)?.name ?? "", id: one.id }));
  return { text: `${JSON.stringify({ resources: listed }, undefined, 2)}\n`, problems };
}

/** Resources in the order in which a program declares them, what they refer to, their names in it, and why a deployment would refuse it. */
function declarationsOf(resources: readonly FoundResource[]) {
  const references = referencesTo(resources);
  const ordered = inDependencyOrder(sortedByName(resources, references), references);
  const problems = ordered.flatMap(({ kind, id, inputs }) =>
    check(kind, {}, inputs).failures.map(({ message }) => `${kind.type} ${id}: ${message}`),
  );
  return { references, ordered, names: namesFor(ordered, references), problems };
}

/** A comment about secrets that the program cannot contain, because the platform does not return them. */
function remarkOn({ kind, live }: FoundResource): string {
  const { inputs, outputs } = unreadableSecrets(kind, live);
  const remark = (keys: readonly string[], says: string) => (keys.length > 0 ? `// ${keys.join(", ")}: ${says}\n` : "");
  return (
    remark(inputs, "not returned by the platform. It stays as it is, unless it is set here.") +
    remark(outputs, "returned only at creation. Whatever needs it needs a new one.")
  );
}
