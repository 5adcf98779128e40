import { readFileSync } from "node:fs";
import { fieldsOf } from "@container-platform/sdk";
import ts from "typescript";
import { z } from "zod";
import type { Kind } from "../../provider/src/definition/definition.ts";
import { typeToken } from "../../provider/src/dynamic/stub.ts";
import { queryInputs } from "../../provider/src/plugin/list-requests.ts";
import { settings as settingTypes } from "../../provider/src/runtime/configuration.ts";
import { kinds as names } from "../../provider/src/resources/reviews.ts";
import { nativeToken, packageName } from "../../provider/src/runtime/tokens.ts";
import { type Comments, commentOn, commentsOfResources, sourceOf } from "./comments.ts";
import { formatted } from "./markdown.ts";
import { describedWithExamples, kinds } from "./resources.ts";
import { componentSpecs } from "./schema-components.ts";
import { functionSpecs } from "./schema-functions.ts";
import { isRequired, propertyOf, type Spec, type Types } from "./schema-types.ts";

/** The schema of the native plugin, as Pulumi's tools read it. */
export function pluginSchema(): Promise<string> {
  return formatted(JSON.stringify(specOfPackage()), "json");
}

function specOfPackage(): Spec {
  const comments = commentsOfResources();
  const types: Types = {};
  const resources = names.map((name) => {
    const kind = kinds.find(({ type }) => type === name);
    const said = comments.get(name);
    if (!kind || !said) throw new Error(`the sources have no ${name}`);
    return [nativeToken(name), resourceOf(kind, said, types)] as const;
  });
  const components = componentSpecs(comments, types);
  const functions = functionSpecs(types);
  const settings = settingSpecs();
  return {
    $schema: "https://raw.githubusercontent.com/pulumi/pulumi/master/pkg/codegen/schema/pulumi.json",
    name: packageName,
    displayName: "Container Platform",
    ...publication(),
    description: "Managed Kubernetes clusters, image registries and private networks",
    keywords: ["pulumi", "category/infrastructure", "kind/native", "kubernetes"],
    license: "Apache-2.0",
    // Each SDK is one package with the version of the schema.
    meta: { moduleFormat: "(.*)", supportPack: true },
    language: {
      nodejs: { packageName: "@container-platform/native", typescriptVersion: "^6.0.0" },
      // Otherwise the packages of an SDK have the owner of the Git repository in their names from which Pulumi has the plugin.
      python: { packageName: "pulumi_container_platform", pyproject: { enabled: true } },
      go: { importBasePath: "example.com/pulumi-container-platform/sdk/go/containerplatform" },
    },
    config: { variables: settings },
    provider: { description: "Where resources are: a platform, a region and an account.", inputProperties: settings, properties: settings },
    types: Object.fromEntries(Object.entries(types).sort(([one], [other]) => (one < other ? -1 : 1))),
    resources: { ...Object.fromEntries(resources), ...components },
    functions,
  };
}

const manifest = z.object({
  version: z.string(),
  author: z.string().optional(),
  homepage: z.url().optional(),
  pulumi: z.object({ logoUrl: z.url() }).optional(),
});

/** The version, and what the publisher has filled in of `author`, `homepage` and `pulumi.logoUrl` in the plugin's manifest. */
function publication(): Spec {
  const text = readFileSync(new URL("../../plugin/package.json", import.meta.url), "utf8");
  const { version, author: publisher, homepage, pulumi } = manifest.parse(JSON.parse(text));
  return { version, publisher, homepage, logoUrl: pulumi?.logoUrl };
}

function resourceOf(kind: Kind, said: Comments, types: Types): Spec {
  const properties = (which: "inputs" | "outputs", into: Types): Record<string, Spec> =>
    Object.fromEntries(
      Object.entries(fieldsOf(kind[which])).map(([key, schema]) => {
        const path = { owner: kind.type, path: key, comments: said[which] };
        return [key, propertyOf(schema, path, into)];
      }),
    );
  const inputs = properties("inputs", types);
  const outputs = properties("outputs", types);
  const inputProperties = Object.entries(inputs).map(([key, property]) => {
    const replaces = kind.changes[key] === "replace" ? { willReplaceOnChanges: true } : {};
    return [key, { ...property, ...replaces }] as const;
  });
  // What was a default has its value by then; only what may be left to the platform or have no value may be missing.
  const always = Object.keys(inputs).filter((key) => fieldsOf(kind.inputs)[key]?._zod.def.type !== "optional");
  const told = Object.entries(inputs).map(([key, { default: _fallback, ...property }]) => [key, property] as const);
  return {
    description: describedWithExamples(kind, said.summary),
    inputProperties: Object.fromEntries(inputProperties),
    requiredInputs: Object.keys(inputs).filter((key) => isRequired(fieldsOf(kind.inputs)[key])),
    properties: { ...Object.fromEntries(told), ...outputs },
    listInputs: { properties: listInputs(kind, inputs), type: "object" },
    required: [...always, ...Object.keys(outputs).filter((key) => isRequired(fieldsOf(kind.outputs)[key]))],
    aliases: [{ type: typeToken(kind.type) }],
  };
}

/** The inputs by which resources are listed, each with the first sentence about it. */
function listInputs(kind: Kind, inputs: Readonly<Record<string, Spec>>): Record<string, Spec> {
  const known = queryInputs(kind).map((key) => {
    const { default: _fallback, description, ...type } = inputs[key] ?? {};
    const said = key === "tags" ? "Tags that the resources have." : String(description).replace(/(?<=\.) .*/s, "");
    return [key, { ...type, description: said }] as const;
  });
  return Object.fromEntries(known);
}

/** The settings of the provider, with what the sources say of each: the class for programs, or what the plugin has besides. */
function settingSpecs(): Record<string, Spec> {
  const said = new Map([...commentsIn("runtime/configuration.ts"), ...commentsIn("dynamic/provider.ts")]);
  const specs = Object.entries(settingTypes).map(([key, about]) => {
    const description = said.get(key);
    if (description === undefined)
      throw new Error(`the setting ${key} has no comment, neither in ProviderArgs nor in runtime/configuration.ts`);
    return [key, { ...about, description }] as const;
  });
  return Object.fromEntries(specs);
}

/** The comments on the members of interfaces and of constant objects in a file of the provider, by name. */
function commentsIn(path: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    const name = (ts.isPropertySignature(node) || ts.isPropertyAssignment(node)) && node.name.getText();
    if (name && commentOn(node) !== "") found.set(name, commentOn(node));
    ts.forEachChild(node, visit);
  };
  visit(sourceOf(path));
  return found;
}
