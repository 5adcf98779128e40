import { readFileSync } from "node:fs";
import ts from "typescript";
import { settings } from "../../provider/src/native/settings.ts";
import { commentOn } from "./comments.ts";
import type { Spec } from "./schema-types.ts";

/** The settings of the provider, with what the sources say of each: the class for programs, or what the plugin has besides. */
export function settingSpecs(): Record<string, Spec> {
  const said = new Map([...commentsIn("pulumi/provider.ts"), ...commentsIn("native/settings.ts")]);
  const specs = Object.entries(settings).map(([key, about]) => {
    const description = said.get(key);
    if (description === undefined) throw new Error(`the setting ${key} has no comment, neither in ProviderArgs nor in native/settings.ts`);
    return [key, { ...about, description }] as const;
  });
  return Object.fromEntries(specs);
}

/** The comments on the members of interfaces and of constant objects in a file of the provider, by name. */
function commentsIn(path: string): Map<string, string> {
  const text = readFileSync(new URL(`../../provider/src/${path}`, import.meta.url), "utf8");
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    const name = (ts.isPropertySignature(node) || ts.isPropertyAssignment(node)) && node.name.getText();
    if (name && commentOn(node) !== "") found.set(name, commentOn(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}
