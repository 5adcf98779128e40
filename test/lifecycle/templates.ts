import { kinds } from "../../provider/src/resources/reviews.ts";
import { casesOf } from "../provider/kinds/all.ts";
import type { Template, TemplateName } from "./template.ts";

const found = kinds.flatMap((kind): (readonly [TemplateName, Template])[] => {
  const { template, variants = {} } = casesOf[kind].random;
  return [[kind, template], ...Object.entries(variants).map(([name, variant]) => [`${kind}-${name}`, variant] as const)];
});

const templates = new Map(found);

/** Every way in which a random program declares a resource: one for each kind, and its variants. */
export const templateNames: readonly TemplateName[] = [...templates.keys()];

export function templateOf(name: TemplateName): Template {
  const template = templates.get(name);
  if (!template) throw new Error(`there is no template ${name}`);
  return template;
}

export function kindOf(name: TemplateName): string {
  return name.split("-")[0] ?? "";
}
